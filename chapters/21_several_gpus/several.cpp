// The three ways to share a product. A rank keeps each of its tiles packed in a block of its own: what is sent is one
// piece of memory, and what arrives is one operand of a product.

#include "several.hpp"

#include "products.hpp"  // as_planned, multiply

#include <tilestep/backend/runtime.hpp>         // device_alloc, copies
#include <tilestep/backend/stream.hpp>          // Stream, Event
#include <tilestep/harness/finish_slices.hpp>   // finish_slices
#include <tilestep/harness/gemm_schedule.hpp>   // machine_for
#include <tilestep/show/layouts.hpp>            // text_layout

#include <cstring>  // std::memcpy
#include <map>      // blocks by their names
#include <optional>  // a stream, where there is one
#include <vector>   // memory of the host

namespace tilestep {

namespace {

using Bytes = std::vector<unsigned char>;

/// A matrix cut into tiles, and the block that a tile lies in. A block is one piece of memory, or has pieces of some
/// rows each, one behind the other, so that each can travel alone.
struct TiledMatrix {
  TiledMatrix(DType element, std::int64_t m, std::int64_t n, Strides const& whole, Holder const& who,
              std::int64_t chunks = 1)
      : type(element),
        rows(m),
        cols(n),
        strides(whole),
        holder(who),
        parts_m(size<0>(who)),
        parts_n(size<1>(who)),
        block_m(part_size(m, parts_m)),
        block_n(part_size(n, parts_n)),
        piece_m(part_size(block_m, chunks)),
        pieces(piece_m == 0 ? 1 : (block_m + piece_m - 1) / piece_m),
        block(whole.col == 1 ? Strides{block_n, 1, piece_m * block_n} : Strides{1, piece_m, piece_m * block_n}) {}

  DType type;
  std::int64_t rows, cols;
  Strides strides;  ///< of the whole matrix
  Holder holder;
  std::int64_t parts_m, parts_n;
  std::int64_t block_m, block_n;
  std::int64_t piece_m, pieces;  ///< rows of a piece, and how many of a block have rows
  Strides block;  ///< of a piece; the same mode is contiguous as in the whole matrix

  [[nodiscard]] std::int64_t piece_bytes() const { return piece_m * block_n * bytes_of(type); }
  [[nodiscard]] std::int64_t bytes() const { return pieces * piece_bytes(); }  ///< of a block
  [[nodiscard]] std::int64_t m_of(std::int64_t i) const { return elements_of_part(rows, parts_m, i); }
  [[nodiscard]] std::int64_t m_of_piece(std::int64_t i, std::int64_t piece) const {
    return std::clamp<std::int64_t>(m_of(i) - piece * piece_m, 0, piece_m);
  }
  [[nodiscard]] std::int64_t n_of(std::int64_t j) const { return elements_of_part(cols, parts_n, j); }

  /// Bytes from the first element of the whole matrix to one past its last.
  [[nodiscard]] std::int64_t span() const {
    return rows * cols == 0 ? 0 : ((rows - 1) * strides.row + (cols - 1) * strides.col + 1) * bytes_of(type);
  }

  /// Calls copy(offset in the whole, offset in the block), in bytes, for each element of a tile.
  template <class Copy>
  void for_each_element(std::int64_t i, std::int64_t j, Copy const& copy) const {
    std::int64_t const element = bytes_of(type);
    for (std::int64_t m = 0; m < m_of(i); ++m) {
      for (std::int64_t n = 0; n < n_of(j); ++n) {
        copy(((i * block_m + m) * strides.row + (j * block_n + n) * strides.col) * element,
             m / piece_m * piece_bytes() + (m % piece_m * block.row + n * block.col) * element);
      }
    }
  }
};

/// Blocks on the device, in memory of the ranks: the first piece of every block, then the second of every block. So
/// what a collective moves, the same piece of all blocks, lies together.
class Blocks {
 public:
  Blocks(char const* name, TiledMatrix const& of, std::int64_t count, Communicator& ranks)
      : count_(count),
        piece_bytes_(of.piece_bytes()),
        memory_(ranks.memory(name, of.bytes() * count, bytes_of(of.type))) {}

