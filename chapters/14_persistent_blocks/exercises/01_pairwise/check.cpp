// Grades the exercise: a block adds up to 16 slices of 32 elements with the reader's function, for every number of
// slices. The sums must be those of the order that the exercise says, bit for bit.

#include EXERCISE_HEADER

#include <tilestep/backend/launch.hpp>  // launch, DeviceBuffer, take_reports
#include <tilestep/harness/graded.hpp>  // no_hazard
#include <tilestep/tensor.hpp>          // make_tensor

#include <cstdio>  // messages
#include <vector>  // slices

using namespace tilestep;

namespace {

constexpr int elements = 32, most = 16;

/// One block: a thread for each element of each slice.
struct AddPairwise {
  struct Params {
    float const* slices;
    float* sums;
    int count;
  };
  struct Shared {
    SharedArray<float, elements * most> sums;
  };
  static constexpr char const* name = "AddPairwise";
  static constexpr int threads = elements * most;

  TS_DEVICE void operator()(Shared& memory, Params const& p) const {
    int const element = int(thread_index()) % elements, slice = int(thread_index()) / elements;
    auto gS = make_tensor(global(p.slices), make_shape(Int<elements>{}, p.count), make_stride(_1{}, Int<elements>{}));
    auto sS = make_tensor(shared(memory.sums, "sums"), Shape<Int<elements>, Int<most>>{}, Stride<_1, Int<elements>>{});
    auto gC = make_tensor(global(p.sums), Shape<Int<elements>>{}, Stride<_1>{});
    if (slice < p.count) sS(element, slice) = gS(element, slice);
    sync_threads();  // all threads wrote their element before any adds
    add_pairwise(sS, element, slice, p.count);
    if (slice == 0) gC(element) = sS(element, 0);
  }
};

/// A large number in slice 0 of some elements: adding one after the other would lose what the others have.
float value_of(int element, int slice) {
  return slice == 0 && element % 2 == 1 ? 16777216.0f : float((element * 7 + slice * 5) % 13 + 1);
}

/// What the exercise says.
float wanted(int element, int slices) {
  std::vector<float> sums;
  for (int slice = 0; slice < slices; ++slice) sums.push_back(value_of(element, slice));
  while (sums.size() > 1) {
    std::size_t const half = (sums.size() + 1) / 2;
    for (std::size_t slice = half; slice < sums.size(); ++slice) sums[slice - half] += sums[slice];
    sums.resize(half);
  }
  return sums[0];
}

/// 0 right, 1 wrong, 4 hazard.
int check(int slices) {
  std::vector<float> values;
  for (int slice = 0; slice < slices; ++slice) {
    for (int element = 0; element < elements; ++element) values.push_back(value_of(element, slice));
  }
  DeviceBuffer<float> device_slices("slices", slices * elements), device_sums("sums", elements);
  device_slices.upload(values.data(), slices * elements);
  launch(AddPairwise{}, 1, AddPairwise::Params{device_slices.data(), device_sums.data(), slices});
  std::vector<float> sums(elements);
  device_sums.download(sums.data(), elements);

  if (!no_hazard(take_reports().at(0))) return 4;
  for (int element = 0; element < elements; ++element) {
    float const got = sums[std::size_t(element)], want = wanted(element, slices);
    if (!(got == want)) {
      std::printf("%d slices: the sum of element %d is %.9g and should be %.9g\n", slices, element, double(got),
                  double(want));
      return 1;
    }
  }
  return 0;
}

}  // namespace

int main() {
  set_run_options({.target = "sm80", .schedule = {}, .check = true, .workers = 0});
  for (int slices = 1; slices <= most; ++slices) {
    if (int const verdict = check(slices); verdict != 0) return verdict;
  }
  std::puts("right: in pairs, for every number of slices, with equal bits");
  return 0;
}
