#include "operand_sets.hpp"

#include <tilestep/backend/measure.hpp>  // copy_on_device

#include <algorithm>  // std::clamp

namespace tilestep {

namespace {

std::int64_t image_bytes(HostMatrix const& matrix) { return std::int64_t(matrix.image().size()); }

std::vector<std::int64_t> bytes_of_parts(GemmSetup const& setup, Operands const* operands) {
  GemmProblem const& problem = setup.problem;
  std::int64_t const bias = problem.bias ? setup.place_bias.span_bytes() : 0,
                     narrow = problem.bias ? problem.n * bytes_of(problem.out) : 0;
  if (operands != nullptr) {
    return {image_bytes(operands->a),
            image_bytes(operands->b),
            image_bytes(operands->c),
            operands->bias ? image_bytes(*operands->bias) : 0,
            narrow,
            operands->residual ? image_bytes(*operands->residual) : 0};
  }
  return {setup.place_a.span_bytes(),
          setup.place_b.span_bytes(),
          setup.place_c.span_bytes(),
          bias,
          narrow,
          problem.residual ? setup.place_residual.span_bytes() : 0};
}

std::vector<std::int64_t> places_of(std::vector<std::int64_t> const& bytes) {
  std::vector<std::int64_t> first{0};
  for (std::int64_t each : bytes) first.push_back(first.back() + (each + 255) / 256 * 256);
  return first;
}

}  // namespace

OperandSets::OperandSets(GemmSetup const& setup, std::vector<std::int64_t> const& bytes, std::int64_t l2_bytes)
    : call_(call_for(setup, setup.problem)),
      bytes_(bytes),
      first_(places_of(bytes)),
      count_(std::clamp<std::int64_t>(2 * l2_bytes / first_[parts] + 1, 1, 4096)),
      memory_("the operands", count_ * first_[parts], 1) {}

OperandSets::OperandSets(GemmSetup const& setup, Operands const& operands, std::int64_t l2_bytes)
    : OperandSets(setup, bytes_of_parts(setup, &operands), l2_bytes) {
  fill(part_a, operands.a), fill(part_b, operands.b), fill(part_c, operands.c);
  if (operands.bias) {
    fill(part_bias, *operands.bias);
    HostMatrix narrow({setup.problem.out, 1, setup.problem.n, 1, {setup.problem.n, 1, 0}});
    for (std::int64_t n = 0; n < setup.problem.n; ++n) narrow.set(0, n, 0, operands.bias->get(0, n, 0));
    fill(part_narrow_bias, narrow);
  }
  if (operands.residual) fill(part_residual, *operands.residual);
  repeat();
}

OperandSets::OperandSets(GemmSetup const& setup, std::int64_t l2_bytes)
    : OperandSets(setup, bytes_of_parts(setup, nullptr), l2_bytes) {
  fill_by_piece(part_a, setup.problem.dtype, setup.seed);
  fill_by_piece(part_b, setup.problem.dtype, setup.seed + 1);
  fill_by_piece(part_c, setup.problem.out, setup.seed + 2);
  fill_by_piece(part_bias, setup.place_bias.type, setup.seed + 3);
  fill_by_piece(part_narrow_bias, setup.problem.out, setup.seed + 3);
  fill_by_piece(part_residual, setup.problem.out, setup.seed + 4);
  repeat();
}

void OperandSets::fill(Part part, HostMatrix const& matrix) {
  if (has(part)) copy_to_device(at(0, part), matrix.image().data(), bytes_[part]);
}

void OperandSets::fill_by_piece(Part part, DType type, std::uint64_t seed) {
  if (!has(part)) return;
  std::int64_t const piece = std::min<std::int64_t>(bytes_[part], 4 << 20), size = bytes_of(type);
  HostMatrix numbers({type, 1, piece / size, 1, {0, 1, 0}});
  numbers.fill_normals(seed, 4);
  copy_to_device(at(0, part), numbers.image().data(), piece);
  for (std::int64_t done = piece; done < bytes_[part]; done *= 2) {  // what is there, once more
    copy_on_device(at(0, part) + done, at(0, part), std::min(done, bytes_[part] - done));
  }
}

void OperandSets::repeat() {
  for (std::int64_t set = 1; set < count_; ++set) {
    for (int part = 0; part < parts; ++part) {
      if (has(Part(part))) copy_on_device(at(set, Part(part)), at(0, Part(part)), bytes_[std::size_t(part)]);
    }
  }
  synchronize();
}

GemmCall const& OperandSets::next() {
  call_.a = at(next_, part_a), call_.b = at(next_, part_b), call_.c = at(next_, part_c);
  if (has(part_bias)) call_.epilogue.bias = at(next_, part_bias);
  if (has(part_residual)) call_.epilogue.residual = at(next_, part_residual);
  bias_in_type_of_c_ = has(part_narrow_bias) ? at(next_, part_narrow_bias) : nullptr;
  next_ = (next_ + 1) % count_;
  return call_;
}

}  // namespace tilestep
