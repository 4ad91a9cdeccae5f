// cuBLAS, opened when it is asked for: linked in, its half gigabyte would be loaded whenever a chapter starts, and a
// machine without it could run no chapter.

#include <tilestep/backend/vendor_gemm.hpp>  // what is implemented here

#if __has_include(<cublas_v2.h>)

#include <tilestep/backend/runtime.hpp>  // require_device

#include "cublas_lt.hpp"

#include <cublas_v2.h>
#include <cuda_fp16.h>  // __half: alpha and beta of f16 sums
#include <dlfcn.h>  // dlopen

#include <cstdint>  // std::int32_t

namespace tilestep {

namespace {

cudaDataType_t type_of(DType type) {
  switch (type) {
    case DType::f32:
    case DType::tf32: return CUDA_R_32F;
    case DType::f16: return CUDA_R_16F;
    case DType::bf16: return CUDA_R_16BF;
    case DType::i32: return CUDA_R_32I;
    case DType::i8: return CUDA_R_8I;
    case DType::f64: return CUDA_R_64F;
    case DType::e4m3: return CUDA_R_8F_E4M3;
    case DType::e5m2: return CUDA_R_8F_E5M2;
    case DType::u8:
    case DType::i4:
    case DType::u4:
    case DType::u1: break;  // atoms alone have them
  }
  return CUDA_R_32F;
}

struct Mode {
  std::string name;
  cublasComputeType_t compute;
  int choice = -1;  // of cuBLASLt; -1: cuBLAS itself
};

std::vector<Mode> cublas_modes(VendorGemm const& gemm) {
  if (gemm.sum == DType::i32) return {{"default", CUBLAS_COMPUTE_32I}, {"pedantic", CUBLAS_COMPUTE_32I_PEDANTIC}};
  if (gemm.sum == DType::f16) return {{"default", CUBLAS_COMPUTE_16F}, {"pedantic", CUBLAS_COMPUTE_16F_PEDANTIC}};
  if (gemm.sum == DType::f64) return {{"default", CUBLAS_COMPUTE_64F}, {"pedantic", CUBLAS_COMPUTE_64F_PEDANTIC}};
  if (is_fp8(gemm.a_b)) return {};
  if (gemm.a_b == DType::tf32) return {{"tf32", CUBLAS_COMPUTE_32F_FAST_TF32}};
  return {{"default", CUBLAS_COMPUTE_32F}, {"pedantic", CUBLAS_COMPUTE_32F_PEDANTIC}};
}

// And the first choices of cuBLASLt in the same arithmetic as cuBLAS's first mode; epilogues and FP8 are cuBLASLt's
// alone. It wants FP8 operands along K, and refuses others when it is asked.
std::vector<Mode> modes_of(VendorGemm const& gemm) {
  std::vector<Mode> modes = cublas_modes(gemm);
  cublasComputeType_t const compute = modes.empty() ? CUBLAS_COMPUTE_32F : modes.front().compute;
  if (gemm.has_epilogue()) modes.clear();
  for (int choice = 0; choice < CublasLt::choices; ++choice)
    modes.push_back({"Lt " + std::to_string(choice + 1), compute, choice});
  return modes;
}

cudaDataType_t scale_type(DType sum) {
  if (sum == DType::i32) return CUDA_R_32I;
  if (sum == DType::f64) return CUDA_R_64F;
  return sum == DType::f16 ? CUDA_R_16F : CUDA_R_32F;
}

// alpha or beta in the type of the sums.
struct Scalar {
  Scalar(DType sum, double value)
      : f64(value),
        f32(float(value)),
        i32(sum == DType::i32 ? std::int32_t(value) : 0),
        f16(float(value)),
        type(sum) {}
  [[nodiscard]] void const* get() const {
    if (type == DType::i32) return &i32;
    if (type == DType::f16) return &f16;
    if (type == DType::f64) return &f64;
    return &f32;
  }
  double f64;
  float f32;
  std::int32_t i32;
  __half f16;
  DType type;
};

}  // namespace

struct VendorLibrary::Implementation {
  std::string name, missing, folder;
  std::unique_ptr<CublasLt> lt;
  void* library = nullptr;
  cublasHandle_t handle = nullptr;
  decltype(&cublasDestroy_v2) destroy = nullptr;
  decltype(&cublasGetStatusString) status_string = nullptr;
  decltype(&cublasGemmEx_64) gemm = nullptr;
  decltype(&cublasGemmStridedBatchedEx_64) batched_gemm = nullptr;