  [[nodiscard]] void* piece(std::int64_t block, std::int64_t number) const {
    return static_cast<unsigned char*>(memory_.get()) + (number * count_ + block) * piece_bytes_;
  }
  /// @pre  blocks have one piece, or there is one block
  [[nodiscard]] void* operator[](std::int64_t block) const { return piece(block, 0); }

 private:
  std::int64_t count_, piece_bytes_;
  std::shared_ptr<void> memory_;
};

// [kept]
/// Blocks for what travels. They are there until the product goes, after the wait for all ranks: whoever frees memory
/// waits for the device, and the device may wait for a rank that is gone. The next run of the product takes them again.
class KeptBlocks {
 public:
  Blocks const& take(char const* name, TiledMatrix const& of, std::int64_t count, Communicator& ranks) {
    return blocks_.try_emplace(name, name, of, count, ranks).first->second;
  }

  [[nodiscard]] bool has(char const* name) const { return blocks_.count(name) != 0; }

 private:
  std::map<std::string, Blocks> blocks_;
};
// [kept]

Bytes download(void const* memory, std::int64_t bytes) {
  Bytes host(static_cast<std::size_t>(bytes));
  copy_to_host(host.data(), memory, bytes);
  return host;
}

/// Puts tile (i,j) of a whole matrix into a block on the device; the rest of the block is zero.
void take_tile(TiledMatrix const& of, Bytes const& whole, std::int64_t i, std::int64_t j, Blocks const& blocks,
               std::int64_t block) {
  Bytes packed(static_cast<std::size_t>(of.bytes()));
  auto const element = std::size_t(bytes_of(of.type));
  of.for_each_element(i, j, [&](std::int64_t from, std::int64_t to) {
    std::memcpy(packed.data() + to, whole.data() + from, element);
  });
  for (std::int64_t piece = 0; piece < of.pieces; ++piece)
    copy_to_device(blocks.piece(block, piece), packed.data() + piece * of.piece_bytes(), of.piece_bytes());
}

/// The call of a product of blocks.
GemmCall product(GemmCall const& whole, TiledMatrix const& a, TiledMatrix const& b, TiledMatrix const& c,
                 std::int64_t m, std::int64_t n, std::int64_t k) {
  GemmCall call = whole;
  call.m = m, call.n = n, call.k = k;
  call.stride_a = a.block, call.stride_b = b.block, call.stride_c = c.block;
  call.out = c.type;
  return call;
}

/// The tile of C of a rank: each has one.
std::pair<std::int64_t, std::int64_t> tile_of_rank(TiledMatrix const& c, int rank) {
  for (std::int64_t i = 0; i < c.parts_m; ++i) {
    for (std::int64_t j = 0; j < c.parts_n; ++j) {
      if (c.holder(i, j) == rank) return {i, j};
    }
  }
  bad_input("rank " + std::to_string(rank) + " has no tile of C");
}

/// The matrices of a call, as the ranks share them. Of C also the terms, scaled and rounded as C is, and the sums,
/// before they are.
struct Operands {
  Operands(GemmCall const& call, Sharing const& sharing)
      : Operands(call, holders(sharing.scheme, sharing.p, sharing.q),
                 sharing.overlap && sharing.scheme == Scheme::gather ? sharing.chunks : 1,
                 sharing.overlap && sharing.scheme == Scheme::scatter ? sharing.chunks : 1) {}
  Operands(GemmCall const& call, Holders const& who, std::int64_t chunks_a, std::int64_t chunks_c)
      : a(call.dtype, call.m, call.k, call.stride_a, who.a, chunks_a),
        b(call.dtype, call.n, call.k, call.stride_b, who.b),
        c(call.out, call.m, call.n, call.stride_c, who.c, chunks_c),
        terms(c),
        sums(call.acc, call.m, call.n, call.stride_c, who.c) {}

