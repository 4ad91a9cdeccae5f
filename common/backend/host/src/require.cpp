// require() on the virtual GPU: an error outside of kernels; in a kernel a hazard, and the thread goes no further.

#include <tilestep/backend/require.hpp>             // what is implemented here
#include <tilestep/backend/virtual_gpu/worker.hpp>  // Worker

#include <string>  // the message

namespace tilestep {

[[gnu::noinline]] void virtual_gpu::Worker::abandon_thread(char const* sentence) {
  forget_call_site();
  Instruction const& call = instruction(__builtin_frame_address(0));
  hazards.add({"broken requirement", reinterpret_cast<std::uintptr_t>(sentence), {&call}}, turn_, [&] {
    std::string const line = line_of(&call);
    return who(block, thread) + " stops" + (line.empty() ? "" : " at " + line) + ": " + sentence;
  });
  stop_here(State::abandoned);  // its stack is dropped with the block's
}

void detail::broken_requirement(char const* sentence) {
  if (virtual_gpu::current == nullptr) bad_input(sentence);
  static_cast<virtual_gpu::Worker*>(virtual_gpu::current)->abandon_thread(sentence);
}

}  // namespace tilestep