  // Finds the function `name` of the library; what is missing is said once.
  template <class Function>
  void find(Function& function, char const* symbol) {
    function = reinterpret_cast<Function>(dlsym(library, symbol));
    if (function == nullptr) missing = std::string("no cuBLAS here: ") + file() + " has no " + symbol;
  }
  static std::string file() { return "libcublas.so." + std::to_string(CUBLAS_VER_MAJOR); }
};

VendorLibrary::VendorLibrary() : implementation_(std::make_unique<Implementation>()) {
  Implementation& self = *implementation_;
  require_device();
  for (std::string const& folder :
       {std::string(), std::string(TILESTEP_CUDA_LIBRARY_FOLDER "/"), std::string("/usr/local/cuda/lib64/")}) {
    if (self.library != nullptr) break;
    self.folder = folder;
    self.library = dlopen((folder + Implementation::file()).c_str(), RTLD_NOW | RTLD_LOCAL);
  }
  if (self.library == nullptr) {
    self.missing = "no cuBLAS here: " + Implementation::file() + " was not found";
    return;
  }
  decltype(&cublasCreate_v2) create = nullptr;
  decltype(&cublasGetVersion_v2) get_version = nullptr;
  self.find(create, "cublasCreate_v2");
  self.find(get_version, "cublasGetVersion_v2");
  self.find(self.destroy, "cublasDestroy_v2");
  self.find(self.status_string, "cublasGetStatusString");
  self.find(self.gemm, "cublasGemmEx_64");
  self.find(self.batched_gemm, "cublasGemmStridedBatchedEx_64");
  if (!self.missing.empty()) return;
  if (cublasStatus_t const status = create(&self.handle); status != CUBLAS_STATUS_SUCCESS) {
    self.missing = std::string("no cuBLAS here: cublasCreate says ") + self.status_string(status);
    return;
  }
  int version = 0;  // 130002 is 13.0.2
  if (get_version(self.handle, &version) != CUBLAS_STATUS_SUCCESS) version = CUBLAS_VERSION;
  self.name = "cuBLAS " + std::to_string(version / 10000) + "." + std::to_string(version / 100 % 100) + "." +
              std::to_string(version % 100);
}

VendorLibrary::~VendorLibrary() {
  if (implementation_->handle != nullptr) (void)implementation_->destroy(implementation_->handle);
}

std::string const& VendorLibrary::name() const { return implementation_->name; }
std::string const& VendorLibrary::missing() const { return implementation_->missing; }

std::vector<std::string> VendorLibrary::modes(VendorGemm const& gemm) const {
  std::vector<std::string> names;
  if (implementation_->handle == nullptr) return names;
  for (Mode const& mode : modes_of(gemm)) names.push_back(mode.name);
  return names;
}

// cuBLAS knows columns: a row-major matrix is its transpose to it, so C^T = B A^T of ours is what it is asked for.
std::string VendorLibrary::run(VendorGemm const& gemm, std::string const& name) {
  Implementation& self = *implementation_;
  if (self.handle == nullptr) return self.missing;
  cublasOperation_t const first = gemm.b_along_k ? CUBLAS_OP_T : CUBLAS_OP_N;   // (n,k)
  cublasOperation_t const second = gemm.a_along_k ? CUBLAS_OP_N : CUBLAS_OP_T;  // (k,m)
  Scalar const alpha(gemm.sum, gemm.alpha), beta(gemm.sum, gemm.beta);
  cudaDataType_t const operand = type_of(gemm.a_b), result = type_of(gemm.c_type);
  for (Mode const& mode : modes_of(gemm)) {
    if (name != mode.name) continue;
    if (mode.choice >= 0) {
      if (!self.lt) self.lt = std::make_unique<CublasLt>(self.folder);
      return self.lt->run(gemm, operand, result, scale_type(gemm.sum), mode.compute, alpha.get(), beta.get(),
                          mode.choice);
    }
    cublasStatus_t const status =
        gemm.batch == 1
            ? self.gemm(self.handle, first, second, gemm.n, gemm.m, gemm.k, alpha.get(), gemm.b, operand, gemm.ldb,
                        gemm.a, operand, gemm.lda, beta.get(), gemm.c, result, gemm.ldc, mode.compute,
                        CUBLAS_GEMM_DEFAULT)
            : self.batched_gemm(self.handle, first, second, gemm.n, gemm.m, gemm.k, alpha.get(), gemm.b, operand,
                                gemm.ldb, gemm.batch_b, gemm.a, operand, gemm.lda, gemm.batch_a, beta.get(), gemm.c,
                                result, gemm.ldc, gemm.batch_c, gemm.batch, mode.compute, CUBLAS_GEMM_DEFAULT);
    return status == CUBLAS_STATUS_SUCCESS ? "" : self.status_string(status);
  }
  return "cuBLAS has no mode " + name;
}

}  // namespace tilestep

#else  // a toolkit without cuBLAS

namespace tilestep {

struct VendorLibrary::Implementation {
  std::string name;
  std::string missing = "no cuBLAS here: the toolkit that compiled this program has none";
};

VendorLibrary::VendorLibrary() : implementation_(std::make_unique<Implementation>()) {}
VendorLibrary::~VendorLibrary() = default;
std::string const& VendorLibrary::name() const { return implementation_->name; }
std::string const& VendorLibrary::missing() const { return implementation_->missing; }
std::vector<std::string> VendorLibrary::modes(VendorGemm const&) const { return {}; }
std::string VendorLibrary::run(VendorGemm const&, std::string const&) { return implementation_->missing; }

}  // namespace tilestep

#endif
