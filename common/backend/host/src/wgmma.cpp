// wgmma: in flight from its issue until its warpgroup waits for it, when it happens. Its tiles may not be written
// meanwhile, its accumulators hold poison.

#include <tilestep/backend/matrix_arithmetic.hpp>     // value_of, add_row_at_once
#include <tilestep/backend/virtual_gpu/access.hpp>    // poison
#include <tilestep/backend/virtual_gpu/hopper.hpp>    // what is implemented here
#include <tilestep/backend/virtual_gpu/worker.hpp>    // Worker
#include <tilestep/backend/wgmma_table.hpp>           // wgmma_address

#include <algorithm>  // std::find_if, std::transform
#include <cstring>    // std::memcpy, std::memset

namespace tilestep::virtual_gpu {

namespace {

constexpr std::uint32_t piece_bytes = 16;

float element(std::uint16_t bits, DType type) {
  return type == DType::f16 ? value_of<DType::f16>(bits) : value_of<DType::bf16>(bits);
}

// Calls visit(address, x, k) for every run of eight elements of a tile of `extent` x 16.
template <class Visit>
void for_each_run(TileDescriptor tile, Major major, int extent, Visit&& visit) {
  bool const along_k = major == Major::k;
  for (int x = 0; x < extent; x += along_k ? 1 : 8) {
    for (int k = 0; k < 16; k += along_k ? 8 : 1) visit(wgmma_address(tile, major, x, k), x, k);
  }
}

// C += A B, 16 products at once. tests/backend/any/test_hopper.cpp compares every bit.
// @param a (64,16)  @param b (16,N)  @param c (64,N), each with the second mode contiguous
template <DType Type>
void multiply_add(std::vector<float> const& a, std::vector<float> const& b, std::vector<float>& c) {
  std::size_t const N = b.size() / 16;
  std::vector<double> const wide_a(a.begin(), a.end()), wide_b(b.begin(), b.end());
  std::vector<double> power_b(b.size());
  std::transform(wide_b.begin(), wide_b.end(), power_b.begin(), power_of<Type>);
  for (std::size_t m = 0; m < 64; ++m)
    add_row_at_once<Type, DType::f32>(&wide_a[m * 16], 16, wide_b.data(), power_b.data(), &c[m * N], N);
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
  if (!product.kind.a_in_registers) for_each_run(product.a, product.kind.major_a, 64, count);
  for_each_run(product.b, product.kind.major_b, product.kind.N, count);
}

Instruction const* Hopper::product_of(std::uint32_t at) const {
  std::uint32_t const piece = at / piece_bytes * piece_bytes;
  for (std::size_t group = 0; group < warpgroups_.size(); ++group) {
    std::uint32_t const begin = block_begin(int(group) * warpgroup_size / block_threads_);
    for (Product const& product : warpgroups_[group].products) {
      bool reads = false;
      auto const compare = [&](std::uint32_t address, int, int) { reads = reads || begin + address == piece; };
      if (!product.kind.a_in_registers) for_each_run(product.a, product.kind.major_a, 64, compare);
      for_each_run(product.b, product.kind.major_b, product.kind.N, compare);
      if (reads) return product.call;
    }
  }
  return nullptr;
}

void Hopper::multiply(WgmmaKind const& kind, WgmmaThread const& thread, Where const& place) {
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
    if (!kind.a_in_registers) for_each_run(product.a, kind.major_a, 64, check);
    for_each_run(product.b, kind.major_b, kind.N, check);
    if (outside) {
      report("out of bounds", &call, 51,
             "issues a wgmma whose descriptor reaches past the end of the block's shared memory, from",
             begin + product.b.address(), "");
    }
  }

