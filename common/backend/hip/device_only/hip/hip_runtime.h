#pragma once
// The few words of HIP that device code needs, for a clang that has no ROCm beside it. With this folder in front of the
// include path, `clang -x hip --cuda-device-only -nogpuinc -nogpulib` compiles the kernels as they are, to look at
// their instructions.

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __launch_bounds__(threads, ...) \
  __attribute__((amdgpu_flat_work_group_size(1, threads) __VA_OPT__(, amdgpu_waves_per_eu(__VA_ARGS__))))  // as HIP defines it

// threadIdx.x and blockIdx.x read the hardware's registers; kernels use no other dimension.
struct TilestepThreadIndex {
  struct X {
    __device__ operator unsigned() const { return __builtin_amdgcn_workitem_id_x(); }
  } x;
};
struct TilestepBlockIndex {
  struct X {
    __device__ operator unsigned() const { return __builtin_amdgcn_workgroup_id_x(); }
  } x;
};
inline constexpr TilestepThreadIndex threadIdx{};
inline constexpr TilestepBlockIndex blockIdx{};
