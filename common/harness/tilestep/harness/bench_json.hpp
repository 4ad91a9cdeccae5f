#pragma once
// What the records of --bench and --tune have in common.

#include <tilestep/backend/measure.hpp>  // DeviceState
#include <tilestep/harness/record.hpp>   // Record

#include <nlohmann/json.hpp>  // ordered_json

namespace tilestep {

using Json = nlohmann::ordered_json;

Json state_json(DeviceState const& state);
Json parameters_json(Record const& described);

}  // namespace tilestep