  auto const registers = std::size_t(kind.N / 2);
  bool const new_sums = std::none_of(mine.sums.begin(), mine.sums.end(),
                                     [&](Sums const& s) { return s.registers == thread.d; });
  auto const unwritten = [&](char const* operand, void const* from, std::size_t bytes, int unit) {
    if (!worker_.watches(unit) || first_unwritten(from, std::int64_t(bytes), unit) < 0) return;
    worker_.hazards.add({"register never written", 0, {&call, operand[0]}}, worker_.turn_, [&] {
      return worker_.who(me()) + " brings " + operand + " to " + kind.name + " at " + line_of(&call) +
             " in registers that it never wrote: clear() or copy() to the fragment first";
    });
  };
  if (kind.a_in_registers) unwritten("A", thread.registers_a, sizeof(thread.registers_a), 2);
  if (thread.accumulate && new_sums) unwritten("C", thread.d, registers * sizeof(float), 4);
  auto sums = std::find_if(mine.sums.begin(), mine.sums.end(), [&](Sums const& s) { return s.registers == thread.d; });
  if (new_sums) {
    if (!mine.fenced) {
      worker_.hazards.add({"missing fence", 0, {&call, 52}}, worker_.turn_, [&] {
        return worker_.who(me()) + " issues a wgmma at " + line_of(&call) +
               " on accumulators that it may have touched since the last wgmma_wait: call wgmma_fence() first";
      });
    }
    mine.sums.push_back({thread.d, 0, std::vector<float>(thread.d, thread.d + registers)});
    sums = mine.sums.end() - 1;
    std::memset(thread.d, poison, registers * sizeof(float));
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
      std::memcpy(sums.registers, sums.values.data(), sums.values.size() * sizeof(float));
      state.fenced = false;
      return true;
    });
  }
  tick();
}

void Hopper::execute(int group, Product& product) {
  WgmmaKind const& kind = product.kind;
  int const first = group * warpgroup_size;
  auto const N = std::size_t(kind.N);
  unsigned char const* const shared = worker_.shared_ + block_begin(first / block_threads_);
  std::uint32_t const begin = block_begin(first / block_threads_);
  std::vector<float> a(64 * 16), b(16 * N);  // (m,k), (k,n), the second contiguous
  auto const read = [&](TileDescriptor tile, Major major, int extent, auto&& put) {
    for_each_run(tile, major, extent, [&](std::uint32_t address, int x, int k) {
      std::uint16_t elements[8];
      if (in_bounds(begin + address, piece_bytes)) std::memcpy(elements, shared + address, sizeof(elements));
      else std::memset(elements, poison, sizeof(elements));
      for (int i = 0; i < 8; ++i)
        put(major == Major::k ? x : x + i, major == Major::k ? k + i : k, element(elements[i], kind.type));
    });
  };
  if (kind.a_in_registers) {
    for (int thread = 0; thread < warpgroup_size; ++thread) {
      for (int i = 0; i < 8; ++i) {
        Place const place = wgmma_operand_a(thread, i);
        std::uint32_t const pair = product.threads[std::size_t(thread)].registers_a[i / 2];
        a[std::size_t(place.row * 16 + place.column)] = element(std::uint16_t(pair >> (i % 2 * 16)), kind.type);
      }
    }
  } else {
    read(product.a, kind.major_a, 64, [&](int m, int k, float value) { a[std::size_t(m * 16 + k)] = value; });
  }
  read(product.b, kind.major_b, kind.N,
       [&](int n, int k, float value) { b[std::size_t(k) * N + std::size_t(n)] = value; });
  std::vector<float> c(64 * N);  // (m,n)
  auto const for_each_sum = [&](auto&& visit) {
    for (int thread = 0; thread < warpgroup_size; ++thread) {
      ThreadState& state = states_[std::size_t(first + thread)];
      float* const d = product.threads[std::size_t(thread)].d;
      Sums& mine = *std::find_if(state.sums.begin(), state.sums.end(), [&](Sums const& s) { return s.registers == d; });
      for (int i = 0; i < kind.N / 2; ++i) {
        Place const place = wgmma_accumulator(thread, i);
        visit(mine.values[std::size_t(i)], c[std::size_t(place.row) * N + std::size_t(place.column)]);
      }
    }
  };
  if (product.accumulate) for_each_sum([](float& value, float& element) { element = value; });
  if (kind.type == DType::f16) multiply_add<DType::f16>(a, b, c);
  else multiply_add<DType::bf16>(a, b, c);
  for_each_sum([](float& value, float& element) { value = element; });
  for (int thread = 0; thread < warpgroup_size; ++thread) {
    float* const d = product.threads[std::size_t(thread)].d;
    for (Sums& sums : states_[std::size_t(first + thread)].sums) sums.users -= sums.registers == d;
  }
}

}  // namespace tilestep::virtual_gpu
