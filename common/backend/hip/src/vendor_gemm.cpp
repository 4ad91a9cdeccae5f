// rocBLAS, opened when it is asked for: every program starts without it. It calls hipBLASLt itself where that is
// faster.

#include <tilestep/backend/vendor_gemm.hpp>  // what is implemented here

#if __has_include(<rocblas/rocblas.h>)

#include <tilestep/backend/runtime.hpp>  // require_device

#include <rocblas/rocblas.h>

#include <dlfcn.h>  // dlopen

#include <array>    // the version
#include <cstdint>  // std::int32_t

namespace tilestep {

namespace {

rocblas_datatype type_of(DType type) {
  switch (type) {
    case DType::f32:
    case DType::tf32: return rocblas_datatype_f32_r;
    case DType::f16: return rocblas_datatype_f16_r;
    case DType::bf16: return rocblas_datatype_bf16_r;
    case DType::i32: return rocblas_datatype_i32_r;
    case DType::i8: return rocblas_datatype_i8_r;
    case DType::f64: return rocblas_datatype_f64_r;
    case DType::u8:
    case DType::e4m3:
    case DType::e5m2:
    case DType::i4:
    case DType::u4:
    case DType::u1: break;  // atoms alone have them
  }
  return rocblas_datatype_f32_r;
}

// rocBLAS takes sizes and leading dimensions of 32 bits, has no epilogue and no FP8, and computes tf32 and f16 sums in
// a way of its own.
bool has(VendorGemm const& gemm) {
  auto const fits = [](std::int64_t size) { return size <= INT32_MAX; };
  bool const small = fits(gemm.m) && fits(gemm.n) && fits(gemm.k) && fits(gemm.batch) && fits(gemm.lda) &&
                     fits(gemm.ldb) && fits(gemm.ldc);
  bool const typed = gemm.a_b != DType::tf32 && gemm.sum != DType::f16 && !is_fp8(gemm.a_b);
  return small && !gemm.has_epilogue() && typed;
}

// alpha or beta in the type of the sums.
struct Scalar {
  Scalar(DType sum, double value)
      : f64(value), f32(float(value)), i32(sum == DType::i32 ? std::int32_t(value) : 0), type(sum) {}
  [[nodiscard]] void const* get() const {
    if (type == DType::i32) return &i32;
    if (type == DType::f64) return &f64;
    return &f32;
  }
  double f64;
  float f32;
  std::int32_t i32;
  DType type;
};

}  // namespace

struct VendorLibrary::Implementation {
  std::string name, missing;
  void* library = nullptr;
  rocblas_handle handle = nullptr;
  decltype(&rocblas_destroy_handle) destroy = nullptr;
  decltype(&rocblas_status_to_string) status_string = nullptr;
  decltype(&rocblas_gemm_strided_batched_ex) gemm = nullptr;

  // Finds the function `name` of the library; what is missing is said once.
  template <class Function>
  void find(Function& function, char const* symbol) {
    function = reinterpret_cast<Function>(dlsym(library, symbol));
    if (function == nullptr) missing = std::string("no rocBLAS here: librocblas.so has no ") + symbol;
  }
};

VendorLibrary::VendorLibrary() : implementation_(std::make_unique<Implementation>()) {
  Implementation& self = *implementation_;
  require_device();
  for (char const* file : {"librocblas.so", "librocblas.so.5", "librocblas.so.4", "/opt/rocm/lib/librocblas.so"}) {
    if (self.library == nullptr) self.library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  }
  if (self.library == nullptr) {
    self.missing = "no rocBLAS here: librocblas.so was not found";
    return;
  }
  decltype(&rocblas_create_handle) create = nullptr;
  decltype(&rocblas_get_version_string) get_version = nullptr;
  self.find(create, "rocblas_create_handle");
  self.find(get_version, "rocblas_get_version_string");
  self.find(self.destroy, "rocblas_destroy_handle");
  self.find(self.status_string, "rocblas_status_to_string");
  self.find(self.gemm, "rocblas_gemm_strided_batched_ex");
  if (!self.missing.empty()) return;
  if (rocblas_status const status = create(&self.handle); status != rocblas_status_success) {
    self.missing = std::string("no rocBLAS here: rocblas_create_handle says ") + self.status_string(status);
    return;
  }
  std::array<char, 64> version{};
  self.name = get_version(version.data(), version.size()) == rocblas_status_success
                  ? "rocBLAS " + std::string(version.data())
                  : "rocBLAS";
}

VendorLibrary::~VendorLibrary() {
  if (implementation_->handle != nullptr) (void)implementation_->destroy(implementation_->handle);
}

std::string const& VendorLibrary::name() const { return implementation_->name; }
std::string const& VendorLibrary::missing() const { return implementation_->missing; }

std::vector<std::string> VendorLibrary::modes(VendorGemm const& gemm) const {
  if (implementation_->handle == nullptr || !has(gemm)) return {};
  return {"default"};
}

// rocBLAS knows columns: a row-major matrix is its transpose to it, so C^T = B A^T of ours is what it is asked for.
std::string VendorLibrary::run(VendorGemm const& gemm, std::string const& mode) {
  Implementation& self = *implementation_;
  if (self.handle == nullptr) return self.missing;
  if (mode != "default") return "rocBLAS has no mode " + mode;
  rocblas_operation const first = gemm.b_along_k ? rocblas_operation_transpose : rocblas_operation_none;   // (n,k)
  rocblas_operation const second = gemm.a_along_k ? rocblas_operation_none : rocblas_operation_transpose;  // (k,m)
  Scalar const alpha(gemm.sum, gemm.alpha), beta(gemm.sum, gemm.beta);
  rocblas_datatype const operand = type_of(gemm.a_b), result = type_of(gemm.c_type);
  rocblas_status const status = self.gemm(
      self.handle, first, second, rocblas_int(gemm.n), rocblas_int(gemm.m), rocblas_int(gemm.k), alpha.get(), gemm.b,
      operand, rocblas_int(gemm.ldb), gemm.batch_b, gemm.a, operand, rocblas_int(gemm.lda), gemm.batch_a, beta.get(),
      gemm.c, result, rocblas_int(gemm.ldc), gemm.batch_c, gemm.c, result, rocblas_int(gemm.ldc), gemm.batch_c,
      rocblas_int(gemm.batch), type_of(gemm.sum), rocblas_gemm_algo_standard, 0, 0);
  return status == rocblas_status_success ? "" : self.status_string(status);
}

}  // namespace tilestep

#else  // a toolkit without rocBLAS

namespace tilestep {

struct VendorLibrary::Implementation {
  std::string name;
  std::string missing = "no rocBLAS here: the toolkit that compiled this program has none";
};

VendorLibrary::VendorLibrary() : implementation_(std::make_unique<Implementation>()) {}
VendorLibrary::~VendorLibrary() = default;
std::string const& VendorLibrary::name() const { return implementation_->name; }
std::string const& VendorLibrary::missing() const { return implementation_->missing; }
std::vector<std::string> VendorLibrary::modes(VendorGemm const&) const { return {}; }
std::string VendorLibrary::run(VendorGemm const&, std::string const&) { return implementation_->missing; }

}  // namespace tilestep

#endif
