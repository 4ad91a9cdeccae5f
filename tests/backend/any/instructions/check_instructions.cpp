// Every matrix instruction of the device alone, and every form of ldmatrix: random and special values, against the
// tables and the arithmetic of the virtual GPU.
//
// usage: check_instructions [--json FILE] On the virtual GPU it goes through all targets. Exit code: 0 right, 1
// something is wrong, 3 there is no device (1 with TILESTEP_REQUIRE_DEVICE=1).

#include "../matrix_kernels.hpp"  // OneInstruction, LoadRows
#include "describe.hpp"           // describe
#include "instruction_check.hpp"  // check

#include <tilestep/backend/runtime.hpp>  // DeviceBuffer, target
#include <tilestep/harness/program.hpp>  // run_main

#include <algorithm>  // std::copy
#include <cstdio>     // std::printf
#include <cstdlib>    // std::getenv
#include <fstream>    // std::ofstream

namespace {

using namespace tilestep;
using namespace instruction_check;

/// Launches an instruction, a block for each case.
template <class Op>
void launch_one(std::int64_t blocks, backend_test::MatrixParams const& p) {
  launch(backend_test::OneInstruction<Op>{}, blocks, p);
}

/// One launch: the parts of all cases behind one another. @return their registers, which come back
void run_on_device(std::vector<Triple>& cases, void (*launch_all)(std::int64_t, backend_test::MatrixParams const&)) {
  Triple all;
  for (Triple const& each : cases) {
    all.a.insert(all.a.end(), each.a.begin(), each.a.end());
    all.b.insert(all.b.end(), each.b.begin(), each.b.end());
    all.c.insert(all.c.end(), each.c.begin(), each.c.end());
  }
  auto const size = [](auto const& registers) { return std::int64_t(registers.size()); };
  using Words = std::vector<std::uint32_t>;
  Words const words_a(all.a.begin(), all.a.end()), words_b(all.b.begin(), all.b.end());
  Words words_c(all.c.begin(), all.c.end());
  DeviceBuffer<std::uint32_t> a("a", size(words_a)), b("b", size(words_b)), c("c", size(words_c));
  a.upload(words_a.data(), size(words_a));
  b.upload(words_b.data(), size(words_b));
  c.upload(words_c.data(), size(words_c));
  launch_all(std::int64_t(cases.size()), backend_test::MatrixParams{a.data(), b.data(), c.data()});
  synchronize();
  c.download(words_c.data(), size(words_c));
  auto from = words_c.begin();
  for (Triple& each : cases) {
    std::copy(from, from + size(each.c), each.c.begin());
    from += size(each.c);
  }
}

template <int Matrices, bool Transposed>
void load_on_device(LoadCase& load) {
  DeviceBuffer<std::uint16_t> rows("rows", 512);
  DeviceBuffer<std::int32_t> row_of("row_of", 32);
  DeviceBuffer<std::uint32_t> out("out", 32 * Matrices);
  rows.upload(load.rows.data(), 512);
  row_of.upload(load.row_of.data(), 32);
  launch(backend_test::LoadRows<Matrices, Transposed>{}, 1,
         backend_test::LoadRowsParams{rows.data(), row_of.data(), out.data()});
  synchronize();
  load.registers.resize(std::size_t(32 * Matrices));
  out.download(load.registers.data(), 32 * Matrices);
}

template <int Matrices>
void check_loads(std::vector<KindResult>& loads) {
  loads.push_back(check_load(Matrices, false, load_on_device<Matrices, false>));
  loads.push_back(check_load(Matrices, true, load_on_device<Matrices, true>));
}

std::int64_t hazards() {
  std::int64_t count = 0;
  for (KernelReport const& report : take_reports()) {
    for (Hazard const& hazard : report.hazards) {
      std::printf("  %s: %s\n", hazard.kind.c_str(), hazard.message.c_str());
      ++count;
    }
  }
  return count;
}

/// @return how many things are wrong with an instruction of the target that runs now
std::int64_t check_instruction(Record& record, Instruction const& instruction) {
  Result const& result = record.instructions.emplace_back(check(instruction));
  // The virtual GPU is the model: there every bit is the same, and what AMD's instructions do, and those of f64, has a
  // name.
  DType const sums = instruction.c.type;
  bool const named = sums == DType::f64 || (target().vendor == Vendor::amd && sums == DType::f32);
  bool const unlike = describes_tensors && (!result.as_model() || (named && result.reproduced_by.empty()));
  std::int64_t const wrong = result.wrong() + hazards() + (unlike ? 1 : 0);
  std::printf("%-8s %-58s %4d cases  %s%s\n", instruction.target.c_str(), instruction.name.c_str(), int(result.cases()),
              wrong == 0 ? "right" : "WRONG", result.as_model() ? ", every bit as on the virtual GPU" : "");
  for (KindResult const& kind : result.kinds) {
    if (kind.wrong != 0) std::printf("  %s: %s\n", kind.kind.c_str(), kind.first_wrong.c_str());
  }
  return wrong;
}

/// The instructions of the target that runs now. @return how many things are wrong
std::int64_t check_target(Record& record) {
  std::int64_t wrong = 0;
  std::string const name(target().name);
  for_each_matrix_instruction([&]<class Op>(Op) {
    if constexpr (backend_has<Op>) {
      if (!has_instruction<Op>(name)) return;
      wrong += check_instruction(record, describe<Op>(name, [](std::vector<Triple>& cases) {
        run_on_device(cases, launch_one<Op>);
      }));
    }
  });
  if (backend_has_ldmatrix && target().vendor == Vendor::nvidia) {
    std::size_t const before = record.loads.size();
    check_loads<1>(record.loads);
    check_loads<2>(record.loads);
    check_loads<4>(record.loads);
    for (std::size_t i = before; i < record.loads.size(); ++i) {
      KindResult const& load = record.loads[i];
      std::printf("%-8s %-58s %4d cases  %s\n", name.c_str(), load.kind.c_str(), load.cases,
                  load.wrong == 0 ? "right" : load.first_wrong.c_str());
      wrong += load.wrong;
    }
    wrong += hazards();
  }
  return wrong;
}

Exit run(int argc, char** argv) {
  std::string json;
  if (argc == 3 && std::string(argv[1]) == "--json") json = argv[2];
  else if (argc != 1) bad_input("usage: check_instructions [--json FILE]");
  try {
    require_device();
  } catch (Error const& error) {
    char const* const required = std::getenv("TILESTEP_REQUIRE_DEVICE");
    if (required != nullptr && required[0] == '1') throw Error(Exit::wrong, error.what());
    throw;
  }
  Record record;
  std::int64_t wrong = 0;
  if (describes_tensors) {
    for (TargetInfo const& info : targets) {
      set_run_options(RunOptions{std::string(info.name), {}, true, 0});
      wrong += check_target(record);
    }
    set_run_options({});
  } else {
    wrong = check_target(record);
  }
  record.target = describes_tensors ? "all" : std::string(target().name);
  record.device = device_name();
  if (!json.empty()) {
    std::ofstream file(json);
    file << to_json(record);
    if (!file.flush()) bad_input("cannot write " + json);
  }
  return wrong == 0 ? Exit::right : Exit::wrong;
}

}  // namespace

int main(int argc, char** argv) { return run_main(argc, argv, run); }
