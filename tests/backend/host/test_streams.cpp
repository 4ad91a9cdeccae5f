// Operations of several streams: a race is reported exactly where two use the same bytes, one of them writing, and
// neither events, nor a stream's own order, nor the host order them.

#include "run_kernel.hpp"  // run, full_text

#include <tilestep/backend/measure.hpp>  // copy_on_device
#include <tilestep/backend/stream.hpp>   // Stream, Event

#include <catch2/generators/catch_generators.hpp>  // GENERATE

#include <array>     // events
#include <optional>  // streams that come and go
#include <random>    // std::mt19937
#include <set>       // what is ordered

using namespace host_test;

namespace {

struct CopyParams {
  float const* from;
  float* to;
  std::int64_t count;
};

struct CopyKernel {
  static constexpr int threads = 32, blocks = 2;
  static constexpr char const* name = "copy";
  struct Shared {};
  void operator()(Shared&, CopyParams const& p) const {
    auto const from = global(p.from);
    auto const to = global(p.to);
    for (std::int64_t i = block_index() * threads + thread_index(); i < p.count; i += blocks * threads)
      to[i] = float(from[i]);
  }
};

void copy(float const* from, float* to, std::int64_t count) {
  launch(CopyKernel{}, CopyKernel::blocks, CopyParams{from, to, count});
}

constexpr std::int64_t elements = 100;

/// Three arrays of 100 numbers, written, and two streams. Nothing was enqueued before.
struct Arrays {
  Arrays() {
    set_run_options({});
    std::vector<float> const numbers(std::size_t(elements), 1);
    for (auto* each : {&a, &b, &c}) each->upload(numbers.data(), elements);
    synchronize();
    (void)take_reports();
  }
  ~Arrays() {
    synchronize();
    (void)take_reports();
  }
  DeviceBuffer<float> a{"a", elements}, b{"b", elements}, c{"c", elements};
  Stream one{"one"}, two{"two"};
};

/// What all reports say since the last call.
std::string all_races() {
  std::string text;
  for (KernelReport const& report : take_reports()) text += full_text(report);
  return text;
}

std::vector<MemoryRange> range(DeviceBuffer<float> const& of, std::int64_t first, std::int64_t count) {
  return {{of.data() + first, count * std::int64_t(sizeof(float))}};
}

/// What a collective would do, between the host's memory and a range.
void collective(std::string const& name, std::vector<MemoryRange> const& reads,
                std::vector<MemoryRange> const& writes) {
  Enqueued const one(name, reads, writes);
}

}  // namespace

TEST_CASE("two launches on two streams race where one reads what the other writes, unless an event orders them",
          "[streams]") {
  Arrays x;
  {
    StreamScope const scope(x.one);
    copy(x.a.data(), x.b.data(), elements);
  }
  bool const waits = GENERATE(false, true);
  Event written;
  written.record(x.one);
  if (waits) x.two.wait(written);
  StreamScope const scope(x.two);
  copy(x.b.data() + 10, x.c.data(), 20);
  CHECK(all_races() ==
        (waits ? "" : "race: kernel copy on stream two reads element 10 of b, which kernel copy on stream one writes "
                      "with nothing that orders the two (20 elements): record an event on stream one after kernel "
                      "copy, and let stream two wait for it before kernel copy\n"));
}

TEST_CASE("a launch that overwrites what another stream still reads is reported, and one beside it is not",
          "[streams]") {
  Arrays x;
  {
    StreamScope const scope(x.one);
    copy(x.a.data(), x.b.data(), 50);
  }
  std::int64_t const first = GENERATE(0, 49, 50);
  StreamScope const scope(x.two);
  copy(x.c.data(), x.a.data() + first, 10);
  std::string const text = all_races();
  INFO(text);
  CHECK(text.empty() == (first == 50));
  if (first == 49) CHECK(text.find("writes element 49 of a, which kernel copy on stream one reads") != text.npos);
}

TEST_CASE("streams that only read the same memory need no order", "[streams]") {
  Arrays x;
  {
    StreamScope const scope(x.one);
    copy(x.a.data(), x.b.data(), elements);
  }
  StreamScope const scope(x.two);
  copy(x.a.data(), x.c.data(), elements);
  CHECK(all_races().empty());
}

