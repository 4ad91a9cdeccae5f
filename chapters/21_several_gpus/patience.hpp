#pragma once
// How long a rank waits, and how it ends when it has waited in vain. A wait that asks again and again ends by itself.
// The vendor's runtime has no patience: whoever frees memory waits for the device, which may wait for a rank that is
// gone. So a second thread keeps the time of such waits, and ends the process.

#include <functional>  // what is waited for
#include <string>      // sentences

namespace tilestep {

/// How long a rank waits for another, in seconds; 25 at first.
void set_patience(double seconds);
double patience_in_seconds();
/// Has this rank waited for another in vain?
bool waited_in_vain();

/// Asks `done` again and again, until it says so or the patience is at an end. @return whether it is done
bool wait_for(std::function<bool()> const& done);
/// The same for so many seconds.
bool wait_for(std::function<bool()> const& done, double seconds);

/// Ends a wait in vain. @par Errors  Exit::wrong: always, and all ranks end
[[noreturn]] void give_up(std::string const& what);
/// Ends this rank, and all others without waiting for them. @par Errors  Exit::wrong: always, with the sentence
[[noreturn]] void give_up_at_once(std::string const& sentence);
/// Calls it in give_up_at_once(), before the error is thrown: what takes work back from the device, so that memory can
/// be freed on the way out.
void before_giving_up(std::function<void()> call);

/// From now on the process has so many seconds until watch_no_more() or the next call; else it says the sentence and
/// ends with Exit::wrong, wherever its first thread waits.
void watch(double seconds, std::string const& sentence);
void watch_no_more();
/// The file that watch() says its sentence in, and what stands before it.
void watch_speaks(int file, std::string const& before);

/// What a rank that gives up has for its way out.
inline constexpr double seconds_to_end = 3;

}  // namespace tilestep
