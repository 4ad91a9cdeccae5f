#include "vendor_side.hpp"

#include <tilestep/backend/runtime.hpp>  // synchronize
#include <tilestep/harness/repack.hpp>   // repack

namespace tilestep {

namespace {

std::int64_t aligned(std::int64_t elements, DType type) {
  std::int64_t const line = 16 / bytes_of(type);
  return (elements + line - 1) / line * line;
}

/// Do rows of so many elements start at multiples of 16 bytes, if the first does?
bool fits(std::int64_t leading, DType type) { return leading == aligned(leading, type); }
DType narrower(DType one, DType other) { return bytes_of(one) < bytes_of(other) ? one : other; }

/// The same problem with a C whose rows start at multiples of 16 bytes.
GemmSetup with_aligned_c(GemmSetup setup) {
  setup.ldc = aligned(setup.ldc, narrower(setup.problem.dtype, setup.problem.out));
  setup.place_c.strides = {setup.ldc, 1, setup.ldc * setup.problem.m};
  return setup;
}

/// The product of copies that are made first: of operands whose rows do not fit, and where N or K does not, of all that
/// have this extent, so that zeros can follow. cuBLAS looks at the extents, too: N of 4100 is not enough for 2 bytes,
/// even where C has 4.
VendorGemm repacked_vendor_gemm(GemmSetup const& setup, GemmCall const& call) {
  std::int64_t const n = aligned(call.n, narrower(call.dtype, call.out)), k = aligned(call.k, call.dtype);
  bool const a = !fits(setup.lda, call.dtype) || k != call.k,
             b = !fits(setup.ldb, call.dtype) || k != call.k || n != call.n;
  GemmCall const copies = repack(call, a, b);
  VendorGemm gemm = vendor_gemm(setup, copies, nullptr);
  if (a) gemm.a_along_k = true, gemm.lda = copies.stride_a.row;
  if (b) gemm.b_along_k = true, gemm.ldb = copies.stride_b.row;
  gemm.n = n, gemm.k = k;
  return gemm;
}

}  // namespace

VendorGemm vendor_gemm(GemmSetup const& setup, GemmCall const& call, void const* bias) {
  VendorGemm gemm;
  gemm.a_b = call.dtype, gemm.sum = call.acc, gemm.c_type = call.out;
  gemm.m = call.m, gemm.n = call.n, gemm.k = call.k, gemm.batch = call.batch;
  gemm.a = call.a, gemm.b = call.b, gemm.c = call.c;
  gemm.a_along_k = setup.layout[0] == 'n', gemm.b_along_k = setup.layout[1] == 't';
  gemm.lda = setup.lda, gemm.ldb = setup.ldb, gemm.ldc = setup.ldc;
  gemm.batch_a = call.stride_a.batch, gemm.batch_b = call.stride_b.batch, gemm.batch_c = call.stride_c.batch;
  gemm.alpha = call.alpha, gemm.beta = call.beta;
  gemm.bias = call.epilogue.has_bias ? bias : nullptr;
  gemm.relu = call.epilogue.activation == Activation::relu, gemm.gelu = call.epilogue.activation == Activation::gelu;
  return gemm;
}

bool has_aligned_rows(GemmSetup const& setup) {
  GemmProblem const& problem = setup.problem;
  return fits(problem.n, narrower(problem.dtype, problem.out)) && fits(problem.k, problem.dtype) &&
         fits(setup.lda, setup.problem.dtype) && fits(setup.ldb, setup.problem.dtype) &&
         fits(setup.ldc, setup.problem.out);
}

Contender contender(std::string name, DeviceTimer& timer, std::function<void()> work) {
  return {std::move(name), [&timer, work = std::move(work)](std::int64_t count) {
            timer.start();
            for (std::int64_t i = 0; i < count; ++i) work();
            return timer.stop();
          }};
}

VendorSide::VendorSide(std::function<VendorGemm(GemmCall const&)> gemm_of, std::function<GemmCall const&()> next,
                       DeviceTimer& timer)
    : gemm_of_(std::move(gemm_of)), next_(std::move(next)), timer_(timer) {}

std::vector<std::string> VendorSide::modes() {
  std::vector<std::string> run;
  for (std::string const& mode : library_.modes(gemm_of_(next_()))) {
    std::string const refusal = library_.run(gemm_of_(next_()), mode);
    synchronize();
    if (refusal.empty()) run.push_back(mode);
    else refusals_.emplace_back(mode, refusal);
  }
  return run;
}

Contender VendorSide::contestant(std::string const& mode, std::string name) {
  return contender(std::move(name), timer_, [this, mode] {
    std::string const refusal = library_.run(gemm_of_(next_()), mode);
    if (!refusal.empty()) throw Error(Exit::wrong, library_.name() + " failed while it was timed: " + refusal);
  });
}

RepackedSide::RepackedSide(GemmSetup const& given, OperandSets& sets, DeviceTimer& timer)
    : setup(with_aligned_c(given)),
      c("C with aligned rows", setup.problem.batch * setup.place_c.strides.batch * bytes_of(setup.problem.out),
        bytes_of(setup.problem.out)),
      side([this](GemmCall const& each) { return repacked_vendor_gemm(setup, each); },
           [this, &sets]() -> GemmCall const& {
             call = sets.next();
             call.c = c.at(0);
             call.stride_c = setup.place_c.strides;
             return call;
           },
           timer) {}

bool RepackedSide::helps(GemmSetup const& setup) {
  return !has_aligned_rows(setup) && setup.problem.beta == 0 && !call_for(setup, setup.problem).epilogue.any();
}

}  // namespace tilestep
