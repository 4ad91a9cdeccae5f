#pragma once
// Kinds of instructions, for a kernel that says in which order they are issued.

namespace tilestep {

enum class Issue { matrix, global_load, shared_load, shared_store };

}  // namespace tilestep
