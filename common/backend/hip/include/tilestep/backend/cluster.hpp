#pragma once
// Clusters, group barriers and registers that change hands are NVIDIA's: this backend has nothing by these names, so a kernel that uses one without asking backend_has_hopper does not compile.

#include <tilestep/backend/mbarrier.hpp>  // backend_has_hopper
