#pragma once
// Registers that nobody wrote. A fragment begins with a pattern that no computation gives. It may be copied as often as
// a kernel likes; where arithmetic, a matrix instruction or a store to global memory meets it, that is a hazard. So the
// values say themselves whether they were written, and copies need no records.

#include <algorithm>  // std::min
#include <cstdint>    // std::uint16_t
#include <cstring>    // std::memcpy

namespace tilestep::virtual_gpu {

/// Each two bytes of a register that nobody wrote: a signalling NaN as bf16 and repeated as f32, a NaN as f16.
inline constexpr std::uint16_t unwritten_bits = 0x7FA5;

/// Fills a register tensor's memory as it is before anybody writes it.
inline void fill_unwritten(void* registers, int bytes) {
  auto* const to = static_cast<unsigned char*>(registers);
  int at = 0;
  for (; at + 2 <= bytes; at += 2) std::memcpy(to + at, &unwritten_bits, 2);
  if (at < bytes) std::memcpy(to + at, &unwritten_bits, 1);
}

/// The bytes that are compared as one: an element; of smaller ones than two bytes a register of four.
constexpr int unwritten_unit(std::int64_t element_size) {
  return element_size == 1 ? 4 : int(std::min<std::int64_t>(element_size, 8));
}

namespace detail {
template <class Unit>
std::int64_t first_unwritten(unsigned char const* registers, std::int64_t bytes) {
  constexpr auto pattern = static_cast<Unit>(0x7FA57FA57FA57FA5u);
  Unit unit;
  bool any = false;
  for (std::int64_t at = 0; at + std::int64_t(sizeof(Unit)) <= bytes; at += std::int64_t(sizeof(Unit))) {
    std::memcpy(&unit, registers + at, sizeof(Unit));
    any |= unit == pattern;
  }
  if (!any) return -1;
  for (std::int64_t at = 0;; at += std::int64_t(sizeof(Unit))) {
    std::memcpy(&unit, registers + at, sizeof(Unit));
    if (unit == pattern) return at;
  }
}
}  // namespace detail

/// The first byte of the first element that nobody wrote; -1 if there is none.
/// @param unit  unwritten_unit() of the element's size
inline std::int64_t first_unwritten(void const* registers, std::int64_t bytes, int unit) {
  auto const* const from = static_cast<unsigned char const*>(registers);
  if (unit == 2) return detail::first_unwritten<std::uint16_t>(from, bytes);
  if (unit == 4) return detail::first_unwritten<std::uint32_t>(from, bytes);
  return detail::first_unwritten<std::uint64_t>(from, bytes);
}

/// Reports a value of which arithmetic makes use and that nobody wrote. Outside a kernel it does nothing.
void check_use(void const* value, int size, char const* where);
/// The same for a factor of fma(), which may have been an f16 or a bf16 before.
void check_factor(float value);

}  // namespace tilestep::virtual_gpu
