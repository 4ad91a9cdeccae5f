// Layouts mean the same in a kernel as in host code: as parameters (host and device compilers must lay them out alike),
// and when the algebra runs in the kernel itself.

#include "device.hpp"  // need_device

#include <tilestep/backend/launch.hpp>   // launch
#include <tilestep/backend/runtime.hpp>  // DeviceBuffer
#include <tilestep/tensor.hpp>           // Layout, make_tensor, local_tile, local_partition

#include <catch2/catch_test_macros.hpp>  // TEST_CASE, CHECK

#include <cstdint>  // std::int64_t
#include <vector>   // std::vector

namespace device_layouts {

using namespace tilestep;

/// Parameters with members on both sides of the layout, so that a disagreement about its size or place shows.
template <class L>
struct LayoutParams {
  std::int64_t before;
  L layout;
  std::int16_t between;
  L again;
  std::int64_t* out;
  int count;
};

/// out[i] = what layout(i) and the numbers around it give.
template <class L>
TS_HOST_DEVICE std::int64_t offset_of(LayoutParams<L> const& p, int i) {
  return p.before + 1000 * std::int64_t(p.layout(i)) + 7 * std::int64_t(p.again(i)) + p.between;
}

template <class L>
struct Offsets {
  static constexpr char const* name = "Offsets";
  static constexpr int threads = 32;
  using Shared = NoShared;
  TS_DEVICE void operator()(Shared&, LayoutParams<L> const& p) const {
    if (thread_index() < p.count) global(p.out)[thread_index()] = offset_of(p, thread_index());
  }
};

/// What the algebra makes of two layouts, as numbers.
template <class A, class B>
struct AlgebraParams {
  A a;
  B b;
  std::int64_t* out;
};

template <class A, class B>
TS_HOST_DEVICE std::int64_t algebra(A const& a, B const& b, int which, int i) {
  switch (which) {
    case 0: return composition(a, b)(i);
    case 1: return logical_divide(a, b)(i);
    case 2: return zipped_divide(a, b)(i);
    case 3: return complement(b, 64)(i);
    case 4: return coalesce(a)(i);
    case 5: return logical_product(b, a)(i);
    case 6: return blocked_product(a, a)(i);
    case 7: return right_inverse(b)(i);
    case 8: return size(a) * 100 + cosize(b);
    default: return crd2idx(idx2crd(i, a.shape()), a.shape(), a.stride());
  }
}

template <class A, class B>
struct Algebra {
  static constexpr char const* name = "Algebra";
  static constexpr int threads = 32;
  using Shared = NoShared;
  TS_DEVICE void operator()(Shared&, AlgebraParams<A, B> const& p) const {
    int const i = thread_index();
    for (int which = 0; which < 10; ++which) global(p.out)[which * threads + i] = algebra(p.a, p.b, which, i);
  }
};

template <class L>
void check_offsets(L const& layout) {
  int const count = size(layout) < 32 ? int(size(layout)) : 32;
  DeviceBuffer<std::int64_t> out("out", count);
  LayoutParams<L> const p{11, layout, 13, layout, out.data(), count};
  launch(Offsets<L>{}, 1, p);
  std::vector<std::int64_t> got(static_cast<std::size_t>(count)), want;
  out.download(got.data(), count);
  for (int i = 0; i < count; ++i) want.push_back(offset_of(p, i));
  CHECK(got == want);
}

template <class A, class B>
void check_algebra(A const& a, B const& b) {
  int const count = 10 * Algebra<A, B>::threads;
  DeviceBuffer<std::int64_t> out("out", count);
  launch(Algebra<A, B>{}, 1, AlgebraParams<A, B>{a, b, out.data()});
  std::vector<std::int64_t> got(static_cast<std::size_t>(count)), want;
  out.download(got.data(), count);
  for (int i = 0; i < count; ++i) want.push_back(algebra(a, b, i / 32, i % 32));
  CHECK(got == want);
}

}  // namespace device_layouts

using namespace device_layouts;

TEST_CASE("layouts passed to a kernel arrive as they were sent", "[backend][layout]") {
  backend_test::need_device();
  check_offsets(make_layout(make_shape(_4{}, _8{})));
  check_offsets(make_layout(make_shape(4, _8{}), make_stride(_8{}, _1{})));
  check_offsets(make_layout(make_shape(_4{}, make_shape(3, _2{})),
                            make_stride(_1{}, make_stride(std::int64_t(8), _4{}))));
  check_offsets(make_layout(make_shape(std::int64_t(5), std::int64_t(6), std::int64_t(1)),
                            make_stride(std::int64_t(6), std::int64_t(1), std::int64_t(1) << 33)));
  check_offsets(make_layout(make_shape(make_shape(_2{}, _2{}), 7),
                            make_stride(make_stride(_0{}, _1{}), std::int16_t(2))));
  check_offsets(make_layout(_7{}, 3));
}

TEST_CASE("the algebra gives the same layouts in a kernel", "[backend][layout]") {
  backend_test::need_device();
  check_algebra(make_layout(make_shape(_4{}, _8{}), make_stride(_8{}, _1{})), make_layout(_4{}, _2{}));
  check_algebra(make_layout(make_shape(_4{}, make_shape(_2{}, _4{})), make_stride(_2{}, make_stride(_1{}, _8{}))),
                make_layout(make_shape(_2{}, _2{}), make_stride(_4{}, _1{})));
}