  TiledMatrix a, b, c, terms, sums;
};

// [finish]
/// C = alpha (sum 0 + sum 1 + ..) + beta C of this rank's tile, in this order, rounded once: chapter 14's second pass.
void finish_tile(GemmCall const& tile, TiledMatrix const& of, void* first, std::int64_t count) {
  if (tile.m == 0 || tile.n == 0) return;
  GemmCall slice = tile;
  slice.c = first, slice.out = of.type;
  slice.stride_c = of.block;
  finish_slices({tile}, slice, int(count));
}
// [finish]

// [gather]
/// This rank's columns of C: the rows of A come from all ranks, and each arrives as an operand of its own. Those of
/// this rank lie in their place among all from the start.
void gather(GemmCall const& call, Communicator& ranks, Operands const& of, Blocks const& all_a, Blocks const& my_b,
            Blocks const& my_c, KeptBlocks&) {
  ranks.all_gather(all_a[ranks.rank()], all_a[0], of.a.bytes());

  GemmWishes const wishes = as_planned(call);
  for (std::int64_t part = 0; part < ranks.size(); ++part) {
    GemmCall rows = product(call, of.a, of.b, of.c, of.a.m_of(part), of.c.n_of(ranks.rank()), call.k);
    rows.a = all_a[part], rows.b = my_b[0];
    rows.c = static_cast<unsigned char*>(my_c[0]) + part * of.a.block_m * of.c.block.row * bytes_of(of.c.type);
    multiply(rows, wishes);
  }
}
// [gather]

// [gather_overlapped]
/// The same in chunks of every rank's rows. While one travels on `side`, what is here is multiplied: at first the rows
/// of this rank, which need no message, then chunk after chunk.
void gather_overlapped(GemmCall const& call, GemmCall const& beside, Communicator& ranks, Operands const& of,
                       Blocks const& all_a, Blocks const& my_b, Blocks const& my_c, KeptBlocks&, Stream& side) {
  Stream& products = current_stream();
  std::int64_t const me = ranks.rank(), chunks = of.a.pieces;
  GemmWishes const wishes = as_planned(call);
  Event begun;
  std::vector<Event> arrived(static_cast<std::size_t>(chunks));
  auto const send = [&](std::int64_t chunk) {
    StreamScope const scope(side);
    ranks.all_gather(all_a.piece(me, chunk), all_a.piece(0, chunk), of.a.piece_bytes());
    arrived[std::size_t(chunk)].record(side);
  };
  auto const multiply_chunk = [&](GemmCall const& as, std::int64_t part, std::int64_t chunk) {
    GemmCall rows = product(as, of.a, of.b, of.c, of.a.m_of_piece(part, chunk), of.c.n_of(me), call.k);
    std::int64_t const first = part * of.a.block_m + chunk * of.a.piece_m;
    rows.a = all_a.piece(part, chunk), rows.b = my_b[0];
    rows.c = static_cast<unsigned char*>(my_c[0]) + first * of.c.block.row * bytes_of(of.c.type);
    multiply(rows, wishes);
  };

  begun.record(products);
  side.wait(begun);  // the operands are here, and nothing else uses the memory for A
  send(0);
  for (std::int64_t chunk = 0; chunk < chunks; ++chunk) multiply_chunk(beside, me, chunk);
  for (std::int64_t chunk = 0; chunk < chunks; ++chunk) {
    bool const is_last = chunk + 1 == chunks;
    if (!is_last) send(chunk + 1);
    products.wait(arrived[std::size_t(chunk)]);
    for (std::int64_t part = 0; part < ranks.size(); ++part)
      if (part != me) multiply_chunk(is_last ? call : beside, part, chunk);
  }
}
// [gather_overlapped]

/// Memory for what a rank sends to each. Its own place is zero: nobody computes there.
Blocks const& with_zeros_for_itself(Operands const& of, Communicator& ranks, KeptBlocks& kept) {
  bool const is_new = !kept.has("terms of this rank");
  Blocks const& terms = kept.take("terms of this rank", of.terms, ranks.size(), ranks);
  if (is_new) {
    Bytes const zeros(static_cast<std::size_t>(of.terms.piece_bytes()));
    for (std::int64_t piece = 0; piece < of.terms.pieces; ++piece)
      copy_to_device(terms.piece(ranks.rank(), piece), zeros.data(), of.terms.piece_bytes());
  }
  return terms;
}

// [terms]
/// Rows of C over this rank's slice of K, from `first` on.
GemmCall term(GemmCall const& call, Communicator const& ranks, Operands const& of, Blocks const& my_a,
              Blocks const& my_b, std::int64_t first, std::int64_t rows, void* c) {
  GemmCall term = product(call, of.a, of.b, of.terms, rows, call.n, of.a.n_of(ranks.rank()));
  term.a = static_cast<unsigned char*>(my_a[0]) + first * of.a.block.row * bytes_of(call.dtype);
  term.b = my_b[0], term.c = c;
  term.beta = 0;
  return term;
}

/// The same for rows that this rank holds: what the other ranks' terms add up to is the residual of its own product.
GemmCall own_rows(GemmCall const& call, Communicator const& ranks, Operands const& of, Blocks const& my_a,
                  Blocks const& my_b, Blocks const& my_c, std::int64_t piece, void const* others) {
  std::int64_t const rank = ranks.rank(), first = rank * of.c.block_m + piece * of.c.piece_m;
  GemmCall own = term(call, ranks, of, my_a, my_b, first, of.c.m_of_piece(rank, piece), my_c.piece(0, piece));
  own.beta = call.beta;
  own.epilogue.has_residual = others != nullptr;
  own.epilogue.residual = others, own.epilogue.stride_residual = of.terms.block;
  return own;
}

/// What all products share, those of other ranks' rows and those of the own, which add a residual.
GemmWishes as_planned(GemmCall const& call, Communicator const& ranks, Operands const& of, Blocks const& my_a,
                      Blocks const& my_b) {
  GemmCall whole = term(call, ranks, of, my_a, my_b, 0, call.m, nullptr);
  whole.epilogue.has_residual = ranks.size() > 1, whole.epilogue.stride_residual = of.terms.block;
  return as_planned(whole);
}

/// The terms that travel: a rank computes those of the others' rows, and gets the others' of its own.
class Terms {
 public:
  Terms(Operands const& of, Communicator& ranks, KeptBlocks& kept)
      : of_(of), ranks_(ranks), kept_(kept), all_(kept.take("terms of all ranks", of.terms, ranks.size(), ranks)) {
    if (!swapped()) mine_ = &with_zeros_for_itself(of, ranks, kept);
  }

