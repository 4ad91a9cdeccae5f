#pragma once
// The exercise: where copies of a later tile stand between matrix products. This stub issues all of them at once, as
// soon as the first product is issued: warps that have left a barrier together ask for everything together.

#include <tilestep/backend/macros.hpp>  // TS_HOST_DEVICE, TS_INLINE

namespace tilestep {

/// How many copies a warp has issued when it issues this product.
/// @param product 0 .. products - 1   @param products 2 or more   @param copies 0 or more
///   none stands before product 0, and all stand before the last one
///   copies stay in their order: the number never falls from one product to the next
///   they are spread evenly: between two neighbouring products stand as many copies as between any other two, or one
///   more or less
TS_HOST_DEVICE TS_INLINE constexpr int sent_before(int product, int products, int copies) {
  return product == 0 || products == 0 ? 0 : copies;
}

}  // namespace tilestep
