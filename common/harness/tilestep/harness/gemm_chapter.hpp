#pragma once
// The program around a chapter's GEMM: a chapter says what it supports and launches its kernel on device pointers;
// everything else (command line, files, generated problems, poison, reference, hazards, record) is here, once.

#include <tilestep/block/activation.hpp>  // Activation
#include <tilestep/harness/figure.hpp>    // Figure
#include <tilestep/harness/types.hpp>     // DType, Strides

#include <cstdint>     // std::int64_t
#include <functional>  // the chapter's launch
#include <string>      // names
#include <vector>      // what is supported

namespace tilestep {

/// What a GEMM does with its sums beside scaling them: C = act(alpha A B^T + beta C + bias) + residual, all in the type
/// of alpha, rounded once.
struct GemmEpilogue {
  Activation activation = Activation::none;
  bool has_bias = false;           ///< known before the pointers are
  bool has_residual = false;
  void const* bias = nullptr;      ///< (n), the same for all batches; of type f32, or i32 or f64 where sums are
  void const* residual = nullptr;  ///< (m,n,batch), of C's type
  Strides stride_residual;         ///< row: m, col: n

  [[nodiscard]] bool any() const { return has_bias || has_residual || activation != Activation::none; }
};

/// One GEMM to launch: C = alpha A B^T + beta C with A (m,k,batch), B (n,k,batch), C (m,n,batch), all on the device.
struct GemmCall {
  std::string kernel;  ///< one of the chapter's kernels
  DType dtype = DType::f32;
  DType acc = DType::f32;
  DType out = DType::f32;
  void const* a = nullptr;
  void const* b = nullptr;
  void* c = nullptr;
  std::int64_t m = 0;
  std::int64_t n = 0;
  std::int64_t k = 0;
  std::int64_t batch = 1;
  Strides stride_a;    ///< row: m, col: k
  Strides stride_b;    ///< row: n, col: k
  Strides stride_c;    ///< row: m, col: n
  double alpha = 1;    ///< exactly a number of type acc
  double beta = 0;     ///< exactly a number of type acc; 0 never reads C
  GemmEpilogue epilogue = {};
  std::string target;  ///< name of the target that runs it
  int units = 0;       ///< compute units that the schedule counts on; 0: those of the target's machine
  bool to_workspace = false;  ///< C is one: what lies between its rows belongs to it, too
};

/// A combination of types that a chapter has kernels for.
struct GemmTypes {
  DType dtype = DType::f32;
  DType acc = DType::f32;
  DType out = DType::f32;
  std::vector<std::string> targets = {};  ///< empty: every target
  bool truncating = false;                ///< on matrix instructions that truncate: the bound uses twice the roundoff
  /// that --list shows; empty: the chapter's. The chapter refuses the others itself
  std::vector<std::string> layouts = {};
};

/// What a GEMM chapter says about itself.
struct GemmChapter {
  std::string name = {};              ///< the folder's name, such as 04_fma_gemm
  std::string adds = {};              ///< one line for --help
  std::vector<GemmTypes> types = {};  ///< the first is the default
  std::vector<std::string> layouts = {"nn", "nt", "tn", "tt"};
  std::vector<std::string> kernels = {};  ///< more than one adds --kernel; the last is the default
  std::int64_t m = 129;                   ///< the problem when no size is given
  std::int64_t n = 65;
  std::int64_t k = 67;
  bool epilogues = false;  ///< adds --bias --activation --residual --ldr
  bool schedules = false;  ///< has kernels whose blocks may take several tiles: adds --units
  std::function<void(GemmCall const&)> run = {};  ///< launches the kernel
  /// Says "", or the sentence of a refusal that names the chapter without this limit.
  std::function<std::string(GemmCall const&)> refuses = {};
  /// Says "", or a sentence about how the problem is computed on its target: printed, and kept in the record.
  std::function<std::string(GemmCall const&)> note = {};
  std::function<std::vector<Figure>()> figures = {};  ///< adds --svg
};

/// The whole program.
/// @return the exit code: 0 right, 1 wrong, 2 bad input, 3 not here, 4 hazard.
int gemm_main(int argc, char** argv, GemmChapter const& chapter);

}  // namespace tilestep
