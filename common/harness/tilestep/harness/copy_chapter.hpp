#pragma once
// The program around a chapter's copy kernel: a matrix in, a matrix out, compared element by element. The result is a
// window of the source, possibly transposed; where the window leaves the source, the result has the padding value.

#include <tilestep/harness/figure.hpp>  // Figure
#include <tilestep/harness/types.hpp>   // DType, Strides, Extent2

#include <cstdint>     // std::int64_t
#include <functional>  // the chapter's launch
#include <string>      // names
#include <vector>      // what is supported

namespace tilestep {

/// One copy to launch: result(i,j) = source(row0 + i, col0 + j), or source(row0 + j, col0 + i) when `transpose`.
struct CopyCall {
  std::string kernel;  ///< one of the chapter's kernels
  DType dtype = DType::f32;
  void const* in = nullptr;
  void* out = nullptr;
  std::int64_t rows = 0;  ///< of the source
  std::int64_t cols = 0;
  std::int64_t out_rows = 0;  ///< of the result: the window
  std::int64_t out_cols = 0;
  Strides stride_in;   ///< row, col; batch is 0
  Strides stride_out;  ///< row, col; batch is 0
  std::int64_t row0 = 0;
  std::int64_t col0 = 0;
  bool transpose = false;
  bool in_bounds = false;  ///< the caller promises that the window lies inside the source
  double pad_value = 0;
  Extent2 tile;        ///< one of the chapter's tiles
  std::string target;  ///< name of the target that runs it
};

/// What a copying chapter says about itself.
struct CopyChapter {
  std::string name = {};                    ///< the folder's name, such as 03_copy_if
  std::string adds = {};                    ///< one line for --help
  std::vector<DType> types = {DType::f32};  ///< the first is the default; an input file chooses
  std::vector<Extent2> tiles = {};          ///< adds --tile; the first is the default
  bool windows = false;                     ///< adds --row0 --col0 --window --in-bounds --pad-value
  std::vector<std::string> kernels = {};    ///< more than one adds --kernel; the last is the default
  std::int64_t rows = 13;                   ///< the problem when no size is given
  std::int64_t cols = 21;
  std::function<void(CopyCall const&)> run = {};  ///< launches the kernel
  /// Says "", or the sentence of a refusal that names the chapter without this limit.
  std::function<std::string(CopyCall const&)> refuses = {};
  std::function<std::vector<Figure>()> figures = {};  ///< adds --svg
};

/// The whole program.
/// @return the exit code: 0 right, 1 wrong, 2 bad input, 3 not here, 4 hazard.
int copy_main(int argc, char** argv, CopyChapter const& chapter);

}  // namespace tilestep
