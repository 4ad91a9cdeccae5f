// Clocks of streams, and the comparison of the bytes that unordered operations use.

#include <tilestep/backend/virtual_gpu/stream_order.hpp>  // what is implemented here

#include <algorithm>  // std::max, std::sort
#include <utility>    // std::move

namespace tilestep::virtual_gpu {

namespace {

/// The first byte in both, and how many there are.
struct Overlap {
  std::int64_t first = -1, bytes = 0;
};

Overlap overlap(ByteRanges const& one, ByteRanges const& other) {
  Overlap both;
  for (std::size_t i = 0, j = 0; i < one.size() && j < other.size();) {
    std::int64_t const begin = std::max(one[i].begin, other[j].begin), end = std::min(one[i].end, other[j].end);
    if (begin < end) {
      if (both.bytes == 0) both.first = begin;
      both.bytes += end - begin;
    }
    if (one[i].end < other[j].end) ++i;
    else ++j;
  }
  return both;
}

bool contains(ByteRanges const& all, ByteRanges const& part) {
  std::size_t i = 0;
  return std::all_of(part.begin(), part.end(), [&](ByteRange const& range) {
    while (i < all.size() && all[i].end < range.end) ++i;
    return i < all.size() && all[i].begin <= range.begin;
  });
}

}  // namespace

StreamOrder& stream_order() {
  static StreamOrder the_order;
  return the_order;
}

void StreamOrder::learn(StreamClock& to, StreamClock const& from) {
  if (to.size() < from.size()) to.resize(from.size());
  for (std::size_t i = 0; i < from.size(); ++i) to[i] = std::max(to[i], from[i]);
}

std::size_t StreamOrder::open() {
  watches_ = true;
  // The place of a closed stream is free when the host has waited for all that stood there.
  std::size_t place = 1;
  for (; place < streams_.size(); ++place) {
    std::uint64_t const over = place < host_.size() ? host_[place] : 0;
    if (!streams_[place].open && streams_[place].count <= over) break;
  }
  if (place == streams_.size()) streams_.emplace_back();
  streams_[place].open = true;
  streams_[place].known = now(0);
  return place;
}

void StreamOrder::close(std::size_t place) { streams_[place].open = false; }

Operation StreamOrder::enqueue(std::size_t place, std::string name, std::string stream) {
  OneStream& here = streams_[place];
  Operation operation{std::move(name), std::move(stream), place, here.count + 1, now(place)};
  ++here.count;
  return operation;
}

StreamClock StreamOrder::now(std::size_t place) const {
  StreamClock clock = streams_[place].known;
  learn(clock, host_);
  if (clock.size() <= place) clock.resize(place + 1);
  clock[place] = streams_[place].count;
  return clock;
}

void StreamOrder::host_waits_for_all() {
  for (std::size_t place = 0; place < streams_.size(); ++place) learn(host_, now(place));
  watches_ = std::any_of(streams_.begin() + 1, streams_.end(), [](OneStream const& each) { return each.open; });
}

ByteRanges united(ByteRanges one, ByteRanges const& other) {
  one.insert(one.end(), other.begin(), other.end());
  std::sort(one.begin(), one.end(), [](ByteRange const& a, ByteRange const& b) { return a.begin < b.begin; });
  ByteRanges apart;
  for (ByteRange const& range : one) {
    if (!apart.empty() && range.begin <= apart.back().end) apart.back().end = std::max(apart.back().end, range.end);
    else apart.push_back(range);
  }
  return apart;
}

std::vector<StreamRace> StreamAccesses::note(std::shared_ptr<Operation const> const& operation, ByteRanges reads,
                                             ByteRanges writes) {
  std::vector<StreamRace> races;
  for (Access const& access : accesses_) {
    if (StreamOrder::covers(operation->before, *access.operation)) continue;
    Overlap const written = overlap(access.ranges, writes);
    Overlap const read = access.writes ? overlap(access.ranges, reads) : Overlap{};
    if (written.bytes + read.bytes == 0) continue;
    bool const is_known = std::any_of(races.begin(), races.end(), [&](StreamRace const& race) {
      return race.before == access.operation;
    });
    if (is_known) continue;
    Overlap const& both = written.bytes > 0 ? written : read;
    races.push_back({access.operation, operation, access.writes, written.bytes > 0, both.first, both.bytes});
  }
  // An access that is ordered before this one, which covers it, tells nothing more: what follows this one follows both.
  std::erase_if(accesses_, [&](Access const& access) {
    if (stream_order().is_over(*access.operation)) return true;
    if (!StreamOrder::covers(operation->before, *access.operation)) return false;
    return contains(writes, access.ranges) || (!access.writes && contains(reads, access.ranges));
  });
  if (!reads.empty()) accesses_.push_back({operation, false, std::move(reads)});
  if (!writes.empty()) accesses_.push_back({operation, true, std::move(writes)});
  return races;
}

std::string text_of(StreamRace const& race, std::string const& memory, std::int64_t element_size) {
  auto const does = [](bool writes) { return writes ? " writes " : " reads "; };
  Operation const &first = *race.before, &second = *race.after;
  std::int64_t const element = race.first / element_size, count = (race.bytes + element_size - 1) / element_size;
  std::string text = second.name + " on stream " + second.stream + does(race.after_writes) + "element " +
                     std::to_string(element) + " of " + memory + ", which " + first.name + " on stream " +
                     first.stream + does(race.before_writes) + "with nothing that orders the two";
  if (count > 1) text += " (" + std::to_string(count) + " elements)";
  return text + ": record an event on stream " + first.stream + " after " + first.name + ", and let stream " +
         second.stream + " wait for it before " + second.name;
}

}  // namespace tilestep::virtual_gpu
