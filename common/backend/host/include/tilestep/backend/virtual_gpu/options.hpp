#pragma once
// How launches run, and their reports: what runtime.hpp offers to programs, as the virtual GPU sees it.

#include <tilestep/backend/report.hpp>  // RunOptions, KernelReport
#include <tilestep/backend/target.hpp>  // TargetInfo

namespace tilestep::virtual_gpu {

RunOptions const& run_options();
TargetInfo const& run_target();
void keep_report(KernelReport&& report);

}  // namespace tilestep::virtual_gpu
