#pragma once
// The solution: there are products - 1 gaps, and after `product` of them the same share of the copies was issued.

#include <tilestep/backend/macros.hpp>  // TS_HOST_DEVICE, TS_INLINE

namespace tilestep {

/// How many copies a warp has issued when it issues this product.
/// @param product 0 .. products - 1   @param products 2 or more   @param copies 0 or more
///   none stands before product 0, and all stand before the last one
///   copies stay in their order: the number never falls from one product to the next
///   they are spread evenly: between two neighbouring products stand as many copies as between any other two, or one
///   more or less
TS_HOST_DEVICE TS_INLINE constexpr int sent_before(int product, int products, int copies) {
  return product * copies / (products - 1);
}

}  // namespace tilestep
