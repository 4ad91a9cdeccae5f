// What the virtual GPU says of a warp that cannot multiply.

#include "run_matrix.hpp"  // OperandOfLane

#include <string>  // messages

namespace tilestep::virtual_gpu::matrix_run {

bool report_unwritten_operand(Worker& worker, Collective const& self, int lane, OperandOfLane const& operand) {
  int const unit = unwritten_unit(operand.bits / 8);
  std::int64_t const at =
      first_unwritten(operand.registers, std::int64_t(operand.bytes) * operand.rows * operand.columns, unit);
  if (at < 0 || !worker.watches(unit)) return false;
  int const fragment = int(at) / operand.bytes;
  Place const place = operand.place(lane, int(at) % operand.bytes * 8 / operand.bits);
  auto const pair = [](int i, int j) { return "(" + std::to_string(i) + "," + std::to_string(j) + ")"; };
  worker.report_unwritten_operand(lane, self,
                                  operand.name + pair(place.row, place.column) + " of fragment " +
                                      pair(fragment % operand.rows, fragment / operand.rows));
  return true;
}

void report_unable(Worker& worker, Collective const& self, bool has_instruction, int count, int lanes) {
  if (!has_instruction)
    worker.report_collective("broken requirement", self,
                             ", which " + std::string(worker.target().name) +
                                 " does not have: choose an atom of this target");
  else
    worker.report_collective("divergent barrier", self,
                             ", but the block's last warp has only " + std::to_string(count) +
                                 " lanes: make the number of threads a multiple of " + std::to_string(lanes));
}

void report_unlike_halves(Worker& worker, Collective const& self, char operand) {
  worker.report_collective("broken requirement", self,
                           std::string(", but lanes 16 to 31 bring another ") + operand +
                               " than lanes 0 to 15: both halves of the warp must hold the same");
}

}  // namespace tilestep::virtual_gpu::matrix_run
