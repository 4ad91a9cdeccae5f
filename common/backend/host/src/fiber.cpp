// Stacks and switches. Stacks come from the operating system in chunks and are never returned; their tops are
// staggered, because stacks that begin at the same offset of a page compete for the same cache lines.

#include <tilestep/backend/virtual_gpu/fiber.hpp>  // what is implemented here

#include <boost/context/preallocated.hpp>   // a fiber on memory of ours
#include <boost/context/stack_context.hpp>  // the description of that memory
#include <sys/mman.h>                       // mmap, mprotect

#include <memory>  // std::allocator_arg
#include <mutex>   // workers share the pool
#include <new>     // placement new
#include <vector>  // the pool

#if defined(__SANITIZE_ADDRESS__)
#define TS_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TS_ADDRESS_SANITIZER 1
#endif
#endif
#if defined(TS_ADDRESS_SANITIZER)
#include <sanitizer/asan_interface.h>          // __asan_unpoison_memory_region
#include <sanitizer/common_interface_defs.h>   // __sanitizer_start_switch_fiber
#endif

namespace tilestep::virtual_gpu {

namespace {

// AddressSanitizer must know which stack runs. Without it these do nothing.
void before_switch([[maybe_unused]] void** keep, [[maybe_unused]] void const* bottom,
                   [[maybe_unused]] std::size_t size) {
#if defined(TS_ADDRESS_SANITIZER)
  __sanitizer_start_switch_fiber(keep, bottom, size);
#endif
}
void after_switch([[maybe_unused]] void* keep, [[maybe_unused]] void const** bottom,
                  [[maybe_unused]] std::size_t* size) {
#if defined(TS_ADDRESS_SANITIZER)
  __sanitizer_finish_switch_fiber(keep, bottom, size);
#endif
}
void forget_frames([[maybe_unused]] Stack stack) {
#if defined(TS_ADDRESS_SANITIZER)
  __asan_unpoison_memory_region(stack.bottom, stack.size);
#endif
}

constexpr std::size_t page = 4096;
constexpr std::size_t stack_bytes = 256 * 1024;          // address space; pages are taken when they are touched
constexpr std::size_t slot_bytes = stack_bytes + page;   // an odd number of pages spreads stacks over the cache
constexpr std::size_t chunk_slots = 32;
constexpr std::size_t most_guards = 8192;                // the system limits the number of mappings

class StackPool {
 public:
  Stack take() {
    std::lock_guard const lock(mutex_);
    if (free_.empty()) add_chunk();
    Stack const stack = free_.back();
    free_.pop_back();
    return stack;
  }
  void give_back(Stack stack) {
    std::lock_guard const lock(mutex_);
    free_.push_back(stack);
  }

 private:
  void add_chunk() {
    void* const memory = mmap(nullptr, chunk_slots * slot_bytes, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    for (std::size_t slot = chunk_slots; slot-- > 0;) {
      std::byte* const bottom = static_cast<std::byte*>(memory) + slot * slot_bytes;
      if (guards_ < most_guards && mprotect(bottom, page, PROT_NONE) == 0) ++guards_;
      std::size_t const stagger = slot * 2 * 64;
      free_.push_back({bottom + page, stack_bytes - stagger});
    }
  }

  std::mutex mutex_;
  std::vector<Stack> free_;
  std::size_t guards_ = 0;
};

// Never destroyed: workers outlive static objects.
StackPool& pool() {
  static StackPool* const the_pool = new StackPool;
  return *the_pool;
}

// Tells boost that the stack's memory is not its business.
struct KeepStack {
  void deallocate(boost::context::stack_context&) {}
};

}  // namespace

Stack take_stack() { return pool().take(); }

void give_back_stack(Stack stack) {
  forget_frames(stack);
  pool().give_back(stack);
}

Fiber::Fiber(void (*body)(void*), void* argument) : stack_(take_stack()) {
  boost::context::stack_context context;
  context.size = stack_.size;
  context.sp = stack_.bottom + stack_.size;
  auto const start = [this, body, argument](boost::context::fiber&& worker) {
    after_switch(nullptr, &worker_bottom_, &worker_size_);
    worker_ = std::move(worker);
    body(argument);
    return std::move(worker_);
  };
  inside_.fiber = boost::context::fiber(
      std::allocator_arg, boost::context::preallocated(context.sp, context.size, context), KeepStack{}, start);
}

Fiber::~Fiber() { give_back_stack(stack_); }

void Fiber::resume() {
  before_switch(&sanitizer_worker_, stack_.bottom, stack_.size);
  inside_.fiber = std::move(inside_.fiber).resume();
  after_switch(sanitizer_worker_, nullptr, nullptr);
}

void Fiber::suspend() {
  before_switch(&sanitizer_fiber_, worker_bottom_, worker_size_);
  worker_ = std::move(worker_).resume();
  after_switch(sanitizer_fiber_, &worker_bottom_, &worker_size_);
}

}  // namespace tilestep::virtual_gpu
