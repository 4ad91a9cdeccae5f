// ldmatrix: the lanes share out the rows that they have read. stmatrix: the rows that they will write.

#include <tilestep/backend/ldmatrix.hpp>             // what is implemented here
#include <tilestep/backend/stmatrix.hpp>             // what is implemented here
#include <tilestep/backend/virtual_gpu/worker.hpp>   // Worker

#include <algorithm>  // std::fill_n

namespace tilestep::virtual_gpu {

namespace {

template <int Matrices, bool Transposed>
void run(Worker& worker, Lanes const& lanes) {
  Collective const& self = ldmatrix_collective<Matrices, Transposed>();
  bool const here = worker.target().ldmatrix;
  if (!here || lanes.count < 32) {
    if (here) {
      worker.report_collective("divergent barrier", self,
                               ", but the block's last warp has only " + std::to_string(lanes.count) +
                                   " lanes: make the number of threads a multiple of 32");
    } else {
      worker.report_collective("broken requirement", self,
                               ", which " + std::string(worker.target().name) +
                                   " does not have: copy the fragment with UniversalCopy");
    }
    for (int lane = 0; lane < lanes.count; ++lane) {
      std::fill_n(lanes.of<MatrixRow>(lane).registers, Matrices, ~std::uint32_t(0));
    }
    return;
  }
  // Element (row, column) of a matrix is in the row that lane 8 * matrix + row brought.
  auto const element = [&](int matrix, int row, int column) -> std::uint32_t {
    return lanes.of<MatrixRow>(8 * matrix + row).elements[column];
  };
  for (int lane = 0; lane < 32; ++lane) {
    int const i = lane / 4, j = 2 * (lane % 4);
    for (int matrix = 0; matrix < Matrices; ++matrix) {
      std::uint32_t const low = Transposed ? element(matrix, j, i) : element(matrix, i, j);
      std::uint32_t const high = Transposed ? element(matrix, j + 1, i) : element(matrix, i, j + 1);
      lanes.of<MatrixRow>(lane).registers[matrix] = low | high << 16;
    }
  }
}

}  // namespace

template <>
Collective const& ldmatrix_collective<1, false>() {
  static constexpr Collective collective{"ldmatrix.sync.aligned.m8n8.x1.shared.b16", run<1, false>};
  return collective;
}
template <>
Collective const& ldmatrix_collective<2, false>() {
  static constexpr Collective collective{"ldmatrix.sync.aligned.m8n8.x2.shared.b16", run<2, false>};
  return collective;
}
template <>
Collective const& ldmatrix_collective<4, false>() {
  static constexpr Collective collective{"ldmatrix.sync.aligned.m8n8.x4.shared.b16", run<4, false>};
  return collective;
}
template <>
Collective const& ldmatrix_collective<1, true>() {
  static constexpr Collective collective{"ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16", run<1, true>};
  return collective;
}
template <>
Collective const& ldmatrix_collective<2, true>() {
  static constexpr Collective collective{"ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16", run<2, true>};
  return collective;
}
template <>
Collective const& ldmatrix_collective<4, true>() {
  static constexpr Collective collective{"ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16", run<4, true>};
  return collective;
}

// ---- stmatrix: the other way, before the rows are written ----

namespace {

template <int Matrices, bool Transposed>
void run_store(Worker& worker, Lanes const& lanes) {
  Collective const& self = stmatrix_collective<Matrices, Transposed>();
  bool const here = worker.target().stmatrix;
  if (!here || lanes.count < 32) {
    worker.report_collective(
        here ? Kind("divergent barrier") : Kind("broken requirement"), self,
        here ? ", but the block's last warp has only " + std::to_string(lanes.count) +
                   " lanes: make the number of threads a multiple of 32"
             : ", which " + std::string(worker.target().name) + " does not have: copy the fragment with UniversalCopy");
    return;
  }
  for (int lane = 0; lane < 32; ++lane) {
    int const i = lane / 4, j = 2 * (lane % 4);
    for (int matrix = 0; matrix < Matrices; ++matrix) {
      std::uint32_t const pair = lanes.of<MatrixRow>(lane).registers[matrix];
      auto const put = [&](int row, int column, std::uint32_t bits) {
        lanes.of<MatrixRow>(8 * matrix + row).elements[column] = std::uint16_t(bits);
      };
      put(Transposed ? j : i, Transposed ? i : j, pair & 0xFFFF);
      put(Transposed ? j + 1 : i, Transposed ? i : j + 1, pair >> 16);
    }
  }
}

}  // namespace

template <>
Collective const& stmatrix_collective<1, false>() {
  static constexpr Collective collective{"stmatrix.sync.aligned.m8n8.x1.shared.b16", run_store<1, false>};
  return collective;
}
template <>
Collective const& stmatrix_collective<2, false>() {
  static constexpr Collective collective{"stmatrix.sync.aligned.m8n8.x2.shared.b16", run_store<2, false>};
  return collective;
}
template <>
Collective const& stmatrix_collective<4, false>() {
  static constexpr Collective collective{"stmatrix.sync.aligned.m8n8.x4.shared.b16", run_store<4, false>};
  return collective;
}
template <>
Collective const& stmatrix_collective<1, true>() {
  static constexpr Collective collective{"stmatrix.sync.aligned.m8n8.x1.trans.shared.b16", run_store<1, true>};
  return collective;
}
template <>
Collective const& stmatrix_collective<2, true>() {
  static constexpr Collective collective{"stmatrix.sync.aligned.m8n8.x2.trans.shared.b16", run_store<2, true>};
  return collective;
}
template <>
Collective const& stmatrix_collective<4, true>() {
  static constexpr Collective collective{"stmatrix.sync.aligned.m8n8.x4.trans.shared.b16", run_store<4, true>};
  return collective;
}

}  // namespace tilestep::virtual_gpu
