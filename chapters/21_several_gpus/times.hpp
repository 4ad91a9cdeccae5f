#pragma once
// How long a product on several devices takes, from three numbers of the machine: what a step of a message takes, how
// many bytes go over a link in a second, and how many operations a device does in a second. What the devices share -
// memory, power, the units that communication takes from a product - is not in it.

#include "kernel.hpp"  // Scheme

#include <algorithm>  // std::max
#include <cstdint>    // std::int64_t

namespace tilestep {

// [link]
/// A rank's way to its neighbour in a ring.
struct Link {
  double to_begin = 0;  ///< seconds of a collective, however short
  double step = 0;      ///< seconds from one rank to the next, however few bytes
  double bytes = 1;     ///< bytes in a second, each way
};

/// All-gather in a ring of P ranks, P - 1 steps, in each of which every rank passes a part on; or all-to-all, which
/// moves as much in as many.
/// @param part  bytes of a rank's part
constexpr double ring(Link const& link, std::int64_t ranks, double part) {
  return ranks == 1 ? 0 : link.to_begin + double(ranks - 1) * (link.step + part / link.bytes);
}

/// Broadcast of so many bytes along a ring, in pieces that follow one another.
constexpr double along(Link const& link, std::int64_t ranks, double bytes) {
  return ranks == 1 ? 0 : link.to_begin + double(ranks - 1) * link.step + bytes / link.bytes;
}
// [link]

// [overlap]
/// Two queues of a device: `count` times something is made in `first` seconds by one and used in `second` by the other,
/// which uses one after the other and may begin with `head` seconds of its own work. With `buffers` places for what is
/// made, one is free again when it has been used. @return seconds until all is used
constexpr double overlapped(std::int64_t count, double first, double second, double head = 0,
                            std::int64_t buffers = 0) {
  constexpr std::int64_t most = 64;
  double used[most]{};  // the end of each of the last uses
  double made = 0, end = head;
  for (std::int64_t i = 0; i < count; ++i) {
    double const free = buffers > 0 && i >= buffers ? used[(i - buffers) % most] : 0;
    made = std::max(made, free) + first;
    end = std::max(end, made) + second;
    used[i % most] = end;
  }
  return end;
}

/// What the first queue makes is sent, `count` times `message` seconds, one after the other; when all is made, the
/// queue goes on with as many pieces of its `own` work, each of which needs one that came. @return seconds until all is
/// done
constexpr double sent_beside(std::int64_t count, double first, double message, double own) {
  double came = 0, end = double(count) * first;
  for (std::int64_t i = 0; i < count; ++i) {
    came = std::max(came, double(i + 1) * first) + message;
    end = std::max(end, came) + own;
  }
  return end;
}
// [overlap]

/// What ranks have in common.
struct Cluster {
  Link inside;             ///< between ranks of one host
  Link between;            ///< between hosts, for each rank
  std::int64_t host = 8;   ///< ranks of a host
  double operations = 1;   ///< of a device in a second
};

/// C (m,n) = A (m,k) B (n,k): how it is shared, and what an element has of bytes.
struct SharedProblem {
  double m = 0, n = 0, k = 0;
  Scheme scheme = Scheme::gather;
  std::int64_t p = 1, q = 1;    ///< as Sharing has them
  double operand = 2, term = 2;  ///< bytes of an element of A and B, and of a term of C
};

/// Seconds of the parts of a product, of both schemes: one after the other, and each chunk beside the one before.
struct Times {
  double communication = 0, product = 0;
  double serial = 0, overlapped = 0;
};

// [predicted]
/// @param chunks  of what travels, for the overlapped scheme; a grid has its panels
constexpr Times predicted(SharedProblem const& problem, Cluster const& cluster, std::int64_t chunks) {
  std::int64_t const ranks = problem.p * problem.q;
  // Ranks of a group that are `apart` from each other stay in one host as long as all of them fit in.
  auto const link = [&](std::int64_t count, std::int64_t apart) {
    return count * apart <= cluster.host ? cluster.inside : cluster.between;
  };
  double const product = 2 * problem.m * problem.n * problem.k / double(ranks) / cluster.operations;
  double const n = double(chunks), own = product / double(ranks);
  Times times{.product = product};
  if (problem.scheme == Scheme::gather) {
    double const part = problem.m * problem.k / double(ranks) * problem.operand;  // rows of A
    Link const way = link(ranks, 1);
    times.communication = ring(way, ranks, part);
    // The rows of this rank are there at once.
    times.overlapped = overlapped(chunks, ring(way, ranks, part / n), (product - own) / n, own);
  } else if (problem.scheme == Scheme::scatter) {
    double const part = problem.m * problem.n / double(ranks) * problem.term;  // rows of C
    Link const way = link(ranks, 1);
    times.communication = ring(way, ranks, part);
    // The rows of this rank come last: what they need has come by then.
    times.overlapped = sent_beside(chunks, (product - own) / n, ring(way, ranks, part / n), own / n);
  } else {
    std::int64_t const panels = std::lcm(problem.p, problem.q);
    double const a = problem.m / double(problem.p) * problem.k / double(panels) * problem.operand;
    double const b = problem.n / double(problem.q) * problem.k / double(panels) * problem.operand;
    double const panel = along(link(problem.q, problem.p), problem.q, a) + along(link(problem.p, 1), problem.p, b);
    times.communication = double(panels) * panel;
    times.overlapped = overlapped(panels, panel, product / double(panels), 0, 2);
  }
  times.serial = times.communication + times.product;
  return times;
}
// [predicted]

}  // namespace tilestep
