#pragma once
// Numbers in records.

#include <nlohmann/json.hpp>  // ordered_json

#include <cmath>     // std::isfinite
#include <optional>  // what a device may not say

namespace tilestep {

using Json = nlohmann::ordered_json;

/// The number; null where there is none, or JSON has none for it.
inline Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }
inline Json number(std::optional<double> const& value) { return value ? number(*value) : Json(nullptr); }

}  // namespace tilestep
