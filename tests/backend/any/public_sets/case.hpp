#pragma once
// Kernels of other people's labelled sets, written anew in the library's words. A case has the label that its source
// gives it: correct, or the kind of report that its bug deserves. The virtual GPU's test compares labels with what the
// checker says; a GPU runs one case at a time, so that compute-sanitizer can look at it.

#include <tilestep/backend/async.hpp>    // async_copy
#include <tilestep/backend/kernel.hpp>   // thread_index, sync_threads, shuffle_up
#include <tilestep/backend/launch.hpp>   // NoShared, launch
#include <tilestep/backend/pointer.hpp>  // global, shared, load, store
#include <tilestep/backend/runtime.hpp>  // DeviceBuffer

#include <cstdint>     // std::int64_t
#include <functional>  // std::function
#include <string>      // names
#include <utility>     // std::move
#include <vector>      // std::vector

namespace public_sets {

using namespace tilestep;

/// What a source says of a kernel.
struct Label {
  std::string name;      ///< of the case
  std::string source;    ///< file, or test in a file, of the set's repository
  std::string expected;  ///< kinds of hazards, "race|out of bounds": one of these and no other. Empty: it is correct
  std::string target{};  ///< empty: any
  /// The source's rule that CUDA and HIP do not have, by which it calls the kernel correct: "lockstep" of a warp, or
  /// "two writes" of one element that nothing orders. Such a kernel is out of scope, and must be reported as a race.
  std::string rule{};
};

struct Case {
  std::string set;
  Label label;
  std::function<bool()> run;  ///< launches it on fresh memory; false: what a correct kernel leaves is wrong
};

using Values = std::vector<int>;
/// What `out` should hold. Empty: it is not compared.
using Reference = std::function<Values(Values const& in, Values const& out)>;

struct Ints {
  int const* in;
  int* out;
  int count;  ///< of `in`
};

/// in[i]: small, asymmetric.
inline Values ints(int count) {
  Values values(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) values[std::size_t(i)] = int((unsigned(i) * 2654435761u) >> 20) % 97 - 31;
  return values;
}

/// A case that reads `in` ints and writes `out` ints, which hold values at first, or nothing where `fresh`.
template <class Kernel>
Case on_ints(std::string set, Label label, std::int64_t blocks, int in, int out, Reference reference = {},
             bool fresh = false) {
  return {std::move(set), std::move(label), [=] {
            Values const given = ints(in);
            Values held = ints(out);
            DeviceBuffer<int> device_in("in", in), device_out("out", out);
            device_in.upload(given.data(), in);
            if (!fresh) device_out.upload(held.data(), out);
            launch(Kernel{}, blocks, Ints{device_in.data(), device_out.data(), in});
            synchronize();
            if (!reference) return true;
            Values const wanted = reference(given, held);
            device_out.download(held.data(), out);
            return held == wanted;
          }};
}

std::vector<Case> gpuverify_cases();
std::vector<Case> gpuverify_benchmarks();
std::vector<Case> indigo3_cases();
std::vector<Case> rocjitsu_cases();
std::vector<Case> cutracer_cases();
std::vector<Case> mlc_cases();

}  // namespace public_sets
