// The events of one thread, for pictures.

#include <tilestep/backend/timeline.hpp>           // what is implemented here
#include <tilestep/backend/virtual_gpu/worker.hpp>  // Worker

#include <utility>  // std::exchange

namespace tilestep {

namespace {

int recorded = -1;  // thread
std::vector<TimelineEvent> events;

}  // namespace

void begin_timeline(int thread) {
  events.clear();
  recorded = thread;
}

std::vector<TimelineEvent> end_timeline() {
  recorded = -1;
  return std::exchange(events, {});
}

namespace virtual_gpu {

int thread_of_timeline() { return recorded; }

void Worker::add_to_timeline(TimelineEvent::Kind kind, std::string const& what, std::int64_t at) {
  events.push_back({kind, what, at});
}

}  // namespace virtual_gpu

}  // namespace tilestep
