// Ranks measure together: all start at once, the slowest counts, and because all hear the same time, all repeat as
// often.

#include "bench.hpp"

#include "nccl_communicator.hpp"  // PlainNccl
#include "processes.hpp"          // all_ranks, largest_of_all

#include <tilestep/backend/measure.hpp>      // keep_reports
#include <tilestep/backend/runtime.hpp>      // device memory
#include <tilestep/backend/vendor_gemm.hpp>  // VendorLibrary
#include <tilestep/harness/host_matrix.hpp>  // HostMatrix
#include <tilestep/harness/npy.hpp>          // write_text
#include <tilestep/harness/record.hpp>       // on_virtual_gpu, commit_of_build
#include <tilestep/harness/timing.hpp>       // take_turns

#include <algorithm>   // std::max, std::find_if
#include <array>       // a line
#include <chrono>      // the clock
#include <cmath>       // std::abs
#include <cstdio>      // std::snprintf
#include <functional>  // what is repeated
#include <map>         // products by their chunks
#include <optional>    // a library's mode
#include <vector>      // lists

namespace tilestep {

namespace {

/// Carries messages, and remembers how to carry them again.
class Noting final : public Communicator {
 public:
  using Log = std::vector<std::function<void()>>;
  Noting(Communicator& real, Log& log) : real_(real), log_(log) {}
  Noting(std::shared_ptr<Communicator> part, Log& log) : kept_(std::move(part)), real_(*kept_), log_(log) {}

  [[nodiscard]] int rank() const override { return real_.rank(); }
  [[nodiscard]] int size() const override { return real_.size(); }
  [[nodiscard]] std::shared_ptr<void> memory(char const* name, std::int64_t bytes, std::int64_t element) override {
    return real_.memory(name, bytes, element);
  }
  [[nodiscard]] bool by_copy_engines() const override { return real_.by_copy_engines(); }
  void all_gather(void const* mine, void* all, std::int64_t bytes) override {
    note([=](Communicator& to) { to.all_gather(mine, all, bytes); });
  }
  void all_to_all(void const* parts, void* received, std::int64_t bytes) override {
    note([=](Communicator& to) { to.all_to_all(parts, received, bytes); });
  }
  void broadcast(void* data, std::int64_t bytes, int root) override {
    note([=](Communicator& to) { to.broadcast(data, bytes, root); });
  }
  void barrier() override { real_.barrier(); }
  [[nodiscard]] std::unique_ptr<Communicator> split(int color) override {
    return std::make_unique<Noting>(std::shared_ptr<Communicator>(real_.split(color)), log_);
  }

 private:
  void note(std::function<void(Communicator&)> const& call) {
    call(real_);
    log_.push_back([kept = kept_, &real = real_, call] { call(real); });
  }

  std::shared_ptr<Communicator> kept_;
  Communicator& real_;
  Log& log_;
};

/// Carries nothing.
class Silent final : public Communicator {
 public:
  explicit Silent(Communicator& real) : real_(real) {}
  explicit Silent(std::unique_ptr<Communicator> part) : kept_(std::move(part)), real_(*kept_) {}

  [[nodiscard]] int rank() const override { return real_.rank(); }
  [[nodiscard]] int size() const override { return real_.size(); }
  [[nodiscard]] std::shared_ptr<void> memory(char const* name, std::int64_t bytes, std::int64_t element) override {
    return real_.memory(name, bytes, element);
  }
  [[nodiscard]] bool by_copy_engines() const override { return real_.by_copy_engines(); }
  void all_gather(void const*, void*, std::int64_t) override {}
  void all_to_all(void const*, void*, std::int64_t) override {}
  void broadcast(void*, std::int64_t, int) override {}
  void barrier() override {}
  [[nodiscard]] std::unique_ptr<Communicator> split(int color) override {
    return std::make_unique<Silent>(real_.split(color));
  }

 private:
  std::unique_ptr<Communicator> kept_;
  Communicator& real_;
};

/// Device memory of its own.
class Memory {
 public:
  Memory(char const* name, std::int64_t bytes, std::int64_t element) : data_(device_alloc(name, bytes, element)) {}
  ~Memory() {
    if (data_ != nullptr) device_free(data_);
  }
  Memory(Memory const&) = delete;
  Memory& operator=(Memory const&) = delete;
  [[nodiscard]] void* get() const { return data_; }

