#pragma once
// The vendor's library as a contender beside a chapter's kernels: on the operands as they are, and on copies whose rows
// it likes better, made anew in each run.

#include <tilestep/backend/measure.hpp>      // DeviceTimer
#include <tilestep/backend/vendor_gemm.hpp>  // VendorLibrary
#include <tilestep/harness/timing.hpp>       // Contender

#include "operand_sets.hpp"  // OperandSets, DeviceMemory

#include <functional>  // what a library is asked for
#include <string>      // names
#include <utility>     // std::pair
#include <vector>      // modes

namespace tilestep {

/// Times `work(count)` by the device's clock.
Contender contender(std::string name, DeviceTimer& timer, std::function<void()> work);

/// What the library is asked for: the call's product.
/// @param bias  in C's type, or null
VendorGemm vendor_gemm(GemmSetup const& setup, GemmCall const& call, void const* bias);

/// Are rows multiples of 16 bytes, and do they start at such, as a library likes it?
bool has_aligned_rows(GemmSetup const& setup);

/// The library's modes for one problem.
class VendorSide {
 public:
  /// @param gemm_of  what the library is asked for; it may launch something first
  /// @param next     the call on the next operands
  VendorSide(std::function<VendorGemm(GemmCall const&)> gemm_of, std::function<GemmCall const&()> next,
             DeviceTimer& timer);

  [[nodiscard]] VendorLibrary const& library() const { return library_; }

  /// Runs every mode once. @return those that run; the others are in refusals()
  std::vector<std::string> modes();
  /// Modes that the library refused, and what it said.
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> const& refusals() const { return refusals_; }

  /// @par Errors  wrong, when it runs: the library failed
  Contender contestant(std::string const& mode, std::string name);
  /// Launches the product of a call in a mode.
  void launch(GemmCall const& call, std::string const& mode) { (void)library_.run(gemm_of_(call), mode); }

 private:
  VendorLibrary library_;  // of its own: a library may remember the last question
  std::function<VendorGemm(GemmCall const&)> gemm_of_;
  std::function<GemmCall const&()> next_;
  DeviceTimer& timer_;
  std::vector<std::pair<std::string, std::string>> refusals_;
};

/// The library on copies of the operands, with a C of its own.
struct RepackedSide {
  RepackedSide(GemmSetup const& given, OperandSets& sets, DeviceTimer& timer);
  RepackedSide(RepackedSide const&) = delete;
  RepackedSide& operator=(RepackedSide const&) = delete;

  /// Is this of use: has a row no multiple of 16 bytes, and is C a product and nothing more?
  static bool helps(GemmSetup const& setup);

  GemmSetup setup;
  DeviceMemory c;
  GemmCall call;
  VendorSide side;
};

}  // namespace tilestep
