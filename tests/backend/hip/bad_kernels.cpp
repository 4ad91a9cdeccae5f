// Kernels that each break one rule of isa_check.py, and a good one: the checks must tell them apart.

#include <tilestep/backend/kernel.hpp>   // thread_index
#include <tilestep/backend/launch.hpp>   // launch
#include <tilestep/backend/pointer.hpp>  // SharedArray

namespace bad_kernels {

using namespace tilestep;

struct Params {
  float* data;
  int index;
};

/// A register array with an index that is known at run time alone.
struct Fails_scratch {
  static constexpr int threads = 64;
  using Shared = NoShared;
  TS_DEVICE void operator()(Shared&, Params const& p) const {
    float r[200];
    for (int i = 0; i < 200; ++i) r[(i * p.index) % 200] = p.data[i];
    p.data[thread_index()] = r[p.index] + r[p.index / 2];
  }
};

/// More live values than a thread of a 1024-thread block has registers.
struct Fails_spills {
  static constexpr int threads = 1024;
  using Shared = NoShared;
  TS_DEVICE void operator()(Shared&, Params const& p) const {
    float r[300];
    TS_UNROLL
    for (int i = 0; i < 300; ++i) r[i] = p.data[thread_index() + i * 1024];
    sync_threads();
    asm volatile("; every value is needed after this" ::: "memory");
    TS_UNROLL
    for (int i = 0; i < 300; ++i) p.data[thread_index() * 300 + i] = r[i] * r[299 - i];
  }
};

/// A pointer that may be to either memory.
struct Fails_flat {
  static constexpr int threads = 64;
  struct Shared {
    SharedArray<float, 64> values;
  };
  TS_DEVICE void operator()(Shared& memory, Params const& p) const {
    memory.values.elements[thread_index()] = p.data[thread_index()];
    sync_threads();  // all threads wrote values before any reads them
    float const* const either = p.index > thread_index() ? memory.values.elements : p.data;
    p.data[thread_index() + 64] = either[p.index];
  }
};

__attribute__((noinline)) TS_DEVICE void far_away(float* data) { data[thread_index()] += 1; }

/// A function that stays one.
struct Fails_calls {
  static constexpr int threads = 64;
  using Shared = NoShared;
  TS_DEVICE void operator()(Shared&, Params const& p) const { far_away(p.data); }
};

/// Shared memory behind a pointer that the compiler cannot follow.
struct Fails_shared {
  static constexpr int threads = 64;
  struct Shared {
    SharedArray<float, 64> values;
  };
  TS_DEVICE void operator()(Shared& memory, Params const& p) const {
    float* hidden = memory.values.elements;
    asm volatile("" : "+v"(hidden));
    hidden[thread_index()] = p.data[thread_index()];
    sync_threads();  // all threads wrote values before any reads them
    p.data[thread_index()] = hidden[p.index];
  }
};

/// Breaks none.
struct Passes_all {
  static constexpr int threads = 64;
  struct Shared {
    SharedArray<float, 64> values;
  };
  TS_DEVICE void operator()(Shared& memory, Params const& p) const {
    auto const values = shared(memory.values, "values");
    values[thread_index()] = p.data[thread_index()];
    sync_threads();  // all threads wrote values before any reads them
    p.data[thread_index()] = values[p.index];
  }
};

void launch_bad_kernels(Params const& p) {
  launch(Fails_scratch{}, 1, p);
  launch(Fails_spills{}, 1, p);
  launch(Fails_flat{}, 1, p);
  launch(Fails_calls{}, 1, p);
  launch(Fails_shared{}, 1, p);
  launch(Passes_all{}, 1, p);
}

}  // namespace bad_kernels