TEST_CASE("what a collective reads and writes is compared with launches, and its own copies are not", "[streams]") {
  Arrays x;
  copy(x.a.data(), x.b.data(), elements);  // on the default stream
  {
    StreamScope const scope(x.one);
    std::vector<float> host(std::size_t(elements), 2);
    Enqueued const gather("all_gather", range(x.c, 0, 10), range(x.b, 40, 10));
    x.b.download(host.data(), elements);
    x.b.upload(host.data(), 10, 40);
  }
  std::string const text = all_races();
  INFO(text);
  CHECK(text.find("race: all_gather on stream one writes element 40 of b, which kernel copy on stream default "
                  "writes") == 0);
  CHECK(std::count(text.begin(), text.end(), '\n') == 1);
  copy(x.b.data() + 45, x.a.data(), 1);  // its copies have not made the host wait for it
  CHECK(all_races().find("kernel copy on stream default reads element 45 of b, which all_gather on stream one "
                         "writes") != std::string::npos);
}

TEST_CASE("a copy to the host waits for its own stream and for no other", "[streams]") {
  Arrays x;
  float number = 0;
  {
    StreamScope const scope(x.one);
    copy(x.a.data(), x.b.data(), elements);
  }
  SECTION("another stream's result is copied too early") {
    x.b.download(&number, 1, 3);
    CHECK(all_races().find("a copy to the host on stream default reads element 3 of b, which kernel copy on stream "
                           "one writes") != std::string::npos);
  }
  SECTION("on the stream itself it is not, and what follows is ordered") {
    {
      StreamScope const scope(x.one);
      x.b.download(&number, 1, 3);
    }
    copy(x.c.data(), x.b.data(), elements);
    CHECK(all_races().empty());
  }
  SECTION("the host waits for the stream") {
    x.one.synchronize();
    x.b.download(&number, 1, 3);
    CHECK(all_races().empty());
  }
  SECTION("the host waits for an event") {
    Event written;
    written.record(x.one);
    written.synchronize();
    x.b.download(&number, 1, 3);
    CHECK(all_races().empty());
  }
  SECTION("the host waits for the device") {
    synchronize();
    x.b.download(&number, 1, 3);
    CHECK(all_races().empty());
  }
  SECTION("copies within the device wait for nothing") {
    copy_on_device(x.b.data(), x.c.data(), 4);
    CHECK(all_races().find("a copy on the device on stream default writes element 0 of b") != std::string::npos);
  }
}

TEST_CASE("a new stream follows what stood on the default stream, and nothing else", "[streams]") {
  Arrays x;
  bool const on_default = GENERATE(true, false);
  {
    StreamScope const scope(on_default ? default_stream() : x.one);
    copy(x.a.data(), x.b.data(), elements);
  }
  Stream late("late");
  StreamScope const scope(late);
  copy(x.b.data(), x.c.data(), elements);
  CHECK(all_races().empty() == on_default);
}

TEST_CASE("an event that was not recorded orders nothing, and one that was recorded again orders what stood there then",
          "[streams]") {
  Arrays x;
  Event event;
  {
    StreamScope const scope(x.one);
    if (GENERATE(true, false)) event.record(x.one);  // before the launch
    copy(x.a.data(), x.b.data(), elements);
  }
  bool const again = GENERATE(true, false);
  if (again) event.record(x.one);
  x.two.wait(event);
  StreamScope const scope(x.two);
  copy(x.b.data(), x.c.data(), elements);
  CHECK(all_races().empty() == again);
}

TEST_CASE("without checks nothing is compared", "[streams]") {
  Arrays x;
  set_run_options({.target = {}, .schedule = {}, .check = false});
  {
    StreamScope const scope(x.one);
    copy(x.a.data(), x.b.data(), elements);
  }
  copy(x.b.data(), x.c.data(), elements);
  CHECK(all_races().empty());
  set_run_options({});
}

namespace {

/// What was enqueued, and everything that is over before it, by brute force.
struct Node {
  std::set<int> before;  // all of them
  std::string name;
  int buffer_read, buffer_written, first_read, first_written, count;
};

bool meet(int buffer, int first, int count, int other, int other_first, int other_count) {
  return buffer == other && first < other_first + other_count && other_first < first + count;
}

}  // namespace

