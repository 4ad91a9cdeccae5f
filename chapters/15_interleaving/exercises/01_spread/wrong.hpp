#pragma once
// Wrong answers to the exercise, one at a time.
// 1. Divides before it multiplies. Says: 3 products, 1 copies: 0 were issued before product 2
// 2. Counts products where it should count gaps. Says: 2 products, 1 copies: 0 were issued before product 1
// 3. One copy in each gap, and what is left in the last one. Says: between two products stand 1 copies, between two
//    others 3

#include <tilestep/backend/macros.hpp>        // TS_HOST_DEVICE, TS_INLINE
#include <tilestep/harness/wrong_answer.hpp>  // wrong_answer

namespace tilestep {

/// How many copies a warp has issued when it issues this product.
/// @param product 0 .. products - 1   @param products 2 or more   @param copies 0 or more
TS_HOST_DEVICE TS_INLINE int sent_before(int product, int products, int copies) {
  if (wrong_answer(1)) return copies / (products - 1) * product;
  if (wrong_answer(2)) return product * copies / products;
  if (wrong_answer(3)) return product == products - 1 || product > copies ? copies : product;
  return product * copies / (products - 1);
}

}  // namespace tilestep
