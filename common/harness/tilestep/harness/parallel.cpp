#include "parallel.hpp"

#include <algorithm>  // std::min
#include <atomic>     // the next piece
#include <exception>  // std::exception_ptr
#include <mutex>      // one exception is kept
#include <thread>     // std::thread
#include <vector>     // the threads

namespace tilestep {

void parallel_for(std::int64_t count, std::function<void(std::int64_t)> const& work) {
  std::atomic<std::int64_t> next{0};
  std::exception_ptr thrown;
  std::mutex guard;
  auto const run = [&] {
    try {
      for (std::int64_t i = next++; i < count; i = next++) work(i);
    } catch (...) {
      std::lock_guard const lock(guard);
      if (!thrown) thrown = std::current_exception();
      next = count;
    }
  };
  std::int64_t const threads = std::min<std::int64_t>(count, std::max(1u, std::thread::hardware_concurrency()));
  std::vector<std::thread> others;
  for (std::int64_t i = 1; i < threads; ++i) others.emplace_back(run);
  run();
  for (std::thread& each : others) each.join();
  if (thrown) std::rethrow_exception(thrown);
}

}  // namespace tilestep
