#pragma once
// --predict: the model of times as tables, beside what was measured, and for machines that nobody here has.

#include <cstdint>  // std::int64_t
#include <string>   // the tables

namespace tilestep {

/// Two devices, beside what the lab's table says of them; then 8 to 1,024 by their makers' figures, for C (m,n) of
/// sums over k in bf16.
std::string predictions(std::int64_t m, std::int64_t n, std::int64_t k);

}  // namespace tilestep
