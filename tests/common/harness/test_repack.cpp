// Copies of operands on sm90, which are read in aligned words: every element, zeros after them, nothing from outside.

#include <tilestep/backend/runtime.hpp>  // DeviceBuffer, take_reports, set_run_options
#include <tilestep/harness/repack.hpp>   // repack

#include <catch2/catch_test_macros.hpp>  // CHECK

#include <cstdint>  // std::int64_t
#include <string>   // names
#include <vector>   // matrices

using namespace tilestep;

namespace {

/// An operand in a buffer that begins `offset` elements before it and ends with it; what lies before was never written.
template <class T>
struct Stored {
  std::int64_t mn, k, batch, offset;
  Strides strides;
  std::vector<T> elements;
  DeviceBuffer<T> buffer;

  /// @param gap  elements between lines and between batches
  Stored(char const* name, std::int64_t mn_, std::int64_t k_, std::int64_t batch_, bool along_k, std::int64_t gap,
         std::int64_t offset_)
      : mn(mn_), k(k_), batch(batch_), offset(offset_),
        strides(along_k ? Strides{k + gap, 1, mn * (k + gap) + gap} : Strides{1, mn + gap, k * (mn + gap) + gap}),
        elements(std::size_t((mn - 1) * strides.row + (k - 1) * strides.col + (batch - 1) * strides.batch + 1)),
        buffer(name, offset + std::int64_t(elements.size())) {
    // neighbours differ, and so do lines: a period of 251, and no element is zero
    for (std::size_t i = 0; i < elements.size(); ++i) elements[i] = T(1 + (i * 37 + i / 251) % 251);
    copy_to_device(data(), elements.data(), std::int64_t(elements.size() * sizeof(T)));
  }
  T* data() { return buffer.data() + offset; }

  /// How many elements of the copy are not what they should be.
  std::int64_t wrong_in(void const* copy, Strides const& s) const {
    auto const up = [](std::int64_t extent) { return (extent + 63) / 64 * 64; };
    std::vector<T> got(std::size_t(up(mn) * up(k) * batch));
    copy_to_host(got.data(), copy, std::int64_t(got.size() * sizeof(T)));
    std::int64_t wrong = 0;
    for (std::int64_t l = 0; l < batch; ++l)
      for (std::int64_t i = 0; i < up(mn); ++i)
        for (std::int64_t j = 0; j < up(k); ++j) {
          T const want =
              i < mn && j < k ? elements[std::size_t(i * strides.row + j * strides.col + l * strides.batch)] : T(0);
          wrong += got[std::size_t(i * s.row + j * s.col + l * s.batch)] != want;
        }
    return wrong;
  }
};

/// Both operands, with different lines and beginnings.
template <class T>
void check_copies(DType type, GemmCall call, std::int64_t gap, std::int64_t offset, std::string const& layout) {
  CAPTURE(sizeof(T), call.m, call.n, call.k, call.batch, gap, offset, layout);
  Stored<T> a("A", call.m, call.k, call.batch, layout[0] == 'n', gap, offset),
      b("B", call.n, call.k, call.batch, layout[1] == 't', 0, 16 / std::int64_t(sizeof(T)) - 1);
  call.dtype = type;
  call.a = a.data(), call.stride_a = a.strides;
  call.b = b.data(), call.stride_b = b.strides;
  GemmCall const copied = repack(call);
  synchronize();
  auto const reports = take_reports();
  REQUIRE(reports.size() == 1);
  for (Hazard const& hazard : reports[0].hazards) FAIL_CHECK(text_of(hazard));
  CHECK(a.wrong_in(copied.a, copied.stride_a) == 0);
  CHECK(b.wrong_in(copied.b, copied.stride_b) == 0);

  // one of them alone
  GemmCall const only_b = repack(call, false, true);
  synchronize();
  CHECK(take_reports().size() == 1);
  CHECK(only_b.a == call.a);
  CHECK(b.wrong_in(only_b.b, only_b.stride_b) == 0);
}

}  // namespace

TEST_CASE("one kernel copies both operands, wherever their rows start and in elements of any size",
          "[harness][repack]") {
  set_run_options({.target = "sm90", .schedule = {}, .check = true, .workers = 0});
  GemmCall call;
  call.target = "sm90";
  for (std::string const layout : {"nt", "tn"})
    for (std::int64_t const extent : {1, 7, 65, 137})
      for (std::int64_t const offset : {0, 1, 3}) {
        call.m = extent, call.n = 138 - extent, call.k = extent == 1 ? 130 : 64 + extent;
        call.batch = extent == 7 ? 3 : 1;
        std::int64_t const gap = offset == 3 ? 5 : 0;
        check_copies<std::uint8_t>(DType::i8, call, gap, offset, layout);
        check_copies<std::uint16_t>(DType::bf16, call, gap, offset, layout);
        check_copies<std::uint32_t>(DType::f32, call, gap, offset, layout);
        check_copies<std::uint64_t>(DType::f64, call, gap, offset, layout);
      }
  set_run_options({});
}

TEST_CASE("copies are stored in words of 16 bytes, and rows that start anywhere are read in them",
          "[harness][repack]") {
  set_run_options({.target = "sm90", .schedule = {}, .check = true, .workers = 0});
  GemmCall call;
  call.target = "sm90", call.dtype = DType::bf16;
  call.m = 64, call.n = 64, call.k = 191, call.batch = 1;
  for (bool const along_k : {true, false}) {
    CAPTURE(along_k);
    Stored<std::uint16_t> a("A", 64, 191, 1, along_k, 0, 1);
    call.a = a.data(), call.stride_a = a.strides;
    (void)repack(call, true, false);
    synchronize();
    auto const reports = take_reports();
    REQUIRE(reports.size() == 1);
    Counters const& seen = reports[0].counters;
    // 3 tiles of 512 words: one request of a warp is 32 of them
    CHECK(seen.global_store_requests == 3 * 512 / 32);
    CHECK(seen.global_store_bytes == 3 * 64 * 64 * 2);
    // two words for each that is written, and those at the two ends by single elements
    CHECK(seen.global_load_requests <= 2 * 3 * 512 / 32 + 2 * 8);
  }
  set_run_options({});
}
