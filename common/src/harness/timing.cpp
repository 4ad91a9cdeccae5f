#include <tilestep/harness/timing.hpp>

#include <algorithm>  // std::sort
#include <cmath>      // std::ceil

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
  std::vector<Turns> result;
  for (Contender const& each : contenders) result.push_back({each.name, repeats_for(each, options.slot), {}});
  auto const round = [&](auto&& take) {
    double total = 0;
    for (std::size_t i = 0; i < contenders.size(); ++i) {
      double const seconds = contenders[i].run(result[i].repeats);
      total += seconds;
      take(result[i], seconds / static_cast<double>(result[i].repeats));
    }
    return total;
  };
  auto const discard = [](Turns&, double) {};
  // A clock that stands still must not keep this loop alive: 1000 rounds are a warm-up, however short they are.
  double warm = 0;
  for (int i = 0; i < 1000 && warm < options.warm_up; ++i) warm += round(discard);
  for (int i = 0; i < options.turns; ++i) {
    (void)round([](Turns& turns, double seconds) { turns.seconds.push_back(seconds); });
  }
  return result;
}

}  // namespace tilestep
