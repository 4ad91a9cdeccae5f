#pragma once
// Numbers in records.

#include <nlohmann/json.hpp>  // ordered_json

#include <cmath>  // std::isfinite

namespace tilestep {

using Json = nlohmann::ordered_json;

/// The number; null where JSON has none for it.
inline Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

}  // namespace tilestep
