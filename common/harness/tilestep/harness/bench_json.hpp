#pragma once
// What the records of --bench and --tune have in common.

#include <tilestep/backend/measure.hpp>  // DeviceState
#include <tilestep/harness/record.hpp>   // Record

#include "json.hpp"  // Json

namespace tilestep {

Json state_json(DeviceState const& state);
Json parameters_json(Record const& described);

}  // namespace tilestep
