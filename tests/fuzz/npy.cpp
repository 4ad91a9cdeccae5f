// .npy files: headers of every version, and the data behind them.

#include <tilestep/harness/npy.hpp>  // read_npy

#include "fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  fuzz::File const file(data, size);
  for (bool const vector : {false, true}) {
    fuzz::refused_or_taken([&] {
      tilestep::NpyArray const array = tilestep::read_npy(file.path(), {true, tilestep::DType::e4m3}, vector);
      std::int64_t bytes = tilestep::bytes_of(array.dtype);
      for (std::int64_t const extent : array.shape) bytes *= extent;
      if (bytes != static_cast<std::int64_t>(array.data.size())) std::abort();
    });
  }
  return 0;
}
