// An array of a .npy file, transposed, into another: with the options, sentences and files of the chapters' programs.

#include <tilestep/tilestep.hpp>

#include <installed_headers.hpp>  // the harness, as far as it is installed: CMake lists it

#include <ostream>
#include <string>

using namespace tilestep;

namespace {

Exit transpose(int argc, char** argv) {
  std::string from, to;
  CommandLine options("transpose", "a program of a project outside");
  options.add("--from", from, "the array").add("--to", to, "its transpose");
  if (!options.parse(argc, argv)) return Exit::right;

  NpyArray const in = read_npy(from);
  auto const of_in = make_layout(make_shape(in.shape.at(0), in.shape.at(1)), LayoutRight{});
  auto const of_out = make_layout(make_shape(in.shape.at(1), in.shape.at(0)), LayoutRight{});
  NpyArray out{in.dtype, {in.shape.at(1), in.shape.at(0)}, std::vector<unsigned char>(in.data.size())};
  std::int64_t const bytes = bytes_of(in.dtype);
  for (std::int64_t i = 0; i < in.shape.at(0); ++i)
    for (std::int64_t j = 0; j < in.shape.at(1); ++j)
      for (std::int64_t byte = 0; byte < bytes; ++byte)
        out.data[of_out(j, i) * bytes + byte] = in.data[of_in(i, j) * bytes + byte];
  write_npy(to, out);
  options.out() << "transposed " << in.shape.at(0) << " x " << in.shape.at(1) << "\n";
  return Exit::right;
}

}  // namespace

int main(int argc, char** argv) { return run_main(argc, argv, transpose); }
