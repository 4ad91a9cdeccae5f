#if __has_include(<cublasLt.h>)

#include "cublas_lt.hpp"

#include <tilestep/backend/runtime.hpp>  // device_alloc

#include <cublasLt.h>
#include <dlfcn.h>  // dlopen

#include <array>    // choices
#include <cstdint>  // attributes
#include <tuple>    // what a plan is for

namespace tilestep {

namespace {

constexpr std::int64_t workspace_bytes = 32 << 20;

// What the heuristic was asked: everything but the pointers.
auto question(VendorGemm const& g, cublasComputeType_t compute) {
  return std::make_tuple(g.a_b, g.c_type, compute, g.m, g.n, g.k, g.batch, g.a_along_k, g.b_along_k, g.lda, g.ldb,
                         g.ldc, g.batch_a, g.batch_b, g.batch_c, g.bias != nullptr, g.relu, g.gelu);
}

}  // namespace

struct CublasLt::Implementation {
  std::string missing;
  void* library = nullptr;
  void* workspace = nullptr;
  cublasLtHandle_t handle = nullptr;
  decltype(&cublasLtCreate) create = nullptr;
  decltype(&cublasLtDestroy) destroy = nullptr;
  decltype(&cublasLtGetStatusString) status_string = nullptr;
  decltype(&cublasLtMatmulDescCreate) desc_create = nullptr;
  decltype(&cublasLtMatmulDescDestroy) desc_destroy = nullptr;
  decltype(&cublasLtMatmulDescSetAttribute) desc_set = nullptr;
  decltype(&cublasLtMatrixLayoutCreate) layout_create = nullptr;
  decltype(&cublasLtMatrixLayoutDestroy) layout_destroy = nullptr;
  decltype(&cublasLtMatrixLayoutSetAttribute) layout_set = nullptr;
  decltype(&cublasLtMatmulPreferenceCreate) preference_create = nullptr;
  decltype(&cublasLtMatmulPreferenceDestroy) preference_destroy = nullptr;
  decltype(&cublasLtMatmulPreferenceSetAttribute) preference_set = nullptr;
  decltype(&cublasLtMatmulAlgoGetHeuristic) get_heuristic = nullptr;
  decltype(&cublasLtMatmul) matmul = nullptr;

  // The answer to the last question.
  decltype(question({}, {})) asked{};
  bool planned = false;
  std::string refusal;
  cublasLtMatmulDesc_t desc = nullptr;
  std::array<cublasLtMatrixLayout_t, 3> layouts{};  // first operand, second operand, result
  std::array<cublasLtMatmulHeuristicResult_t, choices> found{};
  int count = 0;

  template <class Function>
  void find(Function& function, char const* symbol) {
    function = reinterpret_cast<Function>(dlsym(library, symbol));
    if (function == nullptr) missing = std::string("cuBLASLt has no ") + symbol;
  }

  // Keeps the first refusal.
  void note(cublasStatus_t status) {
    if (status != CUBLAS_STATUS_SUCCESS && refusal.empty()) refusal = status_string(status);
  }

  void forget_plan() {
    if (desc != nullptr) (void)desc_destroy(desc);
    for (cublasLtMatrixLayout_t& each : layouts) {
      if (each != nullptr) (void)layout_destroy(each);
      each = nullptr;
    }
    desc = nullptr;
    count = 0;
    refusal.clear();
  }

  void make_layout(cublasLtMatrixLayout_t& layout, cudaDataType_t type, std::int64_t rows, std::int64_t columns,
                   std::int64_t leading, std::int64_t batch, std::int64_t stride) {
    note(layout_create(&layout, type, std::uint64_t(rows), std::uint64_t(columns), leading));
    if (layout == nullptr || batch == 1) return;
    auto const number = std::int32_t(batch);
    note(layout_set(layout, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &number, sizeof(number)));
    note(layout_set(layout, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &stride, sizeof(stride)));
  }

  // One number for each row of the library's result, which is a column of ours.
  void set_bias(VendorGemm const& g) {
    if (g.bias != nullptr) note(desc_set(desc, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &g.bias, sizeof(g.bias)));
  }

