// Tensor maps are encoded by the driver, which is asked for its function by name: nothing is linked with it.

#include <tilestep/backend/check.hpp>    // TS_CHECK
#include <tilestep/backend/runtime.hpp>  // target
#include <tilestep/backend/tma.hpp>      // what is implemented here

#include <cudaTypedefs.h>  // PFN_cuTensorMapEncodeTiled_v12000

#include <cstring>  // std::memcpy

namespace tilestep {

namespace {

PFN_cuTensorMapEncodeTiled_v12000 find_encoder() {
  void* function = nullptr;
  cudaDriverEntryPointQueryResult found{};
  TS_CHECK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000, cudaEnableDefault, &found));
  if (function == nullptr || found != cudaDriverEntryPointSuccess) {
    not_here("the driver of " + device_name() + " has no tensor maps: install one for CUDA 12 or newer");
  }
  return reinterpret_cast<PFN_cuTensorMapEncodeTiled_v12000>(function);
}

CUtensorMapDataType type_of(int bytes) {
  return bytes == 1   ? CU_TENSOR_MAP_DATA_TYPE_UINT8
         : bytes == 2 ? CU_TENSOR_MAP_DATA_TYPE_UINT16
         : bytes == 4 ? CU_TENSOR_MAP_DATA_TYPE_UINT32
                      : CU_TENSOR_MAP_DATA_TYPE_UINT64;
}

CUtensorMapSwizzle mode_of(TileSwizzle swizzle) {
  switch (swizzle) {
    case TileSwizzle::bytes_32: return CU_TENSOR_MAP_SWIZZLE_32B;
    case TileSwizzle::bytes_64: return CU_TENSOR_MAP_SWIZZLE_64B;
    case TileSwizzle::bytes_128: return CU_TENSOR_MAP_SWIZZLE_128B;
    default: return CU_TENSOR_MAP_SWIZZLE_NONE;
  }
}

}  // namespace

TensorMap make_tensor_map(TensorTile const& tile) {
  check_tensor_tile(tile);
  require_device();
  if (!target().tensor_maps)
    not_here(device_name() + " has no TMA, which reads tensor maps: choose another configuration");
  static PFN_cuTensorMapEncodeTiled_v12000 const encode = find_encoder();
  cuuint64_t extents[3], strides[2];
  cuuint32_t box[3], steps[3];
  for (int mode = 0; mode < tile.rank; ++mode) {
    extents[mode] = cuuint64_t(tile.extent[mode]);
    box[mode] = cuuint32_t(tile.box[mode]);
    steps[mode] = 1;
    if (mode > 0) strides[mode - 1] = cuuint64_t(tile.stride[mode] * tile.element_size);
  }
  CUtensorMap map;
  // The L2 fetches 256 bytes at a time from DRAM, the most that a map can ask for. Fewer were not measured.
  CUresult const result = encode(&map, type_of(tile.element_size), cuuint32_t(tile.rank), const_cast<void*>(tile.base),
                                 extents, strides, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE, mode_of(tile.swizzle),
                                 CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (result != CUDA_SUCCESS)
    throw Error(Exit::wrong, "cuTensorMapEncodeTiled failed with error " + std::to_string(int(result)));
  TensorMap encoded;
  static_assert(sizeof(encoded) == sizeof(map));
  std::memcpy(&encoded, &map, sizeof(map));
  return encoded;
}

}  // namespace tilestep