  /// Two ranks have one term each for the other: an all-gather, which copies nothing within a device.
  [[nodiscard]] bool swapped() const { return ranks_.size() == 2; }

  /// Where this rank computes that of rows of `part`.
  [[nodiscard]] void* of_rank(std::int64_t part, std::int64_t piece) const {
    return swapped() ? all_.piece(ranks_.rank(), piece) : mine_->piece(part, piece);
  }

  void travel(std::int64_t piece) const {
    if (swapped()) ranks_.all_gather(all_.piece(ranks_.rank(), piece), all_.piece(0, piece), of_.terms.piece_bytes());
    else ranks_.all_to_all(mine_->piece(0, piece), all_.piece(0, piece), of_.terms.piece_bytes());
  }

  /// Adds those of the others, in the order of ranks. @return where their sum lies; nullptr: there are none
  [[nodiscard]] void const* add_others(GemmCall const& call, std::int64_t piece) const {
    std::int64_t const rank = ranks_.rank(), count = ranks_.size();
    if (count == 1) return nullptr;
    if (count == 2) return all_.piece(1 - rank, piece);
    GemmCall sum = product(call, of_.a, of_.b, of_.terms, of_.terms.m_of_piece(rank, piece), call.n, call.k);
    sum.c = kept_.take("sums of the others' terms", of_.terms, 1, ranks_).piece(0, piece);
    sum.alpha = 1, sum.beta = 0;
    finish_tile(sum, of_.terms, all_.piece(0, piece), count);
    return sum.c;
  }

