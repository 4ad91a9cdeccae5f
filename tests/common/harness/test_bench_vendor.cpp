// --bench beside a library: here one of the test's own, which takes the place of the vendor's.

#include <tilestep/backend/runtime.hpp>      // copies
#include <tilestep/backend/vendor_gemm.hpp>  // VendorLibrary

#include "measured_gemm.hpp"

#include <chrono>  // a slow mode
#include <set>     // addresses
#include <thread>  // std::this_thread

using harness_test::Json;
using harness_test::measure;
using harness_test::Measured;

namespace {

struct Library {
  std::string name = "Abacus 1.2";
  std::string missing;
  bool wrong = false;
  bool wants_aligned = false;
  std::vector<std::string> modes{"slow", "fast", "odd"};
  std::vector<std::string> ran;
  std::set<void const*> places;
  std::vector<tilestep::VendorGemm> asked;
} library;

std::vector<float> from_device(void const* memory, std::int64_t count) {
  std::vector<float> values(static_cast<std::size_t>(count));
  tilestep::copy_to_host(values.data(), memory, count * 4);
  return values;
}

}  // namespace

namespace tilestep {

struct VendorLibrary::Implementation {};
VendorLibrary::VendorLibrary() = default;
VendorLibrary::~VendorLibrary() = default;
std::string const& VendorLibrary::name() const { return library.name; }
std::string const& VendorLibrary::missing() const { return library.missing; }
std::vector<std::string> VendorLibrary::modes(VendorGemm const&) const { return library.modes; }

std::string VendorLibrary::run(VendorGemm const& gemm, std::string const& mode) {
  if (mode == "odd" || (library.wants_aligned && gemm.lda % 4 != 0)) return "not supported";
  library.ran.push_back(mode);
  library.places.insert(gemm.c);
  library.asked.push_back(gemm);
  if (mode == "slow") std::this_thread::sleep_for(std::chrono::milliseconds(20));
  std::int64_t const a_size = gemm.lda * (gemm.a_along_k ? gemm.m : gemm.k) -
                              (gemm.lda - (gemm.a_along_k ? gemm.k : gemm.m));
  std::int64_t const b_size = gemm.ldb * (gemm.b_along_k ? gemm.n : gemm.k) -
                              (gemm.ldb - (gemm.b_along_k ? gemm.k : gemm.n));
  for (std::int64_t l = 0; l < gemm.batch; ++l) {
    std::vector<float> const a = from_device(static_cast<float const*>(gemm.a) + l * gemm.batch_a, a_size),
                             b = from_device(static_cast<float const*>(gemm.b) + l * gemm.batch_b, b_size);
    for (std::int64_t m = 0; m < gemm.m; ++m) {
      std::vector<float> row;
      for (std::int64_t n = 0; n < gemm.n; ++n) {
        float sum = 0;
        for (std::int64_t k = 0; k < gemm.k; ++k) {
          sum += a[std::size_t(gemm.a_along_k ? m * gemm.lda + k : k * gemm.lda + m)] *
                 b[std::size_t(gemm.b_along_k ? n * gemm.ldb + k : k * gemm.ldb + n)];
        }
        float const bias = gemm.bias != nullptr ? from_device(gemm.bias, gemm.n)[std::size_t(n)] : 0.0f;
        Activation const activation = gemm.relu ? Activation::relu : gemm.gelu ? Activation::gelu : Activation::none;
        row.push_back(activate(activation, static_cast<float>(gemm.alpha) * sum + bias) +
                      (library.wrong ? 1.0f : 0.0f));
      }
      copy_to_device(static_cast<float*>(gemm.c) + l * gemm.batch_c + m * gemm.ldc, row.data(), gemm.n * 4);
    }
  }
  return "";
}

}  // namespace tilestep

TEST_CASE("the library's faster mode is the other side, and its result is checked, however the matrices are stored",
          "[harness][bench]") {
  for (char const* layout : {"nn", "nt", "tn", "tt"}) {
    library = {};
    Measured const measured = measure({"--m", "9", "--n", "7", "--k", "5", "--layout", layout, "--lda", "11", "--ldb",
                                       "12", "--ldc", "13", "--alpha", "2"});
    Json const& record = measured.record;
    CHECK(measured.exit == tilestep::Exit::right);
    CHECK(record["vendor"]["name"] == "Abacus 1.2");
    CHECK(record["vendor"]["mode"] == "fast");
    CHECK(record["vendor"]["check"]["verdict"] == "right");
    CHECK(record["vendor"]["modes"]["odd"] == "not supported");
    CHECK(record["vendor"]["modes"]["slow"] > record["vendor"]["modes"]["fast"]);
    CHECK(record["seconds"]["vendor"].size() == record["seconds"]["kernel"].size());
    CHECK(record["ratio"]["min"] <= record["ratio"]["median"]);
    CHECK(record["ratio"]["median"] <= record["ratio"]["max"]);
    CHECK(library.ran.back() == "fast");
    CHECK(library.places.size() > 2);  // it rotates through the operands as the kernel does
  }
}

