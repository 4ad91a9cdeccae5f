// Arrays of zeros, whose memory is used again.

#include <tilestep/backend/virtual_gpu/zeroed_array.hpp>  // ZeroedArray

#include <catch2/catch_test_macros.hpp>  // TEST_CASE, CHECK

#include <algorithm>  // std::all_of, std::fill
#include <thread>     // std::thread
#include <vector>     // threads

using tilestep::virtual_gpu::ZeroedArray;

namespace {

bool all_zeros(ZeroedArray<int> const& array) {
  return std::all_of(array.data(), array.data() + array.size(), [](int value) { return value == 0; });
}
void fill(ZeroedArray<int> const& array) { std::fill(array.data(), array.data() + array.size(), 1); }

}  // namespace

TEST_CASE("an array begins with zeros, also in memory that another one has used", "[host]") {
  for (std::size_t const size : {std::size_t(1), std::size_t(1000), std::size_t(1) << 20, (std::size_t(2) << 20) + 1}) {
    int const* place = nullptr;
    for (int time = 0; time < 3; ++time) {
      ZeroedArray<int> array(size);
      CHECK(all_zeros(array));
      if (time > 0 && size * sizeof(int) <= std::size_t(8) << 20) CHECK(array.data() == place);  // it is used again
      place = array.data();
      fill(array);
    }
  }
}

TEST_CASE("arrays that are alive have memory of their own, on every thread", "[host]") {
  std::vector<std::thread> threads;
  std::vector<char> right(4, 0);
  for (std::size_t thread = 0; thread < right.size(); ++thread) {
    threads.emplace_back([&, thread] {
      bool fine = true;
      for (int time = 0; time < 200; ++time) {
        ZeroedArray<int> first(500), second(500);
        fine = fine && all_zeros(first) && all_zeros(second) && first.data() != second.data();
        fill(first);
        fine = fine && all_zeros(second);
        fill(second);
      }
      right[thread] = fine;
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(right == std::vector<char>(4, 1));
}
