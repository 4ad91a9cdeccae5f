#pragma once
// A fiber: a stack of its own on which GPU threads run, one at a time. A thread that waits keeps its fiber and another
// fiber runs the next thread; a thread that ends without waiting leaves its fiber to the next one, so kernels without
// barriers never switch.

#include <tilestep/backend/virtual_gpu/call_path.hpp>  // Frame

#if !defined(__wasm__)
#include <boost/context/fiber.hpp>  // switching stacks in about ten nanoseconds
#endif

#include <cstddef>  // std::size_t
#include <utility>  // std::move

namespace tilestep::virtual_gpu {

/// Memory for one fiber's stack, kept for the life of the process.
struct Stack {
  std::byte* bottom = nullptr;
  std::size_t size = 0;
};

/// A stack from the process-wide pool.
Stack take_stack();
void give_back_stack(Stack stack);

class Fiber {
 public:
  /// Runs `body(argument)` at the first resume(). The body never returns: it suspends for good.
  Fiber(void (*body)(void*), void* argument);
  /// A suspended fiber's stack is dropped as it is: nothing on it is unwound.
  ~Fiber();
  Fiber(Fiber const&) = delete;

  /// Called by the worker: runs the fiber until it suspends.
  void resume();
  /// Called on the fiber: goes back to the worker.
  void suspend();

  /// The frame of the function that starts threads on this stack: above it are the kernel's.
  Frame const* threads_frame = nullptr;

 private:
#if defined(__wasm__)
  // WebAssembly has one stack that a program can see and one that it cannot. The first is switched like any other; what
  // is on the second binaryen's asyncify writes to memory (wasm/fiber.cpp).
  struct Frames {
    std::byte* next;
    std::byte* end;
  };

  Stack stack_;
  void (*body_)(void*);
  void* argument_;
  std::byte* top_;    // of the stack, where the fiber goes on
  Frames frames_{};   // as asyncify lays it out
  bool began_ = false, goes_on_ = false;
  std::byte* worker_top_ = nullptr;
#else
  // boost's destructor would unwind a suspended stack by throwing on it; the union keeps that destructor from running.
  union Suspended {
    boost::context::fiber fiber;
    Suspended() : fiber() {}
    ~Suspended() {}
  };

  Stack stack_;
  Suspended inside_;              // where the fiber goes on
  boost::context::fiber worker_;  // where the worker goes on, while the fiber runs
  void* sanitizer_fiber_ = nullptr;   // what AddressSanitizer keeps for a stack that is left
  void* sanitizer_worker_ = nullptr;
  void const* worker_bottom_ = nullptr;
  std::size_t worker_size_ = 0;
#endif
};

}  // namespace tilestep::virtual_gpu