 private:
  Operands const& of_;
  Communicator& ranks_;
  KeptBlocks& kept_;
  Blocks const& all_;
  Blocks const* mine_ = nullptr;
};
// [terms]

// [scatter]
/// Terms over this rank's slice of K, of all of C: each rank gets the others' terms of the rows that it holds, and adds
/// its own.
void scatter(GemmCall const& call, Communicator& ranks, Operands const& of, Blocks const& my_a, Blocks const& my_b,
             Blocks const& my_c, KeptBlocks& kept) {
  Terms const terms(of, ranks, kept);
  GemmWishes const wishes = as_planned(call, ranks, of, my_a, my_b);
  for (std::int64_t part = 0; part < ranks.size(); ++part) {
    if (part == ranks.rank()) continue;
    multiply(term(call, ranks, of, my_a, my_b, part * of.c.block_m, of.c.m_of(part), terms.of_rank(part, 0)), wishes);
  }
  terms.travel(0);
  void const* const others = terms.add_others(call, 0);
  multiply(own_rows(call, ranks, of, my_a, my_b, my_c, 0, others), wishes);
}
// [scatter]

// [scatter_overlapped]
/// The same in chunks of every rank's rows of C: first those of the others, chunk after chunk, and each travels on
/// `side` as soon as it is complete. At the end come the rank's own rows, beside the last messages.
void scatter_overlapped(GemmCall const& call, GemmCall const& beside, Communicator& ranks, Operands const& of,
                        Blocks const& my_a, Blocks const& my_b, Blocks const& my_c, KeptBlocks& kept, Stream& side) {
  Stream& products = current_stream();
  std::int64_t const me = ranks.rank(), count = ranks.size(), chunks = of.terms.pieces;
  Terms const terms(of, ranks, kept);
  GemmWishes const wishes = as_planned(call, ranks, of, my_a, my_b);
  std::vector<Event> complete(static_cast<std::size_t>(chunks)), came(static_cast<std::size_t>(chunks));
  std::vector<void const*> others(static_cast<std::size_t>(chunks));
  for (std::int64_t chunk = 0; chunk < chunks; ++chunk) {
    for (std::int64_t part = 0; part < count; ++part) {
      if (part == me) continue;
      std::int64_t const first = part * of.c.block_m + chunk * of.c.piece_m, rows = of.c.m_of_piece(part, chunk);
      void* const c = terms.of_rank(part, chunk);
      multiply(term(chunk == 0 ? call : beside, ranks, of, my_a, my_b, first, rows, c), wishes);
    }
    complete[std::size_t(chunk)].record(products);
    side.wait(complete[std::size_t(chunk)]);
    StreamScope const scope(side);
    terms.travel(chunk);
    others[std::size_t(chunk)] = terms.add_others(call, chunk);
    came[std::size_t(chunk)].record(side);
  }
  for (std::int64_t chunk = 0; chunk < chunks; ++chunk) {
    products.wait(came[std::size_t(chunk)]);
    GemmCall const& as = chunk + 1 == chunks ? call : beside;
    multiply(own_rows(as, ranks, of, my_a, my_b, my_c, chunk, others[std::size_t(chunk)]), wishes);
  }
}
// [scatter_overlapped]

// [grid]
/// SUMMA: for each panel of K, its holders give A to their row of the grid and B to their column, and every rank adds
/// the product of the two to its sums.
void grid(GemmCall const& call, Communicator& ranks, Operands const& of, Blocks const& my_a, Blocks const& my_b,
          Blocks const& my_c, KeptBlocks& kept) {
  auto const [i, j] = tile_of_rank(of.c, ranks.rank());
  auto const row = ranks.split(int(i)), column = ranks.split(int(j));
  Blocks const& sums = kept.take("sums", of.sums, 1, ranks);
  Blocks const &other_a = kept.take("panel of A", of.a, 1, ranks), &other_b = kept.take("panel of B", of.b, 1, ranks);
  std::int64_t const panels = of.a.parts_n, each_a = panels / of.c.parts_n, each_b = panels / of.c.parts_m;
  for (std::int64_t panel = 0; panel < panels; ++panel) {
    std::int64_t const from_a = panel / each_a, from_b = panel / each_b;  // a column and a row of the grid
    void* const a = from_a == j ? my_a[panel % each_a] : other_a[0];
    void* const b = from_b == i ? my_b[panel % each_b] : other_b[0];
    row->broadcast(a, of.a.bytes(), int(from_a));
    column->broadcast(b, of.b.bytes(), int(from_b));
    GemmCall step = product(call, of.a, of.b, of.sums, of.c.m_of(i), of.c.n_of(j), of.a.n_of(panel));
    step.a = a, step.b = b, step.c = sums[0];
    step.alpha = 1, step.beta = panel > 0 ? 1 : 0;
    if (panel == 0 || step.k > 0) multiply(step);
  }
  GemmCall mine = product(call, of.a, of.b, of.c, of.c.m_of(i), of.c.n_of(j), call.k);
  mine.c = my_c[0];
  finish_tile(mine, of.sums, sums[0], 1);
}
// [grid]

// [grid_overlapped]
/// The same with two places for what arrives: while the product of a panel runs, the next panel travels on `side`.
void grid_overlapped(GemmCall const& call, GemmCall const& beside, Communicator& ranks, Operands const& of,
                     Blocks const& my_a, Blocks const& my_b, Blocks const& my_c, KeptBlocks& kept, Stream& side) {
  Stream& products = current_stream();
  auto const [i, j] = tile_of_rank(of.c, ranks.rank());
  auto const row = ranks.split(int(i)), column = ranks.split(int(j));
  Blocks const& sums = kept.take("sums", of.sums, 1, ranks);
  Blocks const &other_a = kept.take("panels of A", of.a, 2, ranks), &other_b = kept.take("panels of B", of.b, 2, ranks);
  std::int64_t const panels = of.a.parts_n, each_a = panels / of.c.parts_n, each_b = panels / of.c.parts_m;
  auto const a_of = [&, here = j](std::int64_t panel) {
    return panel / each_a == here ? my_a[panel % each_a] : other_a[panel % 2];
  };
  auto const b_of = [&, here = i](std::int64_t panel) {
    return panel / each_b == here ? my_b[panel % each_b] : other_b[panel % 2];
  };
  Event begun, arrived[2], used[2];
  auto const send = [&](std::int64_t panel) {
    StreamScope const scope(side);
    side.wait(used[panel % 2]);  // the product before the last has read this place
    row->broadcast(a_of(panel), of.a.bytes(), int(panel / each_a));
    column->broadcast(b_of(panel), of.b.bytes(), int(panel / each_b));
    arrived[panel % 2].record(side);
  };

  begun.record(products);
  side.wait(begun);  // the operands are here, and nothing else uses the memory for panels
  send(0);
  for (std::int64_t panel = 0; panel < panels; ++panel) {
    bool const is_last = panel + 1 == panels;
    if (!is_last) send(panel + 1);
    products.wait(arrived[panel % 2]);
    GemmCall step = product(is_last ? call : beside, of.a, of.b, of.sums, of.c.m_of(i), of.c.n_of(j), of.a.n_of(panel));
    step.a = a_of(panel), step.b = b_of(panel), step.c = sums[0];
    step.alpha = 1, step.beta = panel == 0 ? 0 : 1;
    if (panel == 0 || step.k > 0) multiply(step);
    used[panel % 2].record(products);
  }
  GemmCall mine = product(call, of.a, of.b, of.c, of.c.m_of(i), of.c.n_of(j), call.k);
  mine.c = my_c[0];
  finish_tile(mine, of.sums, sums[0], 1);
}
// [grid_overlapped]

/// The tiles of a matrix that a rank holds, in the order of the layout, on the device. @param block  of the first
void take_tiles(TiledMatrix const& of, void const* whole, int rank, Blocks const& blocks, std::int64_t block = 0) {
  Bytes const host = download(whole, of.span());
  for (std::int64_t i = 0; i < of.parts_m; ++i) {
    for (std::int64_t j = 0; j < of.parts_n; ++j) {
      if (of.holder(i, j) == rank) take_tile(of, host, i, j, blocks, block++);
    }
  }
}

std::int64_t tiles_of(TiledMatrix const& of, int ranks) { return of.parts_m * of.parts_n / ranks; }

std::uint64_t mixed(std::uint64_t hash, void const* data, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i)  // FNV-1a
    hash = (hash ^ static_cast<unsigned char const*>(data)[i]) * 1099511628211u;
  return hash;
}
constexpr std::uint64_t first_hash = 14695981039346656037u;

}  // namespace