TEST_CASE(
    "where rows do not start at multiples of 16 bytes, the library is also asked for the product of copies whose rows "
    "do",
    "[harness][bench]") {
  for (char const* layout : {"nn", "nt", "tn", "tt"}) {
    library = {};
    Measured const odd =
        measure({"--m", "9", "--n", "7", "--k", "5", "--layout", layout, "--batch", "2", "--alpha", "2"});
    INFO(layout);
    REQUIRE(odd.record.contains("repacked"));
    CHECK(odd.record["repacked"]["check"]["verdict"] == "right");
    CHECK(odd.record["repacked"]["mode"] == "fast");
    CHECK(odd.record["seconds"]["repacked"].size() == odd.record["seconds"]["kernel"].size());
    CHECK(odd.record["ratio_repacked"]["min"] <= odd.record["ratio_repacked"]["median"]);
    tilestep::VendorGemm const& last = library.asked.back();
    CHECK((last.a_along_k && last.b_along_k));
    CHECK((last.m == 9 && last.n == 8 && last.k == 8));  // zeros follow
    CHECK((last.lda % 4 == 0 && last.ldb % 4 == 0 && last.ldc == 8));
  }
  library = {};
  CHECK_FALSE(measure({"--m", "9", "--n", "8", "--k", "4"}).record.contains("repacked"));
  library.wants_aligned = true;  // it computes nothing else
  Measured const refused = measure({"--m", "9", "--n", "7", "--k", "5"});
  CHECK(refused.record["vendor"].contains("missing"));
  CHECK(refused.record["repacked"]["check"]["verdict"] == "right");
  // Operands whose rows do are not copied.
  for (auto [leading, option] : {std::pair("--lda", 'a'), {"--ldb", 'b'}, {"--ldc", 'c'}}) {
    library = {};
    Measured const one = measure({"--m", "9", "--n", "8", "--k", "4", "--layout", "nn", leading, "11"});
    REQUIRE(one.record["repacked"]["check"]["verdict"] == "right");
    tilestep::VendorGemm const& last = library.asked.back();
    // on other operands, but in the same buffers for copies
    tilestep::VendorGemm const& before = library.asked.end()[-3];
    CHECK((last.a == before.a) == (option == 'a'));
    CHECK((last.b == before.b) == (option == 'b'));
    CHECK(last.b_along_k == (option == 'b'));
    CHECK((last.ldc % 4 == 0 && last.k == 4));
  }
  library = {};
  CHECK(measure({"--m", "9", "--n", "7", "--k", "4", "--layout", "nt", "--ldc", "8"})
            .record["repacked"]["check"]["verdict"] == "right");
  CHECK((library.asked.back().n == 8 && library.asked.back().a != library.asked.end()[-3].a &&
         library.asked.back().b == library.asked.end()[-3].b));
}

TEST_CASE("a library is asked for the epilogue, too, and has none with a residual", "[harness][bench]") {
  for (char const* activation : {"none", "relu", "gelu"}) {
    library = {};
    Measured const measured =
        measure({"--m", "9", "--n", "8", "--k", "4", "--bias", "on", "--activation", activation, "--alpha", "2"});
    CHECK(measured.record["vendor"]["check"]["verdict"] == "right");
    CHECK(measured.record["parameters"]["bias"] == true);
    CHECK(library.asked.back().has_epilogue());
  }
  library = {};
  CHECK_FALSE(measure({"--m", "9", "--n", "7", "--k", "5", "--activation", "relu"}).record.contains("repacked"));
  CHECK_FALSE(measure({"--m", "9", "--n", "8", "--k", "4"}).record.is_null());
  CHECK_FALSE(library.asked.back().has_epilogue());
}

TEST_CASE("a library's wrong result does not make the kernel wrong, and is in the record", "[harness][bench]") {
  library = {};
  library.wrong = true;
  Measured const measured = measure({"--m", "9", "--n", "7", "--k", "5"});
  CHECK(measured.exit == tilestep::Exit::right);
  CHECK(measured.record["vendor"]["check"]["verdict"] == "wrong");
}

TEST_CASE("without the library, or without a mode that it takes, there is a time and no ratio", "[harness][bench]") {
  library = {};
  library.modes = {"odd"};
  Measured measured = measure({"--m", "9", "--n", "7", "--k", "5"});
  CHECK(measured.record["vendor"]["missing"] == "Abacus 1.2 does not compute this product; odd: not supported");
  library.missing = "no Abacus here";
  measured = measure({"--m", "9", "--n", "7", "--k", "5"});
  CHECK(measured.record["vendor"] == Json({{"missing", "no Abacus here"}}));
  CHECK_FALSE(measured.record.contains("ratio"));
  CHECK(measured.record["seconds"]["kernel"].size() == 11);
}