TEST_CASE("random programs of streams and events, a race exactly where nothing orders two uses", "[streams]") {
  constexpr int streams = 4, events = 3, steps = 60;
  int races = 0, clean = 0;
  for (unsigned seed = 1; seed <= 150; ++seed) {
    std::mt19937 random(seed);
    auto const one_of = [&](int count) { return int(random() % unsigned(count)); };
    Arrays x;
    std::array<DeviceBuffer<float>*, 3> const buffers{&x.a, &x.b, &x.c};
    std::array<std::optional<Stream>, streams> open;  // beside the default stream, number 0
    std::array<Event, events> event;
    std::vector<Node> nodes;
    std::array<std::set<int>, streams> stood;  // what is over when the stream's next operation begins
    std::array<std::set<int>, events> recorded;
    std::set<int> host;
    auto const stream_of = [&](int number) -> Stream& {
      return number == 0 ? default_stream() : *open[std::size_t(number)];
    };
    auto const add = [](std::set<int>& to, std::set<int> const& from) { to.insert(from.begin(), from.end()); };
    for (int step = 0; step < steps; ++step) {
      int const number = one_of(streams), e = one_of(events), what = one_of(20);
      auto const s = std::size_t(number);
      if (number > 0 && !open[s]) {
        open[s].emplace("s" + std::to_string(step));
        stood[s] = stood[0];
        continue;
      }
      if (what < 11) {  // a collective, or the kernel
        Node node{stood[s], "op" + std::to_string(step), one_of(3), one_of(3), one_of(90), one_of(90), 1 + one_of(10)};
        add(node.before, host);
        bool const is_kernel = what < 3 && node.buffer_read != node.buffer_written;
        if (is_kernel) node.name = "kernel copy";
        std::set<std::string> expected;
        for (std::size_t i = 0; i < nodes.size(); ++i) {
          Node const& other = nodes[i];
          bool const conflict =
              meet(node.buffer_written, node.first_written, node.count, other.buffer_read, other.first_read,
                   other.count) ||
              meet(node.buffer_written, node.first_written, node.count, other.buffer_written, other.first_written,
                   other.count) ||
              meet(node.buffer_read, node.first_read, node.count, other.buffer_written, other.first_written,
                   other.count);
          if (conflict && node.before.count(int(i)) == 0) expected.insert(other.name);
        }
        {
          StreamScope const scope(stream_of(number));
          auto& from = *buffers[std::size_t(node.buffer_read)];
          auto& to = *buffers[std::size_t(node.buffer_written)];
          if (is_kernel) copy(from.data() + node.first_read, to.data() + node.first_written, node.count);
          else collective(node.name, range(from, node.first_read, node.count),
                          range(to, node.first_written, node.count));
        }
        std::string const text = all_races();
        INFO("seed " << seed << ", step " << step << ": " << text);
        REQUIRE(text.empty() == expected.empty());
        (text.empty() ? clean : races) += 1;
        for (std::size_t at = text.find(", which "); at != text.npos; at = text.find(", which ", at + 1)) {
          std::string const other = text.substr(at + 8, text.find(" on stream", at) - at - 8);
          REQUIRE(expected.count(other) == 1);
        }
        int const index = int(nodes.size());
        stood[s] = node.before;
        stood[s].insert(index);
        nodes.push_back(std::move(node));
      } else if (what < 14) {
        event[std::size_t(e)].record(stream_of(number));
        recorded[std::size_t(e)] = stood[s];
        add(recorded[std::size_t(e)], host);
      } else if (what < 17) {
        stream_of(number).wait(event[std::size_t(e)]);
        add(stood[s], recorded[std::size_t(e)]);
      } else if (what == 17 && number > 0) {
        open[s].reset();
        stood[s].clear();
      } else if (what == 18 && one_of(2) == 0) {
        stream_of(number).synchronize();
        add(host, stood[s]);
      } else if (what == 19 && one_of(2) == 0) {
        event[std::size_t(e)].synchronize();
        add(host, recorded[std::size_t(e)]);
      } else if (what == 19 && one_of(6) == 0) {
        synchronize();
        for (int i = 0; i < int(nodes.size()); ++i) host.insert(i);
      }
    }
  }
  CHECK(races > 300);
  CHECK(clean > 300);
}
