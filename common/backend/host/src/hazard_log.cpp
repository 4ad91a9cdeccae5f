// Which hazards are one: by the lines of the kernel, so that the number of reports does not depend on what a compiler
// unrolls.

#include <tilestep/backend/virtual_gpu/hazard_log.hpp>   // what is implemented here
#include <tilestep/backend/virtual_gpu/source_line.hpp>  // source_line

#include <algorithm>    // std::sort
#include <string_view>  // file names

namespace tilestep::virtual_gpu {

namespace {

void const* path_of(HazardLog::Side const& side) {
  return side.instruction == nullptr ? nullptr : side.instruction->path;
}

std::string number(void const* path) { return std::to_string(reinterpret_cast<std::uintptr_t>(path)); }

}  // namespace

std::string line_of(Instruction const* instruction) {
  if (instruction == nullptr) return {};
  std::string const line = source_line(instruction->calls);
  return line.empty() && instruction->place.line() != 0 ? place_name(instruction->place) : line;
}

std::string between(Instruction const* first, Instruction const* then) {
  std::string const after = line_of(first), before = line_of(then);
  return after.empty() || before.empty() || after == before ? "" : " after " + after + " and before " + before;
}

std::string place_name(std::source_location const& place) {
  std::string_view file = place.file_name();
  file.remove_prefix(file.find_last_of('/') + 1);
  return std::string(file) + ":" + std::to_string(place.line());
}

HazardLog::Exact HazardLog::exactly(Cause const& cause) {
  return {cause.kind.text, cause.memory,     path_of(cause.here), path_of(cause.there),
          cause.here.what, cause.there.what, cause.variant};
}

std::size_t HazardLog::Hash::operator()(Exact const& cause) const {
  std::size_t hash = reinterpret_cast<std::uintptr_t>(cause.kind);
  for (std::size_t const part : {std::size_t(cause.memory), std::size_t(reinterpret_cast<std::uintptr_t>(cause.here)),
                                 std::size_t(reinterpret_cast<std::uintptr_t>(cause.there)),
                                 std::size_t(cause.what_here), std::size_t(cause.what_there),
                                 std::size_t(cause.variant)})
    hash = (hash ^ part) * 0x9e3779b97f4a7c15 + (hash >> 29);
  return hash;
}

std::string HazardLog::in_words(Cause const& cause) {
  std::string here = line_of(cause.here.instruction), there = line_of(cause.there.instruction);
  if (here.empty()) here = number(path_of(cause.here)) + " " + std::to_string(cause.variant);
  here += " " + std::to_string(cause.here.what);
  there += " " + std::to_string(cause.there.what);
  if (there < here) std::swap(here, there);  // a missing barrier is found from either side
  return std::string(cause.kind.text) + " " + std::to_string(cause.memory) + " " + here + " " + there;
}

void HazardLog::merge(HazardLog const& other) {
  for (Entry const& entry : other.entries_) {
    auto const [known, is_first] = known_.try_emplace(entry.cause, entries_.size());
    if (is_first) {
      entries_.push_back(entry);
      continue;
    }
    Entry& mine = entries_[known->second];
    std::int64_t const times = mine.times + entry.times;
    if (entry.turn < mine.turn) mine = entry;
    mine.times = times;
  }
}

std::vector<Hazard> HazardLog::hazards() const {
  std::vector<Entry> sorted = entries_;
  std::sort(sorted.begin(), sorted.end(), [](Entry const& a, Entry const& b) {
    return a.turn != b.turn ? a.turn < b.turn : a.place < b.place;
  });
  std::vector<Hazard> result;
  for (Entry const& entry : sorted) {
    if (result.size() == most_shown) {
      result.push_back(
          {entry.kind, "and " + std::to_string(sorted.size() - most_shown) + " more hazards of other causes"});
      break;
    }
    std::string const times = entry.times == 1 ? "" : " (" + std::to_string(entry.times) + " times)";
    result.push_back({entry.kind, entry.message + times});
  }
  return result;
}

}  // namespace tilestep::virtual_gpu
