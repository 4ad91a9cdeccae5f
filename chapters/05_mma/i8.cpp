#include "kernel.hpp"   // WarpGemm
#include "by_type.hpp"  // launch_on

namespace tilestep {

void run_i8(GemmCall const& call) {
  launch_on<std::int8_t, std::int32_t, std::int32_t, SM80_16x8x32_S32S8S8S32_TN, CDNA2_32x32x8_I32I8I8I32,
            CDNA3_32x32x16_I32I8I8I32, RDNA3_16x16x16_I32I8I8I32, RDNA4_16x16x16_I32I8I8I32>(call);
}

}  // namespace tilestep
