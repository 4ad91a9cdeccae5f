#pragma once
// Streams: queues of the device. What is enqueued on one stream runs in its order; what is on two may run at the same
// time, as far as no event orders it. A GPU does what the vendor's streams and events do. The virtual GPU runs every
// operation at once and compares the bytes that it reads and writes with those of all operations that nothing orders
// before it: a race is reported in the report of the later one.

#include <tilestep/backend/runtime.hpp>  // device memory, which operations read and write

#include <cstdint>  // std::int64_t
#include <memory>   // what a backend has of a stream
#include <string>   // names, for reports
#include <vector>   // ranges of memory

namespace tilestep {

class Event;

/// Whose blocks the device starts first where two streams have some: communication, which others wait for.
enum class Priority { normal, high };

/// A queue of the device, beside the default stream, which is there from the beginning. It does not wait for the
/// default stream, nor the other way round; its first operation begins after what stood on the default stream when it
/// was made.
class Stream {
 public:
  /// @param name  for reports
  explicit Stream(std::string name, Priority priority = Priority::normal);
  /// What is enqueued still runs.
  ~Stream();
  Stream(Stream const&) = delete;
  Stream& operator=(Stream const&) = delete;

  /// What is enqueued here from now on begins when all that stood before the event's last record() is over. An event
  /// that was never recorded orders nothing.
  void wait(Event const& event);
  /// Waits on the host until all that is enqueued here is over.
  void synchronize();

  [[nodiscard]] std::string const& name() const;
  /// The vendor's stream, a cudaStream_t or a hipStream_t; null for the default stream and on the virtual GPU.
  [[nodiscard]] void* native() const;

 private:
  friend class Event;
  friend class StreamScope;
  friend Stream& default_stream();
  struct Implementation;
  explicit Stream(std::unique_ptr<Implementation> implementation);
  std::unique_ptr<Implementation> it_;
};

/// A place in a stream, which other streams can wait for.
class Event {
 public:
  Event();
  ~Event();
  Event(Event const&) = delete;
  Event& operator=(Event const&) = delete;

  /// Takes the place behind all that is enqueued on the stream; a place that was taken before is forgotten.
  void record(Stream& stream);
  /// Waits on the host until all that stood before the last record() is over.
  void synchronize();

 private:
  friend class Stream;
  struct Implementation;
  std::unique_ptr<Implementation> it_;
};

Stream& default_stream();
/// Where launches and copies go: the default stream, unless a StreamScope says another one. A copy to or from the
/// host's memory also waits for this stream, and for no other.
Stream& current_stream();

/// While it lives, its stream is the current one.
class StreamScope {
 public:
  explicit StreamScope(Stream& stream);
  ~StreamScope();
  StreamScope(StreamScope const&) = delete;
  StreamScope& operator=(StreamScope const&) = delete;

 private:
  Stream* before_;
};

/// Device memory that an operation reads or writes.
struct MemoryRange {
  void const* begin = nullptr;
  std::int64_t bytes = 0;
};

/// While it lives, what the host does is one operation of the current stream, such as a collective: the copies within
/// are its own, and the host does not count as having waited for them. On a GPU it does nothing.
class Enqueued {
 public:
  /// @param name  for reports
  /// @param reads, writes  all that the operation reads and writes, in device memory
  Enqueued(std::string const& name, std::vector<MemoryRange> const& reads, std::vector<MemoryRange> const& writes);
  ~Enqueued();
  Enqueued(Enqueued const&) = delete;
  Enqueued& operator=(Enqueued const&) = delete;
};

}  // namespace tilestep