struct SharedProduct::Implementation {
  Implementation(GemmCall const& of_call, Communicator& of_ranks, Sharing const& how)
      : call(of_call),
        ranks(of_ranks),
        sharing(how),
        of(of_call, how),
        first_a(how.scheme == Scheme::gather ? ranks.rank() : 0),
        a(how.scheme == Scheme::gather ? "A of all ranks" : "A of this rank", of.a,
          how.scheme == Scheme::gather ? ranks.size() : tiles_of(of.a, ranks.size()), ranks),
        b("B of this rank", of.b, tiles_of(of.b, ranks.size()), ranks),
        c("C of this rank", of.c, 1, ranks),
        all_c("C of all ranks", of.c, ranks.size(), ranks) {
    if (how.overlap) side.emplace("communication", Priority::high);
  }

  GemmCall call;
  Communicator& ranks;
  Sharing sharing;
  Operands of;
  std::int64_t first_a;  ///< the block of A that this rank has at first: gather gets the others
  Blocks a, b, c;
  Blocks all_c;  ///< for collect(): nothing is on its way yet where it is allocated
  KeptBlocks kept;
  std::optional<Stream> side;  ///< where what overlaps travels
};

SharedProduct::SharedProduct(GemmCall const& call, Communicator& ranks, Sharing const& sharing)
    : it_(std::make_unique<Implementation>(call, ranks, sharing)) {
  take_tiles(it_->of.a, call.a, ranks.rank(), it_->a, it_->first_a);
  take_tiles(it_->of.b, call.b, ranks.rank(), it_->b);
  if (call.beta != 0) take_tiles(it_->of.c, call.c, ranks.rank(), it_->c);
}
SharedProduct::~SharedProduct() = default;