  // Row-major matrices are transposes to the library, so C^T = B A^T of ours is what it is asked for.
  void plan(VendorGemm const& g, cudaDataType_t operand, cudaDataType_t result, cudaDataType_t scale,
            cublasComputeType_t compute) {
    forget_plan();
    note(desc_create(&desc, compute, scale));
    cublasOperation_t const first = g.b_along_k ? CUBLAS_OP_T : CUBLAS_OP_N;   // (n,k)
    cublasOperation_t const second = g.a_along_k ? CUBLAS_OP_N : CUBLAS_OP_T;  // (k,m)
    if (desc == nullptr) return;
    note(desc_set(desc, CUBLASLT_MATMUL_DESC_TRANSA, &first, sizeof(first)));
    note(desc_set(desc, CUBLASLT_MATMUL_DESC_TRANSB, &second, sizeof(second)));
    make_layout(layouts[0], operand, g.b_along_k ? g.k : g.n, g.b_along_k ? g.n : g.k, g.ldb, g.batch, g.batch_b);
    make_layout(layouts[1], operand, g.a_along_k ? g.k : g.m, g.a_along_k ? g.m : g.k, g.lda, g.batch, g.batch_a);
    make_layout(layouts[2], result, g.n, g.m, g.ldc, g.batch, g.batch_c);
    if (g.has_epilogue()) {
      cublasLtEpilogue_t const plain = g.relu   ? CUBLASLT_EPILOGUE_RELU
                                       : g.gelu ? CUBLASLT_EPILOGUE_GELU
                                                : CUBLASLT_EPILOGUE_DEFAULT;
      cublasLtEpilogue_t const biased = g.relu   ? CUBLASLT_EPILOGUE_RELU_BIAS
                                        : g.gelu ? CUBLASLT_EPILOGUE_GELU_BIAS
                                                 : CUBLASLT_EPILOGUE_BIAS;
      cublasLtEpilogue_t const epilogue = g.bias != nullptr ? biased : plain;
      note(desc_set(desc, CUBLASLT_MATMUL_DESC_EPILOGUE, &epilogue, sizeof(epilogue)));
      set_bias(g);
    }
    cublasLtMatmulPreference_t preference = nullptr;
    note(preference_create(&preference));
    if (preference == nullptr) return;
    auto const bytes = std::uint64_t(workspace_bytes);
    note(preference_set(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &bytes, sizeof(bytes)));
    if (refusal.empty()) {
      note(get_heuristic(handle, desc, layouts[0], layouts[1], layouts[2], layouts[2], preference, choices,
                         found.data(), &count));
    }
    (void)preference_destroy(preference);
  }
};

CublasLt::CublasLt(std::string const& folder) : implementation_(std::make_unique<Implementation>()) {
  Implementation& self = *implementation_;
  self.library = dlopen((folder + "libcublasLt.so." + std::to_string(CUBLAS_VER_MAJOR)).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (self.library == nullptr) {
    self.missing = "libcublasLt was not found";
    return;
  }
  self.find(self.create, "cublasLtCreate");
  self.find(self.destroy, "cublasLtDestroy");
  self.find(self.status_string, "cublasLtGetStatusString");
  self.find(self.desc_create, "cublasLtMatmulDescCreate");
  self.find(self.desc_destroy, "cublasLtMatmulDescDestroy");
  self.find(self.desc_set, "cublasLtMatmulDescSetAttribute");
  self.find(self.layout_create, "cublasLtMatrixLayoutCreate");
  self.find(self.layout_destroy, "cublasLtMatrixLayoutDestroy");
  self.find(self.layout_set, "cublasLtMatrixLayoutSetAttribute");
  self.find(self.preference_create, "cublasLtMatmulPreferenceCreate");
  self.find(self.preference_destroy, "cublasLtMatmulPreferenceDestroy");
  self.find(self.preference_set, "cublasLtMatmulPreferenceSetAttribute");
  self.find(self.get_heuristic, "cublasLtMatmulAlgoGetHeuristic");
  self.find(self.matmul, "cublasLtMatmul");
  if (!self.missing.empty()) return;
  if (cublasStatus_t const status = self.create(&self.handle); status != CUBLAS_STATUS_SUCCESS) {
    self.missing = std::string("cublasLtCreate says ") + self.status_string(status);
    return;
  }
  self.workspace = device_alloc("cuBLASLt's workspace", workspace_bytes, 1);
}

CublasLt::~CublasLt() {
  Implementation& self = *implementation_;
  if (self.handle == nullptr) return;
  self.forget_plan();
  (void)self.destroy(self.handle);
  device_free(self.workspace);
}

std::string CublasLt::run(VendorGemm const& gemm, cudaDataType_t operand, cudaDataType_t result, cudaDataType_t scale,
                          cublasComputeType_t compute, void const* alpha, void const* beta, int choice) {
  Implementation& self = *implementation_;
  if (!self.missing.empty()) return self.missing;
  if (!self.planned || self.asked != question(gemm, compute)) {
    self.plan(gemm, operand, result, scale, compute);
    self.asked = question(gemm, compute);
    self.planned = true;
  }
  if (!self.refusal.empty()) return self.refusal;
  if (choice >= self.count) return "the heuristic has " + std::to_string(self.count) + " choices";
  self.set_bias(gemm);
  cublasLtMatmulHeuristicResult_t const& chosen = self.found[std::size_t(choice)];
  if (chosen.state != CUBLAS_STATUS_SUCCESS) return self.status_string(chosen.state);
  cublasStatus_t const status = self.matmul(self.handle, self.desc, alpha, gemm.b, self.layouts[0], gemm.a,
                                            self.layouts[1], beta, gemm.c, self.layouts[2], gemm.c, self.layouts[2],
                                            &chosen.algo, self.workspace, std::size_t(workspace_bytes), nullptr);
  return status == CUBLAS_STATUS_SUCCESS ? "" : self.status_string(status);
}

}  // namespace tilestep

#endif
