#pragma once
// How two things are compared fairly: in turns, in one process, as often as needed, and by the ratios of neighbours. A
// GPU that is power-limited runs the first second faster than the next, so times of different minutes say nothing about
// a program; the ratio of two times that were taken one after the other does.

#include <cstdint>     // std::int64_t
#include <functional>  // what is timed
#include <string>      // names
#include <vector>      // times

namespace tilestep {

struct Spread {
  double median = 0;
  double min = 0;
  double max = 0;
};

/// @pre values is not empty
/// @post of an even number of values the median is the mean of the middle two
Spread spread_of(std::vector<double> values);

/// The spread of numerator[i] / denominator[i].
/// @pre both have the same size, which is not 0, and no denominator is 0
Spread paired_ratios(std::vector<double> const& numerator, std::vector<double> const& denominator);

/// Something to be timed.
struct Contender {
  std::string name;
  /// Runs `count` times.
  /// @return seconds of all of them together, on the device's clock
  std::function<double(std::int64_t count)> run;
  int group = 0;  ///< it has to keep up with these alone, in a race
};

struct TurnOptions {
  int turns = 21;        ///< of each contender, one after the other: A B A B ...
  double slot = 4e-3;    ///< seconds that one turn takes at least, by repeating what is shorter
  double warm_up = 1;    ///< seconds in which the contenders take turns before anything counts
};

/// What came of one contender.
struct Turns {
  std::string name;
  std::int64_t repeats = 1;     ///< runs in one turn
  std::vector<double> seconds;  ///< of one run, turn by turn
};

/// Lets the contenders take turns.
std::vector<Turns> take_turns(std::vector<Contender> const& contenders, TurnOptions const& options);

struct RaceOptions {
  double keep = 1.3;      ///< who is not slower than the fastest of its group by more than this factor stays
  int turns = 8;          ///< of each that stays, beside the first
  double slot = 4e-3;     ///< seconds that one turn takes at least
  double warm_up = 0.1;   ///< seconds in which all take turns before anything counts
  int always = 0;         ///< the first so many stay, however slow they are
};

/// Looks for the fastest of many: one turn of each, then more turns of those that stay, each time in another order.
/// @post result[i].seconds has 1 time, or 1 + turns
std::vector<Turns> race(std::vector<Contender> const& contenders, RaceOptions const& options);

/// @return the place of the smallest median among those that were timed most often: one time says less than several
/// @pre turns is not empty
std::size_t winner(std::vector<Turns> const& turns);

}  // namespace tilestep