void SharedProduct::compute(Communicator& ranks) {
  auto& [call, everyone, sharing, of, first_a, a, b, c, all_c, kept, side] = *it_;
  if (side) {
    auto const compute_overlapped = sharing.scheme == Scheme::gather    ? gather_overlapped
                                    : sharing.scheme == Scheme::scatter ? scatter_overlapped
                                                                    : grid_overlapped;
    GemmCall beside = call;
    beside.units = std::max(1, machine_for(call).compute_units - int(units_of_messages(sharing, ranks)));
    compute_overlapped(call, beside, ranks, of, a, b, c, kept, *side);
    return;
  }
  if (sharing.scheme == Scheme::gather) gather(call, ranks, of, a, b, c, kept);
  else if (sharing.scheme == Scheme::scatter) scatter(call, ranks, of, a, b, c, kept);
  else grid(call, ranks, of, a, b, c, kept);
}

void SharedProduct::collect() {
  auto& [call, ranks, sharing, of, first_a, a, b, c, all_c, kept, side] = *it_;
  int const count = ranks.size();
  ranks.all_gather(c[0], all_c[0], of.c.bytes());
  ranks.barrier();  // the first wait for the device: it ends when a rank fails on its way here
  Bytes whole = download(call.c, of.c.span());
  Bytes const tiles = download(all_c[0], of.c.bytes() * count);
  auto const element = std::size_t(bytes_of(of.c.type));
  for (int from = 0; from < count; ++from) {
    auto const [i, j] = tile_of_rank(of.c, from);
    of.c.for_each_element(i, j, [&, first = from * of.c.bytes()](std::int64_t to, std::int64_t offset) {
      std::memcpy(whole.data() + to, tiles.data() + first + offset, element);
    });
  }
  copy_to_device(call.c, whole.data(), of.c.span());
}

