// wgmma: in flight from its issue until its warpgroup waits for it, when it happens. Its tiles may not be written
// meanwhile, its accumulators hold poison.

#include <tilestep/backend/matrix_arithmetic.hpp>     // value_of, add_row_at_once
#include <tilestep/backend/virtual_gpu/access.hpp>    // poison
#include <tilestep/backend/virtual_gpu/hopper.hpp>    // what is implemented here
#include <tilestep/backend/virtual_gpu/unwritten.hpp>  // first_unwritten, unwritten_unit
#include <tilestep/backend/virtual_gpu/worker.hpp>    // Worker
#include <tilestep/backend/wgmma_table.hpp>           // wgmma_address

#include <algorithm>  // std::clamp, std::copy, std::find_if, std::transform
#include <bit>        // std::bit_cast
#include <cstring>    // std::memcpy, std::memset

namespace tilestep::virtual_gpu {

namespace {

/// One element of a tile, or of a register.
double element(std::uint32_t bits, DType type) {
  switch (type) {
    case DType::f16: return value_of<DType::f16>(bits);
    case DType::bf16: return value_of<DType::bf16>(bits);
    case DType::tf32: return value_of<DType::tf32>(bits);
    case DType::e4m3: return value_of<DType::e4m3>(bits);
    case DType::e5m2: return value_of<DType::e5m2>(bits);
    case DType::i8: return value_of<DType::i8>(bits);
    default: return value_of<DType::u8>(bits);
  }
}

constexpr int bytes_of_element(WgmmaKind const& kind) { return bits_of(kind.a) / 8; }

// Calls visit(address, x, k) for every run of 16 bytes of a tile of `extent` rows.
template <class Visit>
void for_each_run(WgmmaKind const& kind, TileDescriptor tile, Major major, int extent, Visit&& visit) {
  bool const along_k = major == Major::k;
  int const bytes = bytes_of_element(kind), run = int(piece_bytes) / bytes;
  for (int x = 0; x < extent; x += along_k ? 1 : run) {
    for (int k = 0; k < kind.K; k += along_k ? run : 1) visit(wgmma_address(tile, major, x, k, bytes), x, k);
  }
}

/// The matrices of a product, each with the second mode contiguous: A (64,K), B (K,N), C (64,N).
struct Operands {
  std::vector<double> a, b, c;
};

// C += A B, all products at once. tests/backend/any/test_hopper.cpp compares every bit of those of 16 bits.
template <DType A, DType C, int BITS = 25>
void multiply_add_as(WgmmaKind const& kind, Operands& operands) {
  auto const N = std::size_t(kind.N), K = std::size_t(kind.K);
  std::vector<double> power_b(operands.b.size());
  std::transform(operands.b.begin(), operands.b.end(), power_b.begin(), [&](double value) {
    return kind.b == DType::e4m3 ? power_of<DType::e4m3>(value)
           : kind.b == DType::e5m2 ? power_of<DType::e5m2>(value) : power_of<A>(value);
  });
  for (std::size_t m = 0; m < 64; ++m) {
    float row[256];
    std::transform(&operands.c[m * N], &operands.c[m * N] + N, row, [](double sum) { return float(sum); });
    add_row_at_once<A, C, BITS>(&operands.a[m * K], K, operands.b.data(), power_b.data(), row, N);
    std::copy(row, row + N, &operands.c[m * N]);
  }
}

// Of integers: the sums wrap around, or stop at the ends of 32 bits. A double holds all of them.
void multiply_add_integers(WgmmaKind const& kind, Operands& operands) {
  auto const N = std::size_t(kind.N), K = std::size_t(kind.K);
  for (std::size_t m = 0; m < 64; ++m) {
    for (std::size_t k = 0; k < K; ++k) {
      for (std::size_t n = 0; n < N; ++n) operands.c[m * N + n] += operands.a[m * K + k] * operands.b[k * N + n];
    }
  }
  for (double& sum : operands.c) {
    if (kind.saturates) sum = std::clamp(sum, -2147483648.0, 2147483647.0);
    else sum = std::int32_t(std::uint32_t(std::int64_t(sum)));
  }
}

template <DType A, int BITS = 25>
void multiply_add_floats(WgmmaKind const& kind, Operands& operands) {
  if (kind.c == DType::f16) multiply_add_as<A, DType::f16, BITS>(kind, operands);
  else multiply_add_as<A, DType::f32, BITS>(kind, operands);
}

void multiply_add(WgmmaKind const& kind, Operands& operands) {
  switch (kind.a) {
    case DType::f16: return multiply_add_floats<DType::f16>(kind, operands);
    case DType::bf16:
    case DType::tf32: return multiply_add_as<DType::bf16, DType::f32>(kind, operands);  // they have the same exponents
    case DType::e4m3: return multiply_add_floats<DType::e4m3, 13>(kind, operands);
    case DType::e5m2: return multiply_add_floats<DType::e5m2, 13>(kind, operands);
    default: return multiply_add_integers(kind, operands);
  }
}

/// Sum i of a thread in its registers, and back.
double sum_of(WgmmaKind const& kind, std::vector<std::uint32_t> const& registers, int i) {
  if (kind.c == DType::f16) return element(registers[std::size_t(i / 2)] >> (i % 2 * 16), DType::f16);
  std::uint32_t const bits = registers[std::size_t(i)];
  return kind.c == DType::f32 ? double(f32_of(bits)) : double(std::int32_t(bits));
}
void put_sum(WgmmaKind const& kind, std::vector<std::uint32_t>& registers, int i, double sum) {
  if (kind.c == DType::f16) {
    int const shift = i % 2 * 16;
    std::uint32_t& both = registers[std::size_t(i / 2)];
    both = (both & ~(0xffffu << shift)) | f16_of_f32(float(sum)) << shift;
  } else if (kind.c == DType::f32) {
    registers[std::size_t(i)] = std::bit_cast<std::uint32_t>(float(sum));
  } else {
    registers[std::size_t(i)] = std::uint32_t(std::int32_t(sum));
  }
}

}  // namespace

// The product begins (1) or ends (-1) to read its tiles; reads that are over are noted.
void Hopper::count_readers(Product const& product, int group, int more) {
  int const first = group * warpgroup_size;
  std::uint32_t const begin = block_begin(first / block_threads_);
  auto const count = [&](std::uint32_t address, int, int) {
    if (!in_bounds(begin + address, piece_bytes)) return;
    Piece& piece = pieces_[(begin + address) / piece_bytes];
    piece.multiplying = std::uint16_t(piece.multiplying + more);
    int const agent = block_threads_ + first % block_threads_ / warpgroup_size;
    if (more < 0) note_line_read(begin + address, agent, *product.call);
  };
  if (!product.kind.a_in_registers) for_each_run(product.kind, product.a, product.kind.major_a, 64, count);
  for_each_run(product.kind, product.b, product.kind.major_b, product.kind.N, count);
}

Instruction const* Hopper::product_of(std::uint32_t at) const {
  std::uint32_t const piece = at / piece_bytes * piece_bytes;
  for (std::size_t group = 0; group < warpgroups_.size(); ++group) {
    std::uint32_t const begin = block_begin(int(group) * warpgroup_size / block_threads_);
    for (Product const& product : warpgroups_[group].products) {
      bool reads = false;
      auto const compare = [&](std::uint32_t address, int, int) { reads = reads || begin + address == piece; };
      if (!product.kind.a_in_registers) for_each_run(product.kind, product.a, product.kind.major_a, 64, compare);
      for_each_run(product.kind, product.b, product.kind.major_b, product.kind.N, compare);
      if (reads) return product.call;
    }
  }
  return nullptr;
}

[[gnu::noinline]] void Hopper::multiply(WgmmaKind const& kind, WgmmaThread const& thread, Where const& place) {
  if (block_threads_ % warpgroup_size != 0)
    worker_.abandon_thread("wgmma is an instruction of four warps: make the number of threads a multiple of 128");
  Instruction const& call = worker_.instruction(__builtin_frame_address(0), place);
  int const group = me() / warpgroup_size;
  ThreadState& mine = states_[std::size_t(me())];
  WarpgroupState& all = warpgroups_[std::size_t(group)];
  auto const i = std::size_t(mine.products++ - all.finished);
  if (i == all.products.size()) {
    all.products.push_back({kind, thread.a, thread.b, thread.accumulate, mine.product_groups, &call,
                            std::vector<WgmmaThread>(warpgroup_size)});
    if (checks()) count_readers(all.products[i], group, 1);
  }
  Product& product = all.products[i];
  if (product.a.bits != thread.a.bits || product.b.bits != thread.b.bits || product.kind.name != kind.name ||
      product.accumulate != thread.accumulate || product.group != mine.product_groups) {
    worker_.hazards.add({"divergent barrier", 0, {&call, 50}}, worker_.turn_, [&] {
      return worker_.who(me()) + " brings another " + kind.name + " at " + line_of(&call) +
             " than the first thread of its warpgroup: all 128 threads issue the same, with the same descriptors";
    });
    worker_.stop_here(Worker::State::abandoned);
  }
  product.threads[std::size_t(me() % warpgroup_size)] = thread;
  if (worker_.lane == 0 && checks()) {
    bool outside = false;
    std::uint32_t const begin = block_begin(worker_.rank);
    auto const check = [&](std::uint32_t address, int, int) {
      if (!in_bounds(begin + address, piece_bytes)) outside = true;
      else check_engine_read(begin + address, "issues a wgmma that reads", call);
    };
    if (!kind.a_in_registers) for_each_run(kind, product.a, kind.major_a, 64, check);
    for_each_run(kind, product.b, kind.major_b, kind.N, check);
    if (outside) {
      report("out of bounds", &call, 51,
             "issues a wgmma whose descriptor reaches past the end of the block's shared memory, from",
             begin + product.b.address(), "");
    }
  }

  std::size_t const bytes_of_sums = std::size_t(kind.registers) * sizeof(std::uint32_t);
  bool const new_sums = std::none_of(mine.sums.begin(), mine.sums.end(),
                                     [&](Sums const& s) { return s.registers == thread.d; });
  auto const unwritten = [&](char const* operand, void const* from, std::size_t bytes, int unit) {
    if (!worker_.watches(unit) || first_unwritten(from, std::int64_t(bytes), unit) < 0) return;
    worker_.hazards.add({"register never written", 0, {&call, operand[0]}}, worker_.turn_, [&] {
      return worker_.who(me()) + " brings " + operand + " to " + kind.name + " at " + line_of(&call) +
             " in registers that it never wrote: clear() or copy() to the fragment first";
    });
  };
  if (kind.a_in_registers)
    unwritten("A", thread.registers_a, sizeof(thread.registers_a), unwritten_unit(bytes_of_element(kind)));
  if (thread.accumulate && new_sums) unwritten("C", thread.d, bytes_of_sums, bits_of(kind.c) / 8);
  auto sums = std::find_if(mine.sums.begin(), mine.sums.end(), [&](Sums const& s) { return s.registers == thread.d; });
  if (new_sums) {
    if (!mine.fenced) {
      worker_.hazards.add({"missing fence", 0, {&call, 52}}, worker_.turn_, [&] {
        return worker_.who(me()) + " issues a wgmma at " + line_of(&call) +
               " on accumulators that it may have touched since the last wgmma_wait: call wgmma_fence() first";
      });
    }
    mine.sums.push_back({thread.d, 0, std::vector<std::uint32_t>(std::size_t(kind.registers))});
    sums = mine.sums.end() - 1;
    std::memcpy(sums->values.data(), thread.d, bytes_of_sums);
    std::memset(thread.d, poison, bytes_of_sums);
  }
  ++sums->users;
}

void Hopper::fence_products() { states_[std::size_t(me())].fenced = true; }
void Hopper::commit_products() { ++states_[std::size_t(me())].product_groups; }

void Hopper::wait_for_products(int groups, Where const& place) {
  Worker::Thread& self = worker_.threads_[std::size_t(me())];
  self.place = place;
  self.detail = groups;
  worker_.stop_here(Worker::State::at_products);
}

// All threads of the warpgroup wait: the products of all but the newest groups happen.
void Hopper::finish_products(int group, std::uint64_t groups_left) {
  WarpgroupState& all = warpgroups_[std::size_t(group)];
  int const first = group * warpgroup_size;
  std::uint64_t const groups = states_[std::size_t(first)].product_groups;
  std::size_t done = 0;
  for (; done < all.products.size() && all.products[done].group + groups_left < groups; ++done) {
    Product& product = all.products[done];
    execute(group, product);
    worker_.counters.add_matrix_instructions(product.kind.name, 1);
    if (checks()) count_readers(product, group, -1);
  }
  all.products.erase(all.products.begin(), all.products.begin() + std::ptrdiff_t(done));
  all.finished += done;
  for (int thread = first; thread < first + warpgroup_size; ++thread) {
    order_.of(thread)[std::size_t(order_.warpgroup(group))] = now();
    ThreadState& state = states_[std::size_t(thread)];
    std::erase_if(state.sums, [&](Sums const& sums) {
      if (sums.users > 0) return false;
      std::memcpy(sums.registers, sums.values.data(), sums.values.size() * sizeof(std::uint32_t));
      state.fenced = false;
      return true;
    });
  }
  tick();
}

void Hopper::execute(int group, Product& product) {
  WgmmaKind const& kind = product.kind;
  int const first = group * warpgroup_size, bytes = bytes_of_element(kind), run = int(piece_bytes) / bytes;
  auto const N = std::size_t(kind.N), K = std::size_t(kind.K);
  unsigned char const* const shared = worker_.shared_ + block_begin(first / block_threads_);
  std::uint32_t const begin = block_begin(first / block_threads_);
  Operands operands{std::vector<double>(64 * K), std::vector<double>(K * N), std::vector<double>(64 * N)};
  auto const element_at = [&](void const* from, int i, DType type) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, static_cast<unsigned char const*>(from) + i * bytes, std::size_t(bytes));
    return element(bits, type);
  };
  auto const read = [&](TileDescriptor tile, Major major, DType type, int extent, auto&& put) {
    for_each_run(kind, tile, major, extent, [&](std::uint32_t address, int x, int k) {
      unsigned char piece[piece_bytes];
      if (in_bounds(begin + address, piece_bytes)) std::memcpy(piece, shared + address, piece_bytes);
      else std::memset(piece, poison, piece_bytes);
      for (int i = 0; i < run; ++i)
        put(std::size_t(major == Major::k ? x : x + i), std::size_t(major == Major::k ? k + i : k),
            element_at(piece, i, type));
    });
  };
  if (kind.a_in_registers) {
    for (int thread = 0; thread < warpgroup_size; ++thread) {
      for (int i = 0; i < 16 / bytes; ++i) {
        Place const place = wgmma_operand_a(thread, i, bytes);
        operands.a[std::size_t(place.row) * K + std::size_t(place.column)] =
            element_at(product.threads[std::size_t(thread)].registers_a, i, kind.a);
      }
    }
  } else {
    read(product.a, kind.major_a, kind.a, 64,
         [&](std::size_t m, std::size_t k, double value) { operands.a[m * K + k] = value; });
  }
  read(product.b, kind.major_b, kind.b, kind.N,
       [&](std::size_t n, std::size_t k, double value) { operands.b[k * N + n] = value; });
  auto const for_each_sum = [&](auto&& visit) {
    for (int thread = 0; thread < warpgroup_size; ++thread) {
      ThreadState& state = states_[std::size_t(first + thread)];
      void* const d = product.threads[std::size_t(thread)].d;
      Sums& mine = *std::find_if(state.sums.begin(), state.sums.end(), [&](Sums const& s) { return s.registers == d; });
      for (int i = 0; i < kind.N / 2; ++i) {
        Place const place = wgmma_accumulator(thread, i);
        visit(mine.values, i, operands.c[std::size_t(place.row) * N + std::size_t(place.column)]);
      }
    }
  };
  if (product.accumulate)
    for_each_sum([&](auto const& registers, int i, double& sum) { sum = sum_of(kind, registers, i); });
  multiply_add(kind, operands);
  for_each_sum([&](auto& registers, int i, double sum) { put_sum(kind, registers, i, sum); });
  for (int thread = 0; thread < warpgroup_size; ++thread) {
    void* const d = product.threads[std::size_t(thread)].d;
    for (Sums& sums : states_[std::size_t(first + thread)].sums) sums.users -= sums.registers == d;
  }
}

}  // namespace tilestep::virtual_gpu
