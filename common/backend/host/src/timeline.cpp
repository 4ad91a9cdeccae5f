// The events of one thread, for pictures.

#include <tilestep/backend/timeline.hpp>           // what is implemented here
#include <tilestep/backend/virtual_gpu/worker.hpp>  // Worker

#include <utility>  // std::exchange

namespace tilestep {

namespace {

bool is_on = false;
std::vector<TimelineEvent> events;

}  // namespace

void begin_timeline() {
  events.clear();
  is_on = true;
}

std::vector<TimelineEvent> end_timeline() {
  is_on = false;
  return std::exchange(events, {});
}

namespace virtual_gpu {

bool timeline_is_on() { return is_on; }

void Worker::add_to_timeline(TimelineEvent::Kind kind, std::string const& what, std::int64_t at) {
  events.push_back({kind, what, at});
}

}  // namespace virtual_gpu

}  // namespace tilestep
