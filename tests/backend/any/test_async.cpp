// Asynchronous copies bring what plain ones would, on the virtual GPU and on GPUs alike: ragged arrays through rings in
// shared memory.

#include "async_kernels.hpp"  // the kernels
#include "device.hpp"         // need_device

#include <tilestep/backend/runtime.hpp>  // DeviceBuffer, take_reports, target

#include <catch2/catch_test_macros.hpp>  // TEST_CASE, CHECK

#include <cstdint>  // std::int64_t
#include <string>   // std::string
#include <vector>   // std::vector

namespace {

using namespace backend_test;

// The targets that these tests run on: the virtual GPU's with such copies, or the device's.
std::vector<std::string> targets_to_run() {
  if (std::string(device_name()) != "virtual GPU") return {std::string(target().name)};
  return {"sm80", "sm90", "gfx90a", "gfx942", "gfx950"};
}

void choose(std::string const& name) {
  RunOptions options;
  options.target = name;
  set_run_options(options);
}

template <class T>
std::vector<T> some_values(std::int64_t count) {
  std::vector<T> values(std::size_t(count), T{});
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = T(i * 7 % 251 + 1);
  return values;
}

// No launch since the last call had a hazard.
void check_reports() {
  for (KernelReport const& report : take_reports()) {
    for (Hazard const& hazard : report.hazards) UNSCOPED_INFO(hazard.message);
    CHECK(report.hazards.empty());
  }
}

// Copies a ragged array with the kernel: what is there arrives, what is not is zero.
template <class T, int VEC, class Kernel>
void check_copies(Kernel const& kernel, std::int64_t per_block) {
  for (std::int64_t const vectors : {1, 127, 128, 1280, 1281, 3333}) {
    std::int64_t const count = vectors * VEC, blocks = (count + per_block - 1) / per_block;
    CAPTURE(Kernel::name, sizeof(T), VEC, count);
    std::vector<T> const values = some_values<T>(count);
    std::vector<T> const before(std::size_t(blocks * per_block), T(77));
    DeviceBuffer<T> in("in", count), out("out", blocks * per_block);
    in.upload(values.data(), count);
    out.upload(before.data(), out.size());
    launch(kernel, blocks, AsyncParams<T>{in.data(), out.data(), count});
    std::vector<T> result(before.size());
    out.download(result.data(), out.size());
    std::int64_t wrong = 0;
    for (std::int64_t i = 0; i < out.size(); ++i)
      wrong += result[std::size_t(i)] != (i < count ? values[std::size_t(i)] : T{});
    CHECK(wrong == 0);
    check_reports();
  }
}
template <class T, int VEC, CacheAt CACHE>
void check_tile() { check_copies<T, VEC>(AsyncTile<T, VEC, CACHE>{}, AsyncTile<T, VEC, CACHE>::tile); }
template <class T, int VEC, int STAGES, int COPIES, bool BY_WARP>
void check_ring() {
  using Kernel = AsyncRing<T, VEC, STAGES, COPIES, BY_WARP>;
  check_copies<T, VEC>(Kernel{}, Kernel::tiles * Kernel::tile);
}

// Copies a ragged part of a matrix with the atom.
template <class Operation, class Threads, int VEC>
void check_atom() {
  using Kernel = AsyncAtom<Operation, Threads, VEC>;
  int const pitch = 80;
  std::vector<float> const values = some_values<float>(std::int64_t(Kernel::M) * pitch);
  DeviceBuffer<float> in("in", Kernel::M * pitch), out("out", Kernel::M * Kernel::N);
  in.upload(values.data(), in.size());
  for (int const rows : {Kernel::M, 17, 1}) {
    for (int const columns : {Kernel::N, 60, 4}) {
      CAPTURE(VEC, rows, columns);
      launch(Kernel{}, 1, AsyncAtomParams{in.data(), out.data(), rows, columns, pitch});
      std::vector<float> result(std::size_t(out.size()));
      out.download(result.data(), out.size());
      int wrong = 0;
      for (int m = 0; m < Kernel::M; ++m) {
        for (int n = 0; n < Kernel::N; ++n) {
          float const want = m < rows && n < columns ? values[std::size_t(m * pitch + n)] : 0.0f;
          wrong += !(result[std::size_t(m * Kernel::N + n)] == want);
        }
      }
      CHECK(wrong == 0);
      check_reports();
    }
  }
}

}  // namespace

TEST_CASE("asynchronous copies of threads bring every element, and zeros where there is none", "[backend][async]") {
  need_device();
  int runs = 0;
  for (std::string const& name : targets_to_run()) {
    if (!target_info(name).async_copy) continue;
    choose(name);
    check_tile<float, 1, CacheAt::all_levels>();
    check_tile<std::uint16_t, 4, CacheAt::all_levels>();
    check_tile<std::uint8_t, 16, CacheAt::all_levels>();
    check_tile<float, 4, CacheAt::l2>();
    check_ring<std::uint16_t, 8, 3, 2, false>();
    ++runs;
  }
  choose("");
  if (runs == 0) SKIP("this device has no cp.async");
}

TEST_CASE("asynchronous copies of warps bring every element, and zeros where there is none", "[backend][async]") {
  need_device();
  int runs = 0;
  for (std::string const& name : targets_to_run()) {
    if (target_info(name).async_copy_warp == 0) continue;
    choose(name);
    check_ring<float, 1, 3, 2, true>();
    check_ring<std::uint16_t, 2, 4, 3, true>();
    if (target_info(name).async_copy_warp == 16) check_ring<float, 4, 3, 2, true>();
    ++runs;
  }
  choose("");
  if (runs == 0) SKIP("this device has no loads to shared memory");
}

TEST_CASE("atoms of asynchronous copies fill a tile", "[backend][async]") {
  need_device();
  using ByRows = Layout<Shape<_8, _16>, Stride<_16, _1>>;
  int runs = 0;
  for (std::string const& name : targets_to_run()) {
    choose(name);
    if (target_info(name).async_copy) {
      check_atom<SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>, ByRows, 4>();
      check_atom<SM80_CP_ASYNC_CACHEALWAYS_ZFILL<std::uint64_t>, ByRows, 2>();
      ++runs;
    }
    if (target_info(name).async_copy_warp > 0) {
      check_atom<CDNA_BUFFER_LOAD_LDS<std::uint32_t>, Layout<Shape<_2, _64>, Stride<_64, _1>>, 1>();
      ++runs;
    }
    if (target_info(name).async_copy_warp == 16) check_atom<CDNA_BUFFER_LOAD_LDS<uint128_t>, ByRows, 4>();
  }
  choose("");
  if (runs == 0) SKIP("this device has no asynchronous copies");
}
