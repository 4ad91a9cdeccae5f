// Grades the exercise: asks the reader's function for every product, then a warp sums numbers while it copies others by
// it, and the virtual GPU says whether each copy was made, and made once.

#include EXERCISE_HEADER

#include <tilestep/backend/launch.hpp>  // launch, DeviceBuffer, take_reports
#include <tilestep/harness/graded.hpp>  // no_hazard
#include <tilestep/tensor.hpp>  // make_tensor

#include <algorithm>  // std::min, std::max
#include <cstdio>  // messages
#include <vector>  // vectors in memory

using namespace tilestep;

namespace {

constexpr int lanes = 32, most = 24;  // copies

/// One warp. Each lane multiplies and adds `products` times, and copies an element of each of `copies` rows between.
struct Loop {
  struct Params {
    float const* from;
    float* to;
    int products, copies;
  };
  struct Shared {
    SharedArray<float, lanes * most> rows;
  };
  static constexpr char const* name = "Loop";
  static constexpr int threads = lanes;

  TS_DEVICE void operator()(Shared& memory, Params const& p) const {
    auto gA = make_tensor(global(p.from), make_shape(Int<lanes>{}, p.copies), Stride<_1, Int<lanes>>{});  // (lane,row)
    auto gC =
        make_tensor(global(p.to), make_shape(Int<lanes>{}, p.copies + 1), Stride<_1, Int<lanes>>{});  // (lane,row)
    auto sA = make_tensor(shared(memory.rows, "rows"), Shape<Int<lanes>, Int<most>>{}, Stride<_1, Int<lanes>>{});
    int const lane = int(thread_index());
    float sum = 0;
    int sent = 0;
    for (int product = 0; product < p.products; ++product) {
      for (int const now = sent_before(product, p.products, p.copies); sent < now; ++sent)
        sA(lane, sent) = gA(lane, sent);
      sum += float(product) * float(lane);
    }
    for (int row = 0; row < p.copies; ++row) gC(lane, row) = sA(lane, row);
    gC(lane, p.copies) = sum;
  }
};

/// 0, or 1 with a sentence.
int check_numbers(int products, int copies) {
  int least = copies, largest = 0;
  for (int product = 0; product < products; ++product) {
    int const sent = sent_before(product, products, copies);
    if (product == 0 ? sent != 0 : product == products - 1 && sent != copies) {
      std::printf("%d products, %d copies: %d were issued before product %d\n", products, copies, sent, product);
      return 1;
    }
    if (product == 0) continue;
    int const gap = sent - sent_before(product - 1, products, copies);
    least = std::min(least, gap), largest = std::max(largest, gap);
  }
  if (least < 0 || largest - least > 1) {
    std::printf("%d products, %d copies: between two products stand %d copies, between two others %d\n", products,
                copies, least, largest);
    return 1;
  }
  return 0;
}

/// 0 right, 1 wrong, 4 hazard.
int check(int products, int copies) {
  if (int const verdict = check_numbers(products, copies); verdict != 0) return verdict;
  std::vector<float> from;
  for (int i = 0; i < lanes * copies; ++i) from.push_back(float(i % 251));
  DeviceBuffer<float> device_from("A", lanes * copies), device_to("C", lanes * (copies + 1));
  device_from.upload(from.data(), lanes * copies);
  launch(Loop{}, 1, Loop::Params{device_from.data(), device_to.data(), products, copies});
  std::vector<float> to(std::size_t(lanes * (copies + 1)));
  device_to.download(to.data(), lanes * (copies + 1));

  if (!no_hazard(take_reports().at(0))) return 4;
  for (int i = 0; i < lanes * (copies + 1); ++i) {
    float const want = i < lanes * copies ? from[std::size_t(i)] : float(products * (products - 1) / 2 * (i % lanes));
    if (!(to[std::size_t(i)] == want)) {
      std::printf("%d products, %d copies: row %d is wrong\n", products, copies, i / lanes);
      return 1;
    }
  }
  return 0;
}

}  // namespace

int main() {
  set_run_options({.target = "sm80", .schedule = {}, .check = true, .workers = 0});
  for (int const products : {2, 3, 8, 16, 32}) {
    for (int copies = 1; copies <= most; ++copies) {
      if (int const verdict = check(products, copies); verdict != 0) return verdict;
    }
  }
  std::puts("right: spread evenly over the products, for every number of copies");
  return 0;
}
