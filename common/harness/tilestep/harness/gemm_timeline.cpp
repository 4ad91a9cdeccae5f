#include <tilestep/harness/gemm_timeline.hpp>  // gemm_timeline

#include <tilestep/atom.hpp>              // half_t
#include <tilestep/backend/runtime.hpp>   // DeviceBuffer, set_run_options
#include <tilestep/backend/timeline.hpp>  // begin_timeline, end_timeline

#include <algorithm>  // std::count_if, std::max
#include <string>     // captions
#include <vector>     // grids

namespace tilestep {

namespace {

// The GEMM that is drawn.
constexpr int all_m = 256, all_n = 256, blk_k = 32, tiles = 8, all_k = tiles * blk_k;

bool is_product(TimelineEvent const& event) {
  return event.kind == TimelineEvent::Kind::instruction &&
         (event.what.starts_with("mma") || event.what.starts_with("v_"));
}

/// Tiles are numbered as they are multiplied, from the last one along K on.
int tile_at(TimelineEvent const& event) { return tiles - 1 - int(event.at % (all_k * 2)) / (blk_k * 2); }

}  // namespace

std::vector<TimelineEvent> gemm_events(std::function<void(GemmCall const&)> const& run, std::string const& target,
                                       std::string const& kernel) {
  begin_timeline();
  set_run_options({.target = target, .schedule = {}, .check = true, .workers = 0});
  DeviceBuffer<half_t> a("A", all_m * all_k), b("B", all_n * all_k);
  DeviceBuffer<float> c("C", all_m * all_n);
  std::vector<half_t> const ones(std::size_t(all_m * all_k), half_t(1.0f));
  a.upload(ones.data(), all_m * all_k);
  b.upload(ones.data(), all_n * all_k);
  GemmCall call;
  call.kernel = kernel;
  call.dtype = DType::f16;
  call.a = a.data();
  call.b = b.data();
  call.c = c.data();
  call.m = all_m;
  call.n = all_n;
  call.k = all_k;
  call.stride_a = call.stride_b = {all_k, 1, 0};
  call.stride_c = {all_n, 1, 0};
  call.target = target;
  run(call);
  (void)take_reports();
  set_run_options({});
  return end_timeline();
}

Grid gemm_timeline(std::function<void(GemmCall const&)> const& run, std::string const& target,
                   std::string const& kernel) {
  using enum TimelineEvent::Kind;
  Grid grid(tiles + 1, 2 * tiles);
  auto const events = gemm_events(run, target, kernel);
  auto const loads = int(std::count_if(
      events.begin(), events.end(), [](auto const& event) { return event.kind == global_load && event.what == "A"; }));
  // tiles; stores of A's; tiles; products of half a tile
  int sent = 0, sent_before = 0, stored = 0, landed = 0, products = 0;
  std::string waits;
  for (TimelineEvent const& event : events) {
    if ((event.kind == global_load || event.kind == copy) && event.what == "A")
      sent = std::max(sent, tile_at(event) + 1);
    stored += event.kind == shared_store && event.what == "sA";
    if (event.kind == wait) {
      waits += "wait " + std::to_string(event.at) + "\n";
      ++landed;  // one wait for each tile
    }
    if (event.kind == barrier) {
      if (loads > 0) landed = stored * tiles / loads;  // through registers
      waits += "barrier\n";
    }
    if (!is_product(event)) continue;
    int const now = products / 2;
    for (int tile = 0; tile < tiles; ++tile) {
      Cell& cell = grid.at(tile, products);
      std::string const name = "tile " + std::to_string(tile);
      if (tile == now) cell = {products % 2 == 0 ? "lower" : "upper", name + " is multiplied", 3};
      else if (tile > now && tile < landed) cell = {"there", name + " is in shared memory", 2};
      else if (tile > now && tile < sent) cell = {tile >= sent_before ? "issued" : "...", name + " is in flight", 1};
    }
    if (!waits.empty()) grid.at(tiles, products) = {waits.substr(0, waits.size() - 1), "before this product", 0};
    waits.clear();
    sent_before = sent;
    ++products;
  }
  grid.caption = target + ": tiles, and in the last row what the thread waits for before each product";
  grid.row_axis = "tile";
  grid.col_axis = "product";
  grid.tile_cols = 2;
  return grid;
}

}  // namespace tilestep
