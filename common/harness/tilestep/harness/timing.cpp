#include <tilestep/harness/timing.hpp>

#include <algorithm>  // std::sort, std::shuffle
#include <cmath>      // std::ceil
#include <map>        // the fastest of each group
#include <numeric>    // std::iota
#include <random>     // another order each time
#include <utility>    // std::move

namespace tilestep {

namespace {

constexpr std::int64_t most_repeats = 100'000;

// How often one turn runs: enough to fill the slot, by the time of as many as it takes to see one.
std::int64_t repeats_for(Contender const& contender, double slot) {
  (void)contender.run(1);  // what happens only once
  for (std::int64_t count = 1;; count *= 4) {
    double const seconds = contender.run(count);
    if (seconds < slot / 8 && count < most_repeats) continue;
    double const needed = seconds > 0 ? std::ceil(slot / seconds * static_cast<double>(count)) : most_repeats;
    return std::clamp<std::int64_t>(static_cast<std::int64_t>(std::min<double>(needed, most_repeats)), 1, most_repeats);
  }
}

/// What nobody has timed yet, with the length of a turn.
std::vector<Turns> ready(std::vector<Contender> const& contenders, double slot) {
  std::vector<Turns> result;
  for (Contender const& each : contenders) result.push_back({each.name, repeats_for(each, slot), {}});
  return result;
}

void keep(Turns& turns, double seconds) { turns.seconds.push_back(seconds); }

/// One turn of each. @return seconds of all
template <class Take>
double round(std::vector<Contender> const& contenders, std::vector<Turns>& result, Take const& take) {
  double total = 0;
  for (std::size_t i = 0; i < contenders.size(); ++i) {
    double const seconds = contenders[i].run(result[i].repeats);
    total += seconds;
    take(result[i], seconds / static_cast<double>(result[i].repeats));
  }
  return total;
}

// A clock that stands still must not keep this loop alive: 1000 rounds are a warm-up, however short they are.
void warm_up(std::vector<Contender> const& contenders, std::vector<Turns>& result, double wanted) {
  double warm = 0;
  for (int i = 0; i < 1000 && warm < wanted; ++i) warm += round(contenders, result, [](Turns&, double) {});
}

}  // namespace

Spread spread_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  std::size_t const middle = values.size() / 2;
  double const median = values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
  return {median, values.front(), values.back()};
}

Spread paired_ratios(std::vector<double> const& numerator, std::vector<double> const& denominator) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < numerator.size(); ++i) ratios.push_back(numerator[i] / denominator[i]);
  return spread_of(ratios);
}

std::vector<Turns> take_turns(std::vector<Contender> const& contenders, TurnOptions const& options) {
  std::vector<Turns> result = ready(contenders, options.slot);
  warm_up(contenders, result, options.warm_up);
  for (int i = 0; i < options.turns; ++i) (void)round(contenders, result, keep);
  return result;
}

std::vector<Turns> race(std::vector<Contender> const& contenders, RaceOptions const& options) {
  std::vector<Turns> result = ready(contenders, options.slot);
  if (result.empty()) return result;
  warm_up(contenders, result, options.warm_up);
  (void)round(contenders, result, keep);
  std::map<int, double> fastest;  // of each group
  for (std::size_t i = 0; i < result.size(); ++i) {
    double& least = fastest.try_emplace(contenders[i].group, result[i].seconds.front()).first->second;
    least = std::min(least, result[i].seconds.front());
  }

  std::vector<Contender> staying;
  std::vector<Turns> times;
  for (std::size_t i = 0; i < result.size(); ++i) {
    bool const slow = result[i].seconds.front() > options.keep * fastest[contenders[i].group];
    if (i >= std::size_t(options.always) && slow) continue;
    staying.push_back(contenders[i]);
    times.push_back(std::move(result[i]));
  }
  // Who draws much power slows down whoever comes next, so each time the order is another one.
  std::vector<std::size_t> order(staying.size());
  std::iota(order.begin(), order.end(), 0);
  std::mt19937 random;
  for (int i = 0; i < options.turns; ++i) {
    std::shuffle(order.begin(), order.end(), random);
    for (std::size_t const each : order)
      keep(times[each], staying[each].run(times[each].repeats) / static_cast<double>(times[each].repeats));
  }
  for (std::size_t i = 0, next = 0; i < result.size(); ++i) {
    if (next < times.size() && result[i].seconds.empty()) result[i] = std::move(times[next++]);
  }
  return result;
}

std::size_t winner(std::vector<Turns> const& turns) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < turns.size(); ++i) {
    std::vector<double> const &here = turns[i].seconds, &there = turns[best].seconds;
    if (here.size() > there.size() || (here.size() == there.size() && spread_of(here).median < spread_of(there).median))
      best = i;
  }
  return best;
}

}  // namespace tilestep
