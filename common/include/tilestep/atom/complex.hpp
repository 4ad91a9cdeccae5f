#pragma once
// Complex numbers, by CuTe's name: what the complex atoms multiply.

#include <tilestep/backend/macros.hpp>  // TS_HOST_DEVICE

#include <string>  // to_string

namespace tilestep {

/// A real and an imaginary part, one behind the other.
template <class T>
struct complex {
  using value_type = T;
  T parts[2];

  complex() = default;
  TS_HOST_DEVICE constexpr complex(T real, T imaginary = T(0)) : parts{real, imaginary} {}
  TS_HOST_DEVICE constexpr T const& real() const { return parts[0]; }
  TS_HOST_DEVICE constexpr T const& imag() const { return parts[1]; }
  TS_HOST_DEVICE constexpr T& real() { return parts[0]; }
  TS_HOST_DEVICE constexpr T& imag() { return parts[1]; }

  TS_HOST_DEVICE friend constexpr bool operator==(complex const& a, complex const& b) {
    return a.real() == b.real() && a.imag() == b.imag();
  }
  TS_HOST_DEVICE friend constexpr complex operator-(complex const& a) { return {-a.real(), -a.imag()}; }
  TS_HOST_DEVICE friend constexpr complex operator+(complex const& a, complex const& b) {
    return {a.real() + b.real(), a.imag() + b.imag()};
  }
  TS_HOST_DEVICE friend constexpr complex operator-(complex const& a, complex const& b) {
    return {a.real() - b.real(), a.imag() - b.imag()};
  }
  TS_HOST_DEVICE friend constexpr complex operator*(complex const& a, complex const& b) {
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
  }
};

/// "1.500000+-2.000000i"
template <class T>
std::string to_string(complex<T> const& value) {
  return std::to_string(value.real()) + "+" + std::to_string(value.imag()) + "i";
}

}  // namespace tilestep
