// Bugs that Indigo3 plants in graph algorithms (burtscher/Indigo3Suite, codeGen/cuda/*.idg; the names of bugs are its
// tags: RaceBug, SyncBug, NbrBoundsBug, BoundsBug, ExcessThreadsBug, FieldBug, UninitializedBug). Its correct versions
// with atomics have no counterpart here: each has a version whose sums go through a block, or to an element of one's
// own.

#include "case.hpp"  // Case

#include <algorithm>  // std::min

namespace public_sets {

namespace {

constexpr int nodes = 100, degree = 4, edges = nodes * degree;

/// A graph: the neighbours of v are list[index[v]] .. list[index[v + 1]]. state has `nodes` elements, sum a few.
struct Graph {
  int const* index;
  int const* list;
  int const* state;
  int* next;
  int* sum;
};

enum class Bug { none, race, sync, neighbour, bounds, excess, field, uninitialised };

Values list_of_neighbours() {
  Values list;
  for (int v = 0; v < nodes; ++v) {
    for (int i = 0; i < degree; ++i) list.push_back((v * (i + 2) + 7 * i + 1) % nodes);
  }
  return list;
}

// Calls visit(v) for the vertices of a thread: one, or in a loop over `stride` threads (Persist). BUG: which range it
// takes for the vertices.
template <bool PERSIST, Bug BUG, class Visit>
TS_DEVICE void for_vertices(int first, int stride, Visit const& visit) {
  int const count = BUG == Bug::field ? edges : nodes;
  if constexpr (PERSIST) {
    for (int v = first; BUG == Bug::bounds ? v <= count : v < count; v += stride) visit(v);
  } else {
    if (BUG == Bug::excess || first < count) visit(first);
  }
}

// PR-CUDA/PR_CUDA_Pull.idg, Thread: each vertex pulls from its neighbours. RaceBug: the sum of differences.
template <bool PERSIST, Bug BUG>
struct Pull {
  static constexpr int threads = 32, blocks = PERSIST ? 2 : 4;
  using Shared = NoShared;
  TS_DEVICE void operator()(Shared&, Graph const& g) const {
    auto const visit = [&](int v) TS_INLINE_LAMBDA {
      int const end = global(g.index)[v + 1] + (BUG == Bug::neighbour ? 1 : 0);
      int total = 0;
      for (int i = global(g.index)[v]; i < end; ++i) total += global(g.state)[int(global(g.list)[i])];
      global(g.next)[v] = total;
      if constexpr (BUG == Bug::race) global(g.sum)[0] = int(global(g.sum)[0]) + total;
    };
    for_vertices<PERSIST, BUG>(int(block_index()) * threads + thread_index(), blocks * threads, visit);
  }
};

// The same, Warp: lanes share a vertex; shuffles sum.
struct PullByWarp {
  static constexpr int threads = 128, blocks = 25;
  using Shared = NoShared;
  TS_DEVICE void operator()(Shared&, Graph const& g) const {
    int const v = int(block_index()) * (threads / 32) + warp_index(), lane = lane_index();
    int const end = global(g.index)[v + 1];
    int total = 0;
    for (int i = global(g.index)[v] + lane; i < end; i += 32) total += global(g.state)[int(global(g.list)[i])];
    for (int d = 1; d < 32; d *= 2) {
      int const other = shuffle_up(total, d);
      if (lane >= d) total += other;
    }
    if (lane == 31) global(g.next)[v] = total;
  }
};

// The same, Block: warps sum by shuffles and leave their sums in a buffer, which the next vertex uses again. SyncBug:
// without the barrier before it does.
template <Bug BUG>
struct PullByBlock {
  static constexpr int threads = 64, blocks = 4;
  struct Shared { SharedArray<int, threads / 32> buffer; };
  TS_DEVICE void operator()(Shared& memory, Graph const& g) const {
    auto const buffer = shared(memory.buffer, "buffer");
    int const t = thread_index();
    for (int v = int(block_index()); v < nodes; v += blocks) {
      int const end = global(g.index)[v + 1];
      int total = 0;
      for (int i = global(g.index)[v] + t; i < end; i += threads) total += global(g.state)[int(global(g.list)[i])];
      for (int d = 1; d < 32; d *= 2) total += shuffle_xor(total, d);
      if constexpr (BUG != Bug::sync) sync_threads();  // the sums of the vertex before have been read
      if (lane_index() == 0) buffer[warp_index()] = total;
      sync_threads();
      if (t == 0) global(g.next)[v] = int(buffer[0]) + int(buffer[1]);
    }
  }
};

// The same, BlockAdd: thread 0 clears a sum. SyncBug: others add to it without a barrier; RaceBug: they add at once.
template <Bug BUG>
struct BlockAdd {
  static constexpr int threads = 64, blocks = 2;
  struct Shared { SharedArray<int, 1> difference; };
  TS_DEVICE void operator()(Shared& memory, Graph const& g) const {
    auto const difference = shared(memory.difference, "difference");
    int const t = thread_index(), v = int(block_index()) * threads + t;
    if (t == 0) difference[0] = 0;
    if constexpr (BUG != Bug::sync) sync_threads();
    int const mine[1] = {v};
    for (int turn = 0; turn < threads; ++turn) {  // one after the other, in place of atomics
      if (BUG == Bug::race ? turn == 0 : t == turn) difference[0] = int(difference[0]) + mine[0];
      if (BUG != Bug::race && BUG != Bug::sync) sync_threads();
    }
    if constexpr (BUG == Bug::race || BUG == Bug::sync) sync_threads();
    if (t == 0) global(g.sum)[block_index()] = int(difference[0]);
  }
};

// TC-CUDA/TC_CUDA_V.idg, Reduction: warps sum by shuffles, a block through shared memory. SyncBug: no barrier between;
// RaceBug: blocks add to one count.
template <bool PERSIST, Bug BUG>
struct CountTriangles {
  static constexpr int threads = 64, blocks = 2;
  struct Shared { SharedArray<int, 2> warps; };
  TS_DEVICE static int common(Graph const& g, int first, int end, int other, int end_other) {
    int count = 0;
    for (int i = first; i < end; ++i) {
      for (int j = other; j < end_other; ++j) count += int(global(g.list)[i]) == int(global(g.list)[j]);
    }
    return count;
  }
  TS_DEVICE void operator()(Shared& memory, Graph const& g) const {
    auto const warps = shared(memory.warps, "warps");
    int const t = thread_index();
    int count = 0;
    auto const visit = [&](int v) TS_INLINE_LAMBDA {
      int const end = global(g.index)[v + 1];
      for (int j = global(g.index)[v]; BUG == Bug::neighbour ? j <= end : j < end; ++j) {
        int const u = global(g.list)[j];
        count += common(g, j + 1, end, int(global(g.index)[u]), int(global(g.index)[u + 1]));
      }
    };
    for_vertices<PERSIST, BUG>(int(block_index()) * threads + t, blocks * threads, visit);
    for (int d = 1; d < 32; d *= 2) count += shuffle_xor(count, d);
    if (lane_index() == 0) warps[warp_index()] = count;
    if constexpr (BUG != Bug::sync) sync_threads();
    if (t != 0) return;
    int const all = int(warps[0]) + int(warps[1]);
    if constexpr (BUG == Bug::race) global(g.sum)[0] = int(global(g.sum)[0]) + all;
    else global(g.sum)[block_index()] = all;
  }
};

// CC-CUDA/CC_CUDA_V_Topo_Pull.idg: a vertex takes its neighbours' smallest label. RaceBug: in place.
// CC-CUDA/CC_CUDA_V_Data_Push.idg: a vertex gives its label to its neighbours; RaceBug: without atomics.
template <bool PUSH, Bug BUG>
struct Components {
  static constexpr int threads = 64, blocks = 2;
  using Shared = NoShared;
  TS_DEVICE void operator()(Shared&, Graph const& g) const {
    auto const before = global(BUG == Bug::race ? static_cast<int const*>(g.next) : g.state);
    int const v = int(block_index()) * threads + thread_index();
    if (v >= nodes) return;
    int label = before[v];
    for (int i = global(g.index)[v]; i < int(global(g.index)[v + 1]); ++i) {
      int const u = global(g.list)[i], other = before[u];
      if constexpr (PUSH) {
        if (other > label) global(g.next)[u] = label;
      } else if (other < label) {
        label = other;
      }
    }
    if constexpr (!PUSH) global(g.next)[v] = label;
  }
};

// MIS-CUDA/MIS_CUDA_V_Topo_Push.idg: RaceBug: each undecided vertex sets the flag "again"; UninitializedBug: init
// leaves the state out.
struct Init {
  static constexpr int threads = 64, blocks = 2;
  using Shared = NoShared;
  TS_DEVICE void operator()(Shared&, Graph const& g) const {
    int const v = int(block_index()) * threads + thread_index();
    if (v < nodes) global(g.next)[v] = 2;
  }
};
template <Bug BUG>
struct Independent {
  static constexpr int threads = 64, blocks = 2;
  using Shared = NoShared;
  TS_DEVICE void operator()(Shared&, Graph const& g) const {
    int const v = int(block_index()) * threads + thread_index();
    if (v >= nodes || int(global(g.next)[v]) != 2) return;
    bool is_first = true;
    for (int i = global(g.index)[v]; i < int(global(g.index)[v + 1]); ++i) {
      int const u = global(g.list)[i];
      is_first = is_first && (int(global(g.state)[v]) > int(global(g.state)[u]) || u == v);
    }
    if constexpr (BUG == Bug::race) {
      if (!is_first) global(g.sum)[0] = 1;
    }
    global(g.next)[v] = is_first ? 1 : 2;
  }
};

struct Memory {
  Values list = list_of_neighbours(), values = ints(nodes);
  DeviceBuffer<int> device_index{"index", nodes + 1}, device_list{"list", edges}, state{"state", nodes},
      next{"next", nodes}, sum{"sum", 2};
  Memory() {
    Values index(nodes + 1);
    for (int v = 0; v <= nodes; ++v) index[std::size_t(v)] = v * degree;
    device_index.upload(index.data(), nodes + 1);
    device_list.upload(list.data(), edges);
    state.upload(values.data(), nodes);
    int const zeros[2] = {0, 0};
    sum.upload(zeros, 2);
  }
  Graph graph() { return {device_index.data(), device_list.data(), state.data(), next.data(), sum.data()}; }
  Values result() {
    Values out(nodes);
    next.download(out.data(), nodes);
    return out;
  }
};

template <class Kernel>
Case on_graph(Label label, bool writes_next = false, bool inits = false,
              std::function<Values(Values const&, Values const&)> reference = {}) {
  return {"Indigo3", std::move(label), [=] {
            Memory memory;
            if (writes_next) memory.next.upload(memory.values.data(), nodes);
            if (inits) launch(Init{}, Init::blocks, memory.graph());
            launch(Kernel{}, Kernel::blocks, memory.graph());
            synchronize();
            return !reference || memory.result() == reference(memory.values, memory.list);
          }};
}

template <class Combine>
auto over_neighbours(Combine combine) {
  return [combine](Values const& state, Values const& list) {
    Values out(nodes);
    for (int v = 0; v < nodes; ++v) {
      int value = combine(0, state[std::size_t(v)], true);
      for (int i = 0; i < degree; ++i)
        value = combine(value, state[std::size_t(list[std::size_t(v * degree + i)])], false);
      out[std::size_t(v)] = value;
    }
    return out;
  };
}

}  // namespace

std::vector<Case> indigo3_cases() {
  std::string const pull = "PR-CUDA/PR_CUDA_Pull.idg", triangles = "TC-CUDA/TC_CUDA_V.idg",
                    topo = "CC-CUDA/CC_CUDA_V_Topo_Pull.idg", push = "CC-CUDA/CC_CUDA_V_Data_Push.idg",
                    mis = "MIS-CUDA/MIS_CUDA_V_Topo_Push.idg", race = "race", bounds = "out of bounds",
                    none = "uninitialised read";
  auto const sums = over_neighbours([](int sum, int x, bool own) { return own ? 0 : sum + x; });
  auto const least = over_neighbours([](int sum, int x, bool own) { return own ? x : std::min(sum, x); });
  return {
      on_graph<Pull<false, Bug::none>>({"PR, thread", pull, ""}, false, false, sums),
      on_graph<Pull<true, Bug::none>>({"PR, thread, persistent", pull, ""}, false, false, sums),
      on_graph<PullByWarp>({"PR, warp", pull, "", "sm80"}, false, false, sums),
      on_graph<PullByBlock<Bug::none>>({"PR, block", pull, "", "sm80"}, false, false, sums),
      on_graph<PullByBlock<Bug::sync>>({"PR, block, SyncBug", pull, race, "sm80"}),
      on_graph<Pull<false, Bug::race>>({"PR, RaceBug", pull, race}),
      on_graph<Pull<false, Bug::neighbour>>({"PR, NbrBoundsBug", pull, bounds}),
      on_graph<Pull<false, Bug::excess>>({"PR, ExcessThreadsBug", pull, bounds}),
      on_graph<Pull<true, Bug::bounds>>({"PR, BoundsBug", pull, bounds}),
      on_graph<Pull<true, Bug::field>>({"PR, FieldBug", pull, bounds}),
      on_graph<BlockAdd<Bug::none>>({"PR, sum of a block", pull, ""}),
      on_graph<BlockAdd<Bug::sync>>({"PR, sum of a block, SyncBug", pull, race + "|" + none}),
      on_graph<BlockAdd<Bug::race>>({"PR, sum of a block, RaceBug", pull, race}),
      on_graph<CountTriangles<false, Bug::none>>({"TC", triangles, "", "sm80"}),
      on_graph<CountTriangles<true, Bug::none>>({"TC, persistent", triangles, "", "sm80"}),
      on_graph<CountTriangles<false, Bug::sync>>({"TC, SyncBug", triangles, race + "|" + none, "sm80"}),
      on_graph<CountTriangles<false, Bug::race>>({"TC, RaceBug", triangles, race, "sm80"}),
      on_graph<CountTriangles<false, Bug::neighbour>>({"TC, NbrBoundsBug", triangles, bounds, "sm80"}),
      on_graph<CountTriangles<false, Bug::excess>>({"TC, ExcessThreadsBug", triangles, bounds, "sm80"}),
      on_graph<CountTriangles<true, Bug::bounds>>({"TC, BoundsBug", triangles, bounds, "sm80"}),
      on_graph<Components<false, Bug::none>>({"CC, pull", topo, ""}, false, false, least),
      on_graph<Components<false, Bug::race>>({"CC, pull, RaceBug", topo, race}, true),
      on_graph<Components<true, Bug::race>>({"CC, push, RaceBug", push, race}, true),
      on_graph<Independent<Bug::none>>({"MIS", mis, ""}, false, true),
      on_graph<Independent<Bug::race>>({"MIS, RaceBug", mis, race}, false, true),
      on_graph<Independent<Bug::uninitialised>>({"MIS, UninitializedBug", mis, none}),
  };
}

}  // namespace public_sets
