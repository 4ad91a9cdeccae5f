// Waiting by a clock, and a thread that looks at it when no other can.

#include "patience.hpp"

#include <tilestep/backend/error.hpp>  // Error

#include <unistd.h>  // write, _exit

#include <chrono>              // the clock
#include <condition_variable>  // a watch that is called off
#include <mutex>               // what two threads share
#include <optional>            // an end, where there is one
#include <thread>              // the watch
#include <utility>             // std::exchange

namespace tilestep {

namespace {

using Clock = std::chrono::steady_clock;

double patience = 25;
bool gave_up = false;
std::function<void()> take_back;

/// What the watching thread knows.
struct Watch {
  std::mutex mutex;
  std::condition_variable changed;
  std::optional<Clock::time_point> end;
  std::string sentence, before;
  int file = STDERR_FILENO;
  bool started = false;
};

Watch& the_watch() {
  static Watch& watch = *new Watch;  // the thread has it for as long as the process lives
  return watch;
}

Clock::time_point in(double seconds) {
  return Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

void keep_watch() {
  Watch& watch = the_watch();
  std::unique_lock lock(watch.mutex);
  for (;;) {
    if (!watch.end) watch.changed.wait(lock);
    else if (Clock::now() < *watch.end) watch.changed.wait_until(lock, Clock::time_point(*watch.end));
    else break;
  }
  std::string const text = watch.before + watch.sentence + "\n";
  (void)!::write(watch.file, text.data(), text.size());
  _exit(int(Exit::wrong));  // not exit(): what it would call may wait for the device, too
}

}  // namespace

void set_patience(double seconds) { patience = seconds; }
double patience_in_seconds() { return patience; }
bool waited_in_vain() { return gave_up; }

bool wait_for(std::function<bool()> const& done) { return wait_for(done, patience); }

bool wait_for(std::function<bool()> const& done, double seconds) {
  auto const end = in(seconds);
  auto const soon = Clock::now() + std::chrono::microseconds(200);  // most have come by then: nobody sleeps
  while (!done()) {
    if (auto const now = Clock::now(); now > end) return false;
    else if (now < soon) std::this_thread::yield();
    else std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
  return true;
}

void give_up(std::string const& what) {
  give_up_at_once(what + " within " + std::to_string(int(patience)) + " s: all ranks end (--patience waits longer)");
}

void give_up_at_once(std::string const& sentence) {
  gave_up = true;
  watch(seconds_to_end, sentence);
  if (take_back) take_back();
  throw Error(Exit::wrong, sentence);
}

void before_giving_up(std::function<void()> call) { take_back = std::move(call); }

void watch(double seconds, std::string const& sentence) {
  Watch& watch = the_watch();
  std::lock_guard const lock(watch.mutex);
  watch.end = in(seconds);
  watch.sentence = sentence;
  if (!std::exchange(watch.started, true)) std::thread(keep_watch).detach();
  watch.changed.notify_one();
}

void watch_no_more() {
  Watch& watch = the_watch();
  std::lock_guard const lock(watch.mutex);
  watch.end.reset();
}

void watch_speaks(int file, std::string const& before) {
  Watch& watch = the_watch();
  std::lock_guard const lock(watch.mutex);
  watch.file = file;
  watch.before = before;
}

}  // namespace tilestep
