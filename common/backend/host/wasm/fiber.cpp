// Fibers in WebAssembly. Asyncify, a pass of binaryen's wasm-opt, has taught the functions that may wait to leave: at
// start_unwind they write their variables to memory and return, one after the other; at start_rewind the outermost is
// called again, and each goes on where it was. So a switch is a return to the worker, and a call.

#include <tilestep/backend/virtual_gpu/fiber.hpp>  // what is implemented here

#include <cstdint>  // std::uint32_t
#include <cstdio>   // std::fputs
#include <cstdlib>  // std::aligned_alloc, std::exit
#include <cstring>  // std::memcpy
#include <vector>   // the pool

extern "C" {
// What asyncify puts in the place of these.
[[clang::import_module("asyncify"), clang::import_name("start_unwind")]] void asyncify_start_unwind(void*);
[[clang::import_module("asyncify"), clang::import_name("stop_unwind")]] void asyncify_stop_unwind();
[[clang::import_module("asyncify"), clang::import_name("start_rewind")]] void asyncify_start_rewind(void*);
[[clang::import_module("asyncify"), clang::import_name("stop_rewind")]] void asyncify_stop_rewind();
}

namespace tilestep::virtual_gpu {

namespace {

// A page below each stack cannot be forbidden here: a number at its end says whether a kernel went too far.
constexpr std::uint32_t canary = 0x5afe57ac;
constexpr std::size_t frames_bytes = 4096;               // of variables
constexpr std::size_t stack_bytes = 32 * 1024;
constexpr std::size_t slot_bytes = sizeof(canary) + 12 + frames_bytes + stack_bytes;

std::vector<Stack>& pool() {
  static std::vector<Stack>* const the_pool = new std::vector<Stack>;
  return *the_pool;
}

std::byte* stack_pointer() {
  std::byte* value;
  asm volatile(".globaltype __stack_pointer, i32\n\tglobal.get __stack_pointer\n\tlocal.set %0" : "=r"(value));
  return value;
}
void set_stack_pointer(std::byte* value) {
  asm volatile(".globaltype __stack_pointer, i32\n\tlocal.get %0\n\tglobal.set __stack_pointer" : : "r"(value));
}

void check_canary(Stack const& stack) {
  std::uint32_t found = 0;
  std::memcpy(&found, stack.bottom + frames_bytes, sizeof(found));
  if (found == canary) return;
  std::fputs("a thread of this kernel needs a larger stack than the virtual GPU has in a page\n", stderr);
  std::exit(3);
}

}  // namespace

// From the bottom: asyncify's frames, the canary, the stack that grows down to it.
Stack take_stack() {
  if (pool().empty()) {
    auto* const memory = static_cast<std::byte*>(std::aligned_alloc(16, slot_bytes));
    if (memory == nullptr) std::abort();
    pool().push_back({memory, slot_bytes});
  }
  Stack const stack = pool().back();
  pool().pop_back();
  std::memcpy(stack.bottom + frames_bytes, &canary, sizeof(canary));
  return stack;
}

void give_back_stack(Stack stack) { pool().push_back(stack); }

Fiber::Fiber(void (*body)(void*), void* argument)
    : stack_(take_stack()), body_(body), argument_(argument), top_(stack_.bottom + stack_.size) {}

Fiber::~Fiber() { give_back_stack(stack_); }

[[gnu::noinline]] void Fiber::resume() {
  worker_top_ = stack_pointer();
  set_stack_pointer(top_);
  if (began_) {
    goes_on_ = true;
    asyncify_start_rewind(&frames_);
  }
  began_ = true;
  body_(argument_);  // comes back when it suspends
  asyncify_stop_unwind();
  set_stack_pointer(worker_top_);
  check_canary(stack_);
}

[[gnu::noinline]] void Fiber::suspend() {
  if (goes_on_) {  // called again by the rewind
    asyncify_stop_rewind();
    goes_on_ = false;
    return;
  }
  top_ = stack_pointer();
  frames_ = {stack_.bottom, stack_.bottom + frames_bytes};
  asyncify_start_unwind(&frames_);
}

}  // namespace tilestep::virtual_gpu
