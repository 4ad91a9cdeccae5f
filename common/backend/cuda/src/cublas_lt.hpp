#pragma once
// cuBLASLt: the same products as cuBLAS, but the choice among kernels is the caller's. Its heuristic's first choices
// are timed like cuBLAS's own modes, because a user who cares would try them.

#include <tilestep/backend/vendor_gemm.hpp>  // VendorGemm

#include <cublas_v2.h>  // types of cuBLAS

#include <memory>  // std::unique_ptr
#include <string>  // sentences

namespace tilestep {

class CublasLt {
 public:
  /// @param folder  where libcublasLt is, ending in /; empty: where the loader looks
  explicit CublasLt(std::string const& folder);
  ~CublasLt();
  CublasLt(CublasLt const&) = delete;
  CublasLt& operator=(CublasLt const&) = delete;

  /// The number of choices that are offered for any product; there may be fewer for this one.
  static constexpr int choices = 8;

  /// Launches the heuristic's choice number `choice`, from 0, for this product.
  /// @param alpha, beta  numbers of type `scale`, on the host
  /// @return "", or why it cannot.
  std::string run(VendorGemm const& gemm, cudaDataType_t operand, cudaDataType_t result, cudaDataType_t scale,
                  cublasComputeType_t compute, void const* alpha, void const* beta, int choice);

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace tilestep
