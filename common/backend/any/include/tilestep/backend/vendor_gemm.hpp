#pragma once
// The GEMM of the vendor's own library, to compare with: cuBLAS or rocBLAS. The library is looked for when a program
// asks for it and not before: every program starts without it, and says so where it would be needed.

#include <tilestep/backend/instruction.hpp>  // DType

#include <cstdint>  // std::int64_t
#include <memory>   // std::unique_ptr
#include <string>   // names
#include <vector>   // modes

namespace tilestep {

/// C = act(alpha A B + beta C + bias) with A (m,k), B (n,k), C (m,n), `batch` times, all on the device. Each matrix is
/// contiguous along one mode; C along n.
struct VendorGemm {
  DType a_b = DType::f32;  ///< tf32: stored as f32
  DType sum = DType::f32;
  DType c_type = DType::f32;
  std::int64_t m = 0, n = 0, k = 0, batch = 1;
  void const* a = nullptr;
  void const* b = nullptr;
  void* c = nullptr;
  bool a_along_k = true;                                   ///< otherwise along m
  bool b_along_k = false;                                  ///< otherwise along n
  std::int64_t lda = 0, ldb = 0, ldc = 0;                  ///< elements from one stored row to the next
  std::int64_t batch_a = 0, batch_b = 0, batch_c = 0;      ///< elements from one matrix to the next
  double alpha = 1, beta = 0;
  void const* bias = nullptr;                              ///< (n) of C's type; null: none
  bool relu = false, gelu = false;                         ///< the tanh form

  [[nodiscard]] bool has_epilogue() const { return bias != nullptr || relu || gelu; }
};

class VendorLibrary {
 public:
  VendorLibrary();
  ~VendorLibrary();
  VendorLibrary(VendorLibrary const&) = delete;
  VendorLibrary& operator=(VendorLibrary const&) = delete;

  /// "cuBLAS 13.0.2"; empty when there is none.
  [[nodiscard]] std::string const& name() const;
  /// A sentence that says what is missing; empty when nothing is.
  [[nodiscard]] std::string const& missing() const;
  /// The ways in which the library can be asked for this product, such as "default" and "pedantic", some of which it
  /// may refuse when they run; none if it does not have the types.
  [[nodiscard]] std::vector<std::string> modes(VendorGemm const& gemm) const;
  /// Launches it.
  /// @return "", or what the library said when it refused.
  std::string run(VendorGemm const& gemm, std::string const& mode);

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace tilestep