 private:
  void* data_;
};

// [turn]
/// All ranks run it so often. @return seconds of the slowest
Contender together(std::string name, std::function<void()> work) {
  return {std::move(name), [work = std::move(work)](std::int64_t count) {
            all_ranks().barrier();
            auto const begin = std::chrono::steady_clock::now();
            for (std::int64_t i = 0; i < count; ++i) work();
            all_ranks().barrier();  // the wait that ends when a rank fails
            return largest_of_all(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
          }};
}
// [turn]

/// The vendor's product of what a rank multiplies on its own.
struct LibraryProduct {
  VendorLibrary library;
  VendorGemm gemm;
  std::string mode;

  void run() {
    std::string const refusal = library.run(gemm, mode);
    if (!refusal.empty()) throw Error(Exit::wrong, library.name() + " " + mode + ": " + refusal);
  }
};

/// The mode that is fastest on the slowest rank; none where a rank has none.
std::optional<std::string> fastest_mode(LibraryProduct& product) {
  std::vector<Contender> modes;
  for (std::string const& mode : product.library.modes(product.gemm)) {
    bool const refused = !product.library.run(product.gemm, mode).empty();
    synchronize();
    if (largest_of_all(refused ? 1 : 0) > 0) continue;
    modes.push_back(together(mode, [&product, mode] { (void)product.library.run(product.gemm, mode); }));
  }
  if (modes.empty()) return std::nullopt;
  std::vector<Turns> const turns = take_turns(modes, {.turns = 3, .slot = 10e-3, .warm_up = 0.2});
  return turns[winner(turns)].name;
}

/// Where C is wrong by how much, at most, of so many elements all over it.
struct Sample {
  std::int64_t compared = 0;
  double error = 0, bound = 0;
  bool right = true;
};

/// @param terms  the roundings of each term of C, added: 0 where none travels
Sample sampled(GemmCall const& call, HostMatrix const& a, HostMatrix const& b, double terms) {
  HostMatrix c(MatrixPlace{call.out, call.m, call.n, 1, call.stride_c});
  copy_to_host(c.image().data(), call.c, c.place().span_bytes());
  std::vector<double> row(static_cast<std::size_t>(call.k)), column(static_cast<std::size_t>(call.k));
  Sample sample;
  for (std::int64_t i = 0; i < 256; ++i) {
    std::int64_t const m = (i * 7919 + 13) % call.m, n = (i * 104729 + 5) % call.n;
    a.read_along_row(row.data(), m, 0, 0, call.k);
    b.read_along_row(column.data(), n, 0, 0, call.k);
    double sum = 0, size = 0;
    for (std::size_t k = 0; k < row.size(); ++k) sum += row[k] * column[k], size += std::abs(row[k] * column[k]);
    double const error = std::abs(c.get(m, n, 0) - sum);
    double const bound = unit_roundoff(call.out) * std::abs(sum) + terms * size +
                         double(call.k) * unit_roundoff(call.acc) * size;
    sample.right = sample.right && error <= bound;  // NaN is wrong
    sample.error = std::max(sample.error, error), sample.bound = std::max(sample.bound, bound);
    ++sample.compared;
  }
  return sample;
}

std::string number(double value) {
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%.9g", value);
  return text.data();
}

std::string quote(std::string const& text) {
  std::string result = "\"";
  for (char const each : text) {
    if (each == '"' || each == '\\') result += '\\';
    result += static_cast<unsigned char>(each) < 32 ? ' ' : each;
  }
  return result + "\"";
}

char const* name_of(Scheme scheme) {
  return scheme == Scheme::gather ? "gather" : scheme == Scheme::scatter ? "scatter" : "grid";
}

/// Chunks of the overlapped schemes that take turns: those that were asked for, or some. 0: a grid has its panels.
std::vector<std::int64_t> chunks_to_measure(Scheme scheme, std::int64_t asked) {
  if (scheme == Scheme::grid) return {0};
  if (asked > 0) return {asked};
  return {1, 2, 4, 8};
}

std::string in_chunks(std::int64_t chunks) { return "overlapped" + (chunks > 0 ? "_" + std::to_string(chunks) : ""); }

/// The fastest of the overlapped is "overlapped". @return its chunks
std::int64_t keep_fastest_overlapped(std::vector<Turns>& turns, std::map<std::int64_t, SharedProduct> const& measured) {
  Turns const* fastest = nullptr;
  std::int64_t chunks = 0;
  for (auto const& [each, product] : measured) {
    auto const of = std::find_if(turns.begin(), turns.end(), [&](Turns const& t) { return t.name == in_chunks(each); });
    if (fastest && spread_of(fastest->seconds).median <= spread_of(of->seconds).median) continue;
    fastest = &*of, chunks = each;
  }
  if (chunks > 0) {
    Turns kept = *fastest;
    kept.name = in_chunks(0);
    turns.insert(turns.begin(), kept);
  }
  return chunks;
}

void refuse(GemmCall const& call, Sharing const& sharing) {
  if (on_virtual_gpu()) not_here("--bench measures time, and the virtual GPU counts instead: build for a GPU");
  std::int64_t const unit = 16 * sharing.p * sharing.q;
  if (call.m % unit != 0 || call.n % unit != 0 || call.k % unit != 0 || call.m * call.n * call.k == 0)
    bad_input("--bench on several devices measures extents that are multiples of 16 times the ranks, here " +
              std::to_string(unit));
  if (call.stride_a.col != 1 || call.stride_b.col != 1 || call.stride_c.col != 1)
    bad_input("--bench on several devices measures operands along K: take --layout nt");
  if (call.beta != 0 || call.alpha != 1) bad_input("--bench on several devices measures A B^T: leave out the factors");
}

}  // namespace

Exit bench_several(CommandLine const& line, GemmCall call, Sharing const& asked, std::int64_t asked_chunks,
                   std::string const& over, std::string const& command) {
  refuse(call, asked);
  Sharing sharing = asked;  // serial and overlapped are measured, whichever is asked for
  sharing.overlap = false;
  Communicator& ranks = all_ranks();
  std::int64_t const count = ranks.size();
  keep_reports(false);
  HostMatrix a(MatrixPlace{call.dtype, call.m, call.k, 1, call.stride_a});
  HostMatrix b(MatrixPlace{call.dtype, call.n, call.k, 1, call.stride_b});
  a.fill_normals(1, 1), b.fill_normals(1, 2);
  std::int64_t const bytes_c = MatrixPlace{call.out, call.m, call.n, 1, call.stride_c}.span_bytes();
  Memory const all_a("A", a.place().span_bytes(), bytes_of(call.dtype)),
      all_b("B", b.place().span_bytes(), bytes_of(call.dtype)), all_c("C", bytes_c, bytes_of(call.out));
  copy_to_device(all_a.get(), a.image().data(), a.place().span_bytes());
  copy_to_device(all_b.get(), b.image().data(), b.place().span_bytes());
  call.a = all_a.get(), call.b = all_b.get(), call.c = all_c.get();

  SharedProduct product(call, ranks, sharing);
  Noting::Log log;
  Noting noting(ranks, log);
  product.compute(noting);
  product.collect();
  double const terms = sharing.scheme == Scheme::scatter ? 2 * unit_roundoff(call.out) : 0;
  Sample sample = sampled(call, a, b, terms);
  std::map<std::int64_t, SharedProduct> overlapped;  // by chunks
  for (std::int64_t const chunks : chunks_to_measure(asked.scheme, asked_chunks)) {
    Sharing beside = asked;
    beside.overlap = true, beside.chunks = std::max<std::int64_t>(chunks, 1);
    SharedProduct& each = overlapped.try_emplace(chunks, call, ranks, beside).first->second;
    each.compute(ranks);
    each.collect();
    Sample const of_each = sampled(call, a, b, terms);
    sample.right = sample.right && of_each.right;
    sample.error = std::max(sample.error, of_each.error);
  }

  Silent silent(ranks);
  std::vector<Contender> contenders{together("serial", [&] { product.compute(ranks); }),
                                    together("communication", [&] {
                                      for (auto const& again : log) again();
                                    }),
                                    together("product", [&] { product.compute(silent); })};
  for (auto& [chunks, each] : overlapped)
    contenders.push_back(together(in_chunks(chunks), [&ranks, &one = each] { one.compute(ranks); }));

  // The vendor's product of this rank, and the library's own collectives, left alone, with memory as it comes.
  std::unique_ptr<PlainNccl> const plain = all_ranks_by_plain_nccl();
  std::string library = "\"missing\": \"a grid is measured beside its own parts\"";
  bool const is_gather = sharing.scheme == Scheme::gather;
  std::optional<Memory> gathered, local_c, part_c;
  LibraryProduct in_c;
  if (sharing.scheme != Scheme::grid) {
    LocalProduct const own = product.local();
    std::int64_t const elements = own.rows * own.columns;
    if (is_gather) gathered.emplace("all of A for the library", own.part_a * count, bytes_of(call.dtype));
    local_c.emplace("C for the library", elements * bytes_of(call.out), bytes_of(call.out));
    part_c.emplace("a part of C for the library", elements / count * bytes_of(call.out), bytes_of(call.out));
    in_c.gemm = {.a_b = call.dtype, .sum = call.acc, .c_type = call.out, .m = own.rows, .n = own.columns, .k = own.k};
    in_c.gemm.a = is_gather ? gathered->get() : own.a, in_c.gemm.b = own.b, in_c.gemm.c = local_c->get();
    in_c.gemm.b_along_k = true;
    in_c.gemm.lda = own.lda, in_c.gemm.ldb = own.ldb, in_c.gemm.ldc = own.columns;
    library = "\"missing\": " + quote(in_c.library.missing());
    std::optional<std::string> mode;
    if (!plain) library = "\"missing\": " + quote("no " + nccl_name() + " to measure beside");
    else if (largest_of_all(in_c.library.missing().empty() ? 0 : 1) == 0) mode = fastest_mode(in_c);
    if (mode) {
      in_c.mode = *mode;
      library = "\"name\": " + quote(in_c.library.name()) + ", \"mode\": " + quote(*mode);
      contenders.push_back(together("library_product", [&] { in_c.run(); }));
      contenders.push_back(together("library_communication", [&, own, elements] {
        if (is_gather) plain->all_gather(own.a, gathered->get(), own.part_a);
        else plain->reduce_scatter(local_c->get(), part_c->get(), elements / count, call.out);
      }));
      contenders.push_back(together("library_serial", [&, own, elements] {
        if (is_gather) plain->all_gather(own.a, gathered->get(), own.part_a);
        in_c.run();
        if (!is_gather) plain->reduce_scatter(local_c->get(), part_c->get(), elements / count, call.out);
      }));
    }
  }

  std::vector<Turns> turns = take_turns(contenders, {.turns = 21, .slot = 20e-3, .warm_up = 1});
  keep_reports(true);
  std::int64_t const chunks = keep_fastest_overlapped(turns, overlapped);

  auto& out = line.out();
  std::array<char, 200> text{};
  out << name_of(sharing.scheme) << " on " << count << " devices, over " << over << ", " << device_name() << ", "
      << call.m << " x " << call.n << " x " << call.k << ": " << (sample.right ? "right" : "wrong") << " in "
      << sample.compared << " elements\n";
  std::string repeats, seconds;
  for (Turns const& each : turns) {
    Spread const spread = spread_of(each.seconds);
    std::snprintf(text.data(), text.size(), "%-20s %9.3f ms (%.3f to %.3f)  %8.1f TFLOP/s of each device\n",
                  each.name.c_str(), spread.median * 1e3, spread.min * 1e3, spread.max * 1e3,
                  2e-12 * double(call.m) * double(call.n) * double(call.k) / double(count) / spread.median);
    out << text.data();
    std::string times;
    for (double const time : each.seconds) times += (times.empty() ? "" : ", ") + number(time);
    repeats += (repeats.empty() ? "" : ", ") + quote(each.name) + ": " + std::to_string(each.repeats);
    seconds += (seconds.empty() ? "" : ", ") + quote(each.name) + ": [" + times + "]";
  }
  out.flush();
  if (!sample.right) return Exit::wrong;
  std::string const record =
      "{\"schema\": 1, \"kind\": \"several\", \"chapter\": \"21_several_gpus\", \"backend\": " +
      quote(backend_of_build()) + ", \"target\": " + quote(std::string(target().name)) + ", \"device\": " +
      quote(device_name()) + ", \"commit\": " + quote(commit_of_build()) + ", \"command\": " + quote(command) +
      ", \"over\": " + quote(over) + ", \"ranks\": " + std::to_string(count) + ", \"rung\": " +
      quote(name_of(sharing.scheme)) + ", \"m\": " + std::to_string(call.m) + ", \"n\": " + std::to_string(call.n) +
      ", \"k\": " + std::to_string(call.k) + ", \"dtype\": " + quote(to_string(call.dtype)) + ", \"out_dtype\": " +
      quote(to_string(call.out)) + ", \"layout\": \"nt\", \"grid\": " +
      quote(std::to_string(sharing.p) + "x" + std::to_string(sharing.q)) + ", \"chunks\": " +
      std::to_string(chunks) + ", \"message_units\": " + std::to_string(units_of_messages(sharing, ranks)) +
      ", \"copy_engines\": " + (ranks.by_copy_engines() ? "true" : "false") +
      ", \"check\": {\"compared\": " + std::to_string(sample.compared) +
      ", \"max_error\": " + number(sample.error) + ", \"bound\": " +
      number(sample.bound) + "}, \"library\": {" + library + "}, \"repeats\": {" + repeats + "}, \"seconds\": {" +
      seconds + "}}\n";
  if (!line.common().json.empty()) write_text(line.common().json, record);
  return Exit::right;
}

}  // namespace tilestep
