// A GPU does not tell what its threads did, one by one.

#include <tilestep/backend/error.hpp>     // not_here
#include <tilestep/backend/timeline.hpp>  // what is implemented here

namespace tilestep {

void begin_timeline(int) {
  not_here("a timeline of a kernel is recorded on the virtual GPU alone: build with the host backend");
}
std::vector<TimelineEvent> end_timeline() { return {}; }

}  // namespace tilestep