LocalProduct SharedProduct::local() const {
  auto const& [call, ranks, sharing, of, first_a, a, b, c, all_c, kept, side] = *it_;
  bool const by_rows = sharing.scheme == Scheme::gather;
  TiledMatrix const& result = by_rows ? of.c : of.terms;
  std::int64_t const count = ranks.size();
  return {.a = a[first_a],
          .b = b[0],
          .rows = of.a.block_m * (by_rows ? count : 1),
          .columns = by_rows ? of.b.block_m : of.b.rows,
          .k = of.a.block_n,
          .lda = of.a.block_n,
          .ldb = of.b.block_n,
          .ldc = result.block.row,
          .part_a = of.a.bytes()};
}

void run_on_several(GemmCall const& call, Communicator& ranks, Sharing const& sharing, std::int64_t times) {
  SharedProduct product(call, ranks, sharing);
  for (std::int64_t i = 0; i < times; ++i) product.compute(ranks);
  product.collect();
}

// [beside]
std::int64_t units_of_messages(Sharing const& sharing, Communicator const& ranks) {
  if (sharing.message_units >= 0) return sharing.message_units;
  bool const by_engines = sharing.scheme != Scheme::grid && ranks.by_copy_engines();  // they copy, but do not broadcast
  return by_engines ? 0 : 32;
}
// [beside]

std::string who_holds_what(GemmCall const& call, Sharing const& sharing) {
  Operands const of(call, sharing);
  auto const table = [](char const* name, char const* modes, TiledMatrix const& matrix) {
    return std::string(name) + ": " + std::to_string(matrix.parts_m) + " x " + std::to_string(matrix.parts_n) +
           " tiles of " + std::to_string(matrix.block_m) + " x " + std::to_string(matrix.block_n) + ", " + modes +
           " -> rank\n" + text_layout(matrix.holder);
  };
  return table("A", "(tile of M, tile of K)", of.a) + table("B", "(tile of N, tile of K)", of.b) +
         table("C", "(tile of M, tile of N)", of.c);
}

std::string shapes_in_words(GemmCall const& call, Sharing const& sharing) {
  Operands const of(call, sharing);
  auto const tile = [](TiledMatrix const& matrix) {
    return std::to_string(matrix.block_m) + " x " + std::to_string(matrix.block_n);
  };
  return "tiles of " + tile(of.a) + " of A, " + tile(of.b) + " of B, " + tile(of.c) + " of C";
}

std::uint64_t number_of_problem(GemmCall const& call, Sharing const& sharing) {
  std::int64_t const numbers[]{call.m,         call.n,          call.k,         call.batch,     int(call.dtype),
                               int(call.acc),  int(call.out),   call.stride_a.row, call.stride_a.col,
                               call.stride_b.row, call.stride_b.col, call.stride_c.row, call.stride_c.col,
                               int(sharing.scheme), sharing.p,    sharing.q,      sharing.overlap, sharing.chunks,
                               sharing.message_units};
  double const factors[]{call.alpha, call.beta};
  std::uint64_t const hash = mixed(mixed(first_hash, numbers, sizeof(numbers)), factors, sizeof(factors));
  return mixed(hash, call.target.data(), call.target.size());
}

std::uint64_t number_of_operands(GemmCall const& call) {
  Operands const of(call, Sharing{});
  std::uint64_t hash = first_hash;
  auto const add = [&](TiledMatrix const& matrix, void const* data) {
    Bytes const host = download(data, matrix.span()), none;
    matrix.for_each_element(0, 0, [&](std::int64_t from, std::int64_t) {
      hash = mixed(hash, host.data() + from, std::size_t(bytes_of(matrix.type)));
    });
  };
  add(of.a, call.a);
  add(of.b, call.b);
  if (call.beta != 0) add(of.c, call.c);
  return hash;
}

}  // namespace tilestep
