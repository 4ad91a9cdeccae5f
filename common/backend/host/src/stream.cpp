// Streams of the virtual GPU: operations run at once, and what orders them on a GPU is kept in stream_order().

#include <tilestep/backend/stream.hpp>                    // what is implemented here
#include <tilestep/backend/virtual_gpu/allocation.hpp>    // device_memory
#include <tilestep/backend/virtual_gpu/hazard_log.hpp>    // Kind
#include <tilestep/backend/virtual_gpu/options.hpp>       // keep_report
#include <tilestep/backend/virtual_gpu/stream_order.hpp>  // stream_order

#include <map>        // ranges by allocation
#include <utility>    // std::exchange

namespace tilestep {

struct Stream::Implementation {
  std::string name;
  std::size_t place = 0;
};

struct Event::Implementation {
  virtual_gpu::StreamClock until;
};

namespace {

Stream* current = nullptr;      // null: the default stream
std::size_t current_place = 0;  // of it in clocks
int enqueued = 0;           // operations of the host's that are alive

}  // namespace

namespace virtual_gpu {

bool in_enqueued() { return enqueued > 0; }

void StreamRaces::add(Allocation const& memory, std::vector<StreamRace> const& races) {
  for (StreamRace const& race : races)
    hazards_.push_back({Kind("race").text, text_of(race, memory.name(), memory.element_size())});
}

void note_copy(Allocation& memory, std::int64_t offset, std::int64_t bytes, bool to_device) {
  if (in_enqueued()) return;
  if (stream_order().watches() && run_options().check) {
    ByteRanges const range{{offset, offset + bytes}};
    auto const operation = enqueue_here(to_device ? "a copy from the host" : "a copy to the host");
    StreamRaces races;
    races.add(memory, memory.stream_accesses().note(operation, to_device ? ByteRanges{} : range,
                                                    to_device ? range : ByteRanges{}));
    if (!races.hazards().empty()) {
      KernelReport report;
      report.kernel = operation->name;
      report.target = run_target().name;
      report.hazards = races.hazards();
      keep_report(std::move(report));
    }
  }
  stream_order().host_waits(stream_order().now(current_place));
}

std::shared_ptr<Operation const> enqueue_here(std::string name) {
  return std::make_shared<Operation const>(
      stream_order().enqueue(current_place, std::move(name), current_stream().name()));
}

}  // namespace virtual_gpu

using virtual_gpu::stream_order;

Stream::Stream(std::unique_ptr<Implementation> implementation) : it_(std::move(implementation)) {}

Stream::Stream(std::string name, Priority) : it_(std::make_unique<Implementation>()) {
  it_->name = std::move(name);
  it_->place = stream_order().open();
}

Stream::~Stream() {
  if (it_->place != 0) stream_order().close(it_->place);
}

void Stream::wait(Event const& event) { stream_order().wait(it_->place, event.it_->until); }
void Stream::synchronize() { stream_order().host_waits(stream_order().now(it_->place)); }
std::string const& Stream::name() const { return it_->name; }
void* Stream::native() const { return nullptr; }

Event::Event() : it_(std::make_unique<Implementation>()) {}
Event::~Event() = default;
void Event::record(Stream& stream) { it_->until = stream_order().now(stream.it_->place); }
void Event::synchronize() { stream_order().host_waits(it_->until); }

Stream& default_stream() {
  static Stream& the_stream = *new Stream(std::make_unique<Stream::Implementation>(Stream::Implementation{"default"}));
  return the_stream;
}
Stream& current_stream() { return current != nullptr ? *current : default_stream(); }

StreamScope::StreamScope(Stream& stream) : before_(std::exchange(current, &stream)) {
  current_place = stream.it_->place;
}
StreamScope::~StreamScope() {
  current = before_;
  current_place = current_stream().it_->place;
}

namespace {

/// Ranges of memory by the allocations that they lie in.
using ByAllocation = std::map<virtual_gpu::Allocation*, std::pair<virtual_gpu::ByteRanges, virtual_gpu::ByteRanges>>;

}  // namespace

Enqueued::Enqueued(std::string const& name, std::vector<MemoryRange> const& reads,
                   std::vector<MemoryRange> const& writes) {
  if (enqueued++ > 0 || !stream_order().watches() || !virtual_gpu::run_options().check) return;
  ByAllocation all;
  auto const add = [&](std::vector<MemoryRange> const& ranges, virtual_gpu::ByteRanges ByAllocation::mapped_type::*to) {
    for (MemoryRange const& range : ranges) {
      auto const address = reinterpret_cast<std::uintptr_t>(range.begin);
      virtual_gpu::Allocation* const allocation = virtual_gpu::device_memory().find(address);
      if (range.bytes <= 0 || allocation == nullptr) continue;
      auto const begin = std::int64_t(address - allocation->begin());
      (all[allocation].*to).push_back({begin, begin + range.bytes});
    }
  };
  add(reads, &ByAllocation::mapped_type::first);
  add(writes, &ByAllocation::mapped_type::second);
  virtual_gpu::StreamRaces races;
  auto const operation = virtual_gpu::enqueue_here(name);
  for (auto& [allocation, ranges] : all) {
    auto reads_here = united(std::move(ranges.first), {}), writes_here = united(std::move(ranges.second), {});
    races.add(*allocation,
              allocation->stream_accesses().note(operation, std::move(reads_here), std::move(writes_here)));
  }
  if (races.hazards().empty()) return;
  KernelReport report;
  report.kernel = name;
  report.target = virtual_gpu::run_target().name;
  report.hazards = races.hazards();
  virtual_gpu::keep_report(std::move(report));
}

Enqueued::~Enqueued() { --enqueued; }

}  // namespace tilestep
