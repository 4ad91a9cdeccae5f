// Streams and events of both vendors, whose functions have the same names behind another prefix.

#include <tilestep/backend/check.hpp>   // TS_CHECK, TS_GPU
#include <tilestep/backend/stream.hpp>  // what is implemented here

#include <utility>  // std::exchange

namespace tilestep {

struct Stream::Implementation {
  std::string name;
  GpuStream stream = nullptr;
};

struct Event::Implementation {
  GpuEvent event{};
  bool recorded = false;
};

namespace {

Stream* current = nullptr;  // null: the default stream

}  // namespace

Stream::Stream(std::unique_ptr<Implementation> implementation) : it_(std::move(implementation)) {}

Stream::Stream(std::string name, Priority priority) : it_(std::make_unique<Implementation>()) {
  require_device();
  it_->name = std::move(name);
  int lowest = 0, highest = 0;  // the higher, the smaller the number; 0 is that of the default stream
  TS_CHECK(TS_GPU(DeviceGetStreamPriorityRange)(&lowest, &highest));
  TS_CHECK(TS_GPU(StreamCreateWithPriority)(&it_->stream, TS_GPU(StreamNonBlocking),
                                            priority == Priority::high ? highest : 0));
  Event before;
  before.record(default_stream());
  wait(before);
}

Stream::~Stream() {  // an error has been reported by another call
  if (it_->stream != nullptr) (void)TS_GPU(StreamDestroy)(it_->stream);
}

void Stream::wait(Event const& event) {
  if (event.it_->recorded) TS_CHECK(TS_GPU(StreamWaitEvent)(it_->stream, event.it_->event, 0));
}

void Stream::synchronize() { TS_CHECK(TS_GPU(StreamSynchronize)(it_->stream)); }

std::string const& Stream::name() const { return it_->name; }
void* Stream::native() const { return it_->stream; }

Event::Event() : it_(std::make_unique<Implementation>()) {
  TS_CHECK(TS_GPU(EventCreateWithFlags)(&it_->event, TS_GPU(EventDisableTiming)));
}
Event::~Event() { (void)TS_GPU(EventDestroy)(it_->event); }

void Event::record(Stream& stream) {
  TS_CHECK(TS_GPU(EventRecord)(it_->event, stream.it_->stream));
  it_->recorded = true;
}

void Event::synchronize() {
  if (it_->recorded) TS_CHECK(TS_GPU(EventSynchronize)(it_->event));
}

Stream& default_stream() {
  static Stream& the_stream = *new Stream(std::make_unique<Stream::Implementation>(Stream::Implementation{"default"}));
  return the_stream;
}
Stream& current_stream() { return current != nullptr ? *current : default_stream(); }

StreamScope::StreamScope(Stream& stream) : before_(std::exchange(current, &stream)) {}
StreamScope::~StreamScope() { current = before_; }

Enqueued::Enqueued(std::string const&, std::vector<MemoryRange> const&, std::vector<MemoryRange> const&) {}
Enqueued::~Enqueued() = default;

}  // namespace tilestep
