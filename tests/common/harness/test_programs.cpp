// The drivers of GEMM and copy chapters, run as programs: exit codes, sentences, records, files.

#include <tilestep/backend/runtime.hpp>  // require_device
#include <tilestep/harness/npy.hpp>      // files
#include <tilestep/harness/record.hpp>   // on_virtual_gpu

#include "files.hpp"
#include "run_program.hpp"

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include <cstdlib>  // std::getenv
#include <cstring>  // std::memcpy

using namespace tilestep;
using harness_test::Folder;
using test::Ran;

namespace {

Ran gemm(std::string const& arguments) { return test::run_program("tests/planted_gemm", arguments); }
Ran copy(std::string const& arguments) { return test::run_program("tests/planted_copy", arguments); }

void need_device() {
  try {
    require_device();
  } catch (Error const& error) {
    char const* const required = std::getenv("TILESTEP_REQUIRE_DEVICE");
    if (required != nullptr && required[0] == '1') FAIL("needs a device: " << error.what());
    SKIP("needs a device: " << error.what());
  }
}

bool says(Ran const& ran, std::string const& part) { return ran.output.find(part) != std::string::npos; }

// One sentence, ended by the only newline.
bool one_line(Ran const& ran) { return std::count(ran.output.begin(), ran.output.end(), '\n') == 1; }

std::string matrix_file(Folder const& folder, std::string const& name, std::vector<std::int64_t> const& shape,
                        float first = 1) {
  std::int64_t count = 1;
  for (std::int64_t extent : shape) count *= extent;
  std::vector<float> values(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = first + static_cast<float>(i);
  NpyArray array{DType::f32, shape, std::vector<unsigned char>(values.size() * sizeof(float))};
  if (!values.empty()) std::memcpy(array.data.data(), values.data(), array.data.size());
  write_npy(folder / name, array);
  return folder / name;
}

std::vector<float> floats(std::string const& path) {
  NpyArray const array = read_npy(path);
  std::vector<float> result(array.data.size() / sizeof(float));
  if (!result.empty()) std::memcpy(result.data(), array.data.data(), array.data.size());
  return result;
}

}  // namespace

TEST_CASE("a right kernel is right for every layout, leading dimension and empty extent", "[harness][program]") {
  need_device();
  for (char const* arguments :
       {"", "--layout nt", "--layout tn", "--layout tt --m 5 --n 7 --k 3 --lda 11 --ldb 6 --ldc 9 --batch 3", "--m 0",
        "--n 0 --beta 1", "--k 0 --beta 2", "--batch 0", "--alpha -1.5 --beta 0.75 --ldc 70", "--dtype f16 --beta 1",
        "--dtype bf16", "--seed 7"}) {
    Ran const ran = gemm(arguments);
    INFO(arguments << "\n" << ran.output);
    CHECK(ran.exit_code == 0);
    CHECK(says(ran, "verdict: right"));
  }
}

TEST_CASE("every planted mistake is found", "[harness][program]") {
  need_device();
  for (char const* mistake : {"drops_row", "drops_product", "transposes_b"}) {
    Ran const ran = gemm(std::string("--m 20 --n 20 --k 20 --kernel ") + mistake);
    INFO(ran.output);
    CHECK(ran.exit_code == 1);
    CHECK(says(ran, "(m,n) = ("));
    CHECK(says(ran, "want"));
  }
  Ran const gap = gemm("--ldc 70 --kernel writes_gap");
  INFO(gap.output);
  CHECK(gap.exit_code == 1);
  CHECK(says(gap, "memory between rows was overwritten, before row 1"));
}

TEST_CASE("a mistake that spares the numbers is a hazard", "[harness][program]") {
  if (!on_virtual_gpu()) SKIP("only the virtual GPU looks for hazards");
  for (auto [mistake, kind] : {std::pair{"reads_c", "uninitialised read"}, {"reads_outside", "out of bounds"}}) {
    Ran const ran = gemm(std::string("--m 20 --n 20 --k 20 --kernel ") + mistake);
    INFO(ran.output);
    CHECK(ran.exit_code == 4);
    CHECK(says(ran, std::string("04_planted_gemm: ") + kind));
    CHECK(says(ran, "verdict: hazard"));
  }
}

TEST_CASE("bad input is one sentence and exit code 2", "[harness][program]") {
  need_device();
  Folder const folder;
  std::string const a = matrix_file(folder, "a.npy", {4, 3}), b = matrix_file(folder, "b.npy", {3, 5});
  std::string const stack = matrix_file(folder, "stack.npy", {2, 4, 3}),
                    stack3 = matrix_file(folder, "stack3.npy", {3, 3, 5});

  harness_test::write_bytes(folder / "short.npy", harness_test::bytes_of_file(a).substr(0, 150));
  std::string const ab = "--a " + a + " --b " + b;
  std::filesystem::create_symlink(folder / ".", folder / "link");
  struct Row {
    std::string arguments;
    std::string says;
  };
  Row const rows[] = {
      {"--m -1", "--m -1: needs a whole number that is not negative"},
      {"--m x", "--m x: needs a whole number"},
      {"--batch -1", "--batch -1"},
      {"--m 9223372036854775808", "does not fit in 64 bits"},
      {"--beta 1e-400", "--beta 1e-400: needs 0, or a number between"},
      {"--out " + (folder / "x.npy") + " --json " + (folder / "./x.npy"), "--out and --json name the same file"},
      {"--out " + (folder / "x.npy") + " --json " + (folder / "link/x.npy"), "--out and --json name the same file"},
      {"--m 4611686018427387904 --n 4611686018427387904", "more than 64 bits can count"},
      {"--m 300000000 --n 300000000 --k 300000000", "GiB"},
      {"--m 3000000000 --n 3000000000 --k 1", "more bytes than 64 bits can count"},
      {"--lda 66", "--lda 66 is smaller than a row, which has 67 elements"},
      {"--ldb 64", "smaller than a row"},
      {"--ldc -70", "not negative"},
      {"--layout nx", "needs one of nn, nt, tn, tt"},
      {"--layout n", "needs one of nn, nt, tn, tt"},
      {"--dtype f128", "needs one of f64"},
      {"--dtype tf32", "chapter 05_mma adds them"},
      {"--dtype i32", "i32 is a type of results"},
      {"--acc f16", "f32 accumulation"},
      {"--out-dtype f16", "results of f32"},
      {"--dtype i8 --alpha 1.5", "whole 32-bit number"},
      {"--kernel wrong", "needs one of"},
      {"--target sm99", "there is no target 'sm99'"},
      {"--k 1313", "chapter 99_nothing"},
      {"--alpha 1e39", "too large for f32"},
      {"--beta 1e-60", "too small for f32: say 0"},
      {"--a " + a, "--a was given without --b"},
      {"--b " + b, "--b was given without --a"},
      {"--c " + a, "--c was given without"},
      {"--a " + b + " --b " + a, "makes k 5"},
      {ab + " --m 5", "--m 5 makes m 5, but"},
      {ab + " --layout tn", "makes k 4"},
      {ab + " --beta 1", "needs C"},
      {ab + " --beta 1 --c " + a, "makes n"},
      {ab + " --dtype f16", "holds f32"},
      {ab + " --out-dtype f16", "results of f32"},
      {"--a " + stack + " --b " + stack3, "makes batch 2"},
      {"--a " + stack + " --b " + b + " --beta 1 --c " + matrix_file(folder, "c.npy", {4, 5}),
       "is one matrix, but the batch is 2"},
      {"--a " + (folder / "short.npy") + " --b " + b, "is truncated"},
      {"--a " + (folder / "none.npy") + " --b " + b, "No such file"},
      {ab + " --out " + (folder / "no/out.npy"), "cannot be written"},
      {ab + " --json " + (folder / "no/out.json"), "cannot be written"},
      {ab + " --out " + (folder / "same") + " --json " + (folder / "same"), "same file"},
  };
  int const files = folder.count();
  for (Row const& row : rows) {
    bool const writes =
        row.arguments.find("--out") != std::string::npos && row.arguments.find("--out-dtype") == std::string::npos;
    Ran const ran = gemm(row.arguments + (writes ? "" : " --out " + (folder / "out.npy")));
    INFO(row.arguments << "\n" << ran.output);
    CHECK(ran.exit_code == 2);
    CHECK(says(ran, row.says));
    CHECK(one_line(ran));
  }
  CHECK(folder.count() == files);  // no output, whole or in part
}

TEST_CASE("a type that exists on other targets only is exit code 3", "[harness][program]") {
  if (!on_virtual_gpu()) SKIP("the target is the device's");
  CHECK(gemm("--dtype i8").exit_code == 0);
  Ran const ran = gemm("--dtype i8 --target gfx942");
  CHECK(ran.exit_code == 3);
  CHECK(says(ran, "it runs on sm80, sm90"));
}

TEST_CASE("The option --bench is for a device: the virtual GPU counts and says so in one sentence",
          "[harness][program]") {
  if (!on_virtual_gpu()) SKIP("--bench runs on a device");
  Folder const folder;
  for (char const* options : {"", "--m 8 --n 8 --k 8 --layout tt ", "--target gfx942 "}) {
    Ran const ran = gemm(std::string(options) + "--bench --json " + (folder / "r.json"));
    INFO(ran.output);
    CHECK(ran.exit_code == 3);
    CHECK(says(ran, "--bench measures time, and the virtual GPU counts instead"));
    CHECK(one_line(ran));
  }
  CHECK(folder.count() == 0);
  CHECK(gemm("--bench --m x").exit_code == 2);
}

TEST_CASE("what is wrong in a list of problems is said before a device is asked for", "[harness][program]") {
  Folder const folder;
  auto const list = [&](std::string const& text) { return harness_test::write_bytes(folder / "list.csv", text); };
  struct Row {
    std::string file;
    std::string says;
  };
  for (Row const& row : {Row{"/dev/zero", "is no text: it holds a zero byte"},
                         {folder / "", "is a folder"},
                         {folder / "none.csv", "the file cannot be read"},
                         {list(""), "has no problem"}}) {
    Ran const ran = gemm("--bench --problems " + row.file);
    INFO(row.file << "\n" << ran.output);
    CHECK(ran.exit_code == 2);
    CHECK(says(ran, row.says));
    CHECK(one_line(ran));
  }
  for (Row const& row : {Row{"m,n,k\n", "has no problem"},
                         {"m,n,k\n1,2\n", "has 2 columns, its heading 3"},
                         {"m,n,k\n1,2,x\n", "--k x: needs a whole number"},
                         {"m,dtype\n1,f128\n", "needs one of f64"},
                         {"m,abacus\n1,2\n", "--abacus is not known"},
                         {"m\n" + std::string(70000, '1') + "\n", "has a line of more than 64 KiB"},
                         {std::string("m\n1\0\n", 5), "is no text"}}) {
    for (std::string const& from : {"--problems " + list(row.file), "--problems - <" + list(row.file)}) {
      Ran const ran = gemm("--bench " + from);
      INFO(from << "\n" << row.file.substr(0, 100) << "\n" << ran.output);
      CHECK(ran.exit_code == 2);
      CHECK(says(ran, row.says));
      CHECK(one_line(ran));
    }
  }
  Ran const without_device = gemm("--bench --problems " + list("m,n,k\n1,2,3\n"));
  if (on_virtual_gpu()) CHECK(without_device.exit_code == 3);
  CHECK(gemm("--each /dev/zero").exit_code == 2);
}

TEST_CASE("files go in and a file comes out", "[harness][program]") {
  need_device();
  Folder const folder;
  std::string const a = matrix_file(folder, "a.npy", {2, 3}), b = matrix_file(folder, "b.npy", {3, 2});
  std::string const c = matrix_file(folder, "c.npy", {2, 2}), out = folder / "out.npy";
  Ran ran = gemm("--a " + a + " --b " + b + " --out " + out);
  INFO(ran.output);
  CHECK(ran.exit_code == 0);
  CHECK(floats(out) == std::vector<float>{22, 28, 49, 64});
  ran = gemm("--a " + a + " --b " + b + " --c " + c + " --alpha 2 --beta -1 --lda 5 --ldc 3 --out " + out);
  CHECK(ran.exit_code == 0);
  CHECK(floats(out) == std::vector<float>{43, 54, 95, 124});
  // A as K x M, B as N x K.
  ran = gemm("--a " + b + " --b " + a + " --layout tt --out " + out);
  CHECK(ran.exit_code == 0);
  CHECK(floats(out) == std::vector<float>{22, 49, 28, 64});
  // A stack times one matrix.
  ran = gemm("--a " + matrix_file(folder, "stack.npy", {2, 2, 3}) + " --b " + b + " --out " + out);
  CHECK(ran.exit_code == 0);
  CHECK(read_npy(out).shape == std::vector<std::int64_t>{2, 2, 2});
  CHECK(floats(out) == std::vector<float>{22, 28, 49, 64, 76, 100, 103, 136});
  CHECK(gemm("--m 3 --n 4 --k 0 --beta 0 --out " + out).exit_code == 0);
  CHECK(floats(out) == std::vector<float>(12, 0.0f));
}

TEST_CASE("the record is JSON, alone on standard output, and says what happened", "[harness][program]") {
  need_device();
  Ran const ran = gemm("--m 10 --n 11 --k 12 --json -");
  CHECK(ran.exit_code == 0);
  auto const record = nlohmann::json::parse(ran.output);
  CHECK(record["schema"] == 1);
  CHECK(record["chapter"] == "04_planted_gemm");
  CHECK(record["parameters"]["m"] == 10);
  CHECK(record["parameters"]["lda"] == 12);
  CHECK(record["verdict"] == "right");
  CHECK(record["exit_code"] == 0);
  CHECK(record["hazards"] == 0);
  CHECK(record["check"] == on_virtual_gpu());
  CHECK(record["checks"].size() == 2);
  CHECK(record["checks"][0]["method"] == "every element, exact");
  CHECK(record["checks"][1]["compared"] == 110);
  CHECK(record["max_error"] <= record["bound"]);
  CHECK(record["bound"] > 0);
  CHECK(record["kernels"].size() == 2);
  CHECK(record["kernels"][0]["blocks"] == 2);
  if (on_virtual_gpu()) CHECK(record["kernels"][0]["assumed_rules"] == false);
  for (char const* key : {"backend", "target", "device", "commit", "problem", "seed", "schedule", "hazard_list"})
    CHECK(record.contains(key));

  Folder const folder;
  Ran const wrong = gemm("--m 10 --n 11 --k 12 --kernel drops_row --json " + (folder / "r.json"));
  CHECK(wrong.exit_code == 1);
  auto const failed = nlohmann::json::parse(harness_test::bytes_of_file(folder / "r.json"));
  CHECK(failed["verdict"] == "wrong");
  CHECK(failed["max_error"].is_null());  // C is still NaN there
  CHECK(failed["checks"][0]["wrong"] == 11);
  CHECK(failed["checks"][0]["first_failure"].get<std::string>().starts_with("(m,n) = (9,0): got nan"));
}

TEST_CASE("a note of the chapter is printed and kept in the record", "[harness][program]") {
  need_device();
  CHECK(says(gemm("--m 10 --n 11 --k 12 --dtype bf16"), "  note      bf16 is noted on "));
  CHECK_FALSE(says(gemm("--m 10 --n 11 --k 12"), "note"));
  auto const notes = [](std::string const& options) {
    return nlohmann::json::parse(gemm("--m 1 --n 1 --k 1 --json - " + options).output)["notes"];
  };
  CHECK(notes("--dtype bf16").size() == 1);
  CHECK(notes("--dtype f32") == nlohmann::json::array());
}

TEST_CASE("hazards are counted and described in the record, and beat a wrong result", "[harness][program]") {
  if (!on_virtual_gpu()) SKIP("only the virtual GPU looks for hazards");
  Folder const folder;
  Ran const both = gemm("--m 10 --n 11 --k 12 --kernel reads_outside");
  INFO(both.output);
  CHECK(both.exit_code == 4);
  CHECK(says(both, "got nan"));
  CHECK(gemm("--m 10 --n 11 --k 12 --kernel reads_c --json " + (folder / "r.json")).exit_code == 4);
  auto const record = nlohmann::json::parse(harness_test::bytes_of_file(folder / "r.json"));
  CHECK(record["verdict"] == "hazard");
  CHECK(record["exit_code"] == 4);
  CHECK(record["hazards"] == record["hazard_list"].size());
  CHECK(record["hazards"] > 0);
  CHECK(record["hazard_list"][0]["kind"] == "uninitialised read");
  Ran const unchecked = gemm("--m 10 --n 11 --k 12 --ldc 13 --kernel writes_gap --check off");
  INFO(unchecked.output);
  CHECK(unchecked.exit_code == 1);  // the guard bands still notice
}

TEST_CASE("the same command gives the same output, on every schedule the same numbers", "[harness][program]") {
  need_device();
  std::string const problem = "--m 33 --n 34 --k 35 --out ";
  Folder const folder;
  Ran const first = gemm(problem + (folder / "1.npy")), again = gemm(problem + (folder / "2.npy"));
  CHECK(first.output == again.output);
  for (char const* schedule : {"reverse", "random:3"}) {
    if (!on_virtual_gpu()) break;
    CHECK(gemm(problem + (folder / "2.npy") + " --schedule " + schedule).exit_code == 0);
    CHECK(floats(folder / "1.npy") == floats(folder / "2.npy"));
  }
  gemm(problem + (folder / "2.npy") + " --seed 2");
  CHECK(floats(folder / "1.npy") != floats(folder / "2.npy"));
}

TEST_CASE("The options --help and --list say what there is; --svg writes the pictures", "[harness][program]") {
  Ran const help = gemm("--help");
  CHECK(help.exit_code == 0);
  for (char const* option : {"--m ", "--lda", "--kernel", "--svg", "--json", "--schedule"}) CHECK(says(help, option));
  CHECK(says(help, "--bench"));
  Ran const list = gemm("--list");
  CHECK(list.exit_code == 0);
  CHECK(says(list, "gfx1201   bf16   f32  f32   nn nt tn tt"));
  CHECK_FALSE(says(list, "gfx942    i8"));
  need_device();
  Folder const folder;
  Ran const drawn = gemm("--svg " + (folder / "new/pictures"));
  CHECK(drawn.exit_code == 0);
  CHECK(says(drawn, "drawing"));
  CHECK_FALSE(says(gemm("--kernel right"), "drawing"));  // a chapter may need the virtual GPU for its pictures
  CHECK(harness_test::bytes_of_file(folder / "new/pictures/a_figure.svg").starts_with("<svg"));
  CHECK(gemm("--svg /dev/null/x").exit_code == 2);
}

TEST_CASE("standard output that cannot be written is an error", "[harness][program]") {
  need_device();
  Folder const folder;
  for (char const* arguments : {"--m 3", "--m 3 --json -", "--help", "--list"}) {
    CHECK(gemm(std::string(arguments) + " 2>" + (folder / "said") + " >/dev/full #").exit_code == 2);
    CHECK(harness_test::bytes_of_file(folder / "said").find("standard output cannot be written") != std::string::npos);
  }
  CHECK(gemm("--m 3 2>/dev/full >/dev/full #").exit_code == 2);  // nowhere left to say so
}

TEST_CASE("a file that standard output or standard error goes to is not replaced", "[harness][program]") {
  need_device();
  Folder const folder;
  std::string const said = folder / "said";
  for (auto const& [name, streams] : {std::pair(std::string("/dev/stdout"), " 2>&1 >" + said),
                                      {"/dev/stderr", " >/dev/null 2>" + said},
                                      {said, " 2>&1 >" + said},
                                      {folder / "./said", " >/dev/null 2>" + said}}) {
    for (char const* option : {"--out ", "--json "}) {
      Ran const ran = gemm("--m 3 " + (option + name) + streams + " #");
      std::string const sentence = ran.output + harness_test::bytes_of_file(said);
      INFO(option << name << streams);
      CHECK(ran.exit_code == 2);
      CHECK(sentence.find("goes, which would be lost: name another file") != std::string::npos);
      CHECK(folder.count() == 1);
    }
  }
}

TEST_CASE("a file longer than `ulimit -f` allows is refused with one sentence and leaves nothing behind",
          "[harness][program]") {
  need_device();
  Folder const folder;
  std::string const again = "'" + (test::bin_folder() / "tests/planted_gemm").string() + "' --m 200 --n 200 --k 3 ";
  for (auto const& [limit, option] : {std::pair("64", "--out "), {"0", "--json "}}) {
    Ran const ran = gemm(std::string("--list >/dev/null; ulimit -f ") + limit + "; " + again + option +
                         (folder / "x.npy") + " 2>&1 >/dev/null #");
    INFO(option << ran.output);
    CHECK(ran.exit_code == 2);
    CHECK(says(ran, "x.npy: cannot be written: File too large"));
    CHECK(one_line(ran));
    CHECK(folder.count() == 0);
  }
}

TEST_CASE("a copy is compared element by element", "[harness][program]") {
  need_device();
  for (char const* arguments :
       {"", "--transpose", "--row0 -3 --col0 4 --window 20x30 --pad-value 2.5", "--window 0x4", "--rows 0",
        "--row0 5 --col0 2 --window 8x16 --transpose", "--row0 1 --col0 1 --window 3x4 --in-bounds",
        "--row0 -2000000000000 --window 2x2", "--tile 16x4"}) {
    Ran const ran = copy(arguments);
    INFO(arguments << "\n" << ran.output);
    CHECK(ran.exit_code == 0);
  }
  Ran const wrong = copy("--kernel off_by_one");
  INFO(wrong.output);
  CHECK(wrong.exit_code == 1);
  CHECK(says(wrong, "(row,col) = (12,0): got 0"));
  Ran const broken = copy("--row0 10 --window 13x4 --in-bounds");
  INFO(broken.output);
  CHECK(broken.exit_code == (on_virtual_gpu() ? 4 : 2));
}

TEST_CASE("a copy reads and writes files", "[harness][program]") {
  need_device();
  Folder const folder;
  std::string const in = matrix_file(folder, "in.npy", {2, 3}), out = folder / "out.npy";
  CHECK(copy("--in " + in + " --transpose --out " + out).exit_code == 0);
  CHECK(read_npy(out).shape == std::vector<std::int64_t>{3, 2});
  CHECK(floats(out) == std::vector<float>{1, 4, 2, 5, 3, 6});
  CHECK(copy("--in " + in + " --row0 1 --col0 2 --window 2x2 --pad-value -1 --out " + out).exit_code == 0);
  CHECK(floats(out) == std::vector<float>{6, -1, -1, -1});
}

TEST_CASE("bad input of a copy is one sentence and exit code 2", "[harness][program]") {
  need_device();
  Folder const folder;
  std::string const in = matrix_file(folder, "in.npy", {2, 3});
  for (auto const& [arguments, part] : {std::pair<std::string, std::string>{"--rows -1", "not negative"},
                                        {"--in " + in + " --rows 3", "makes it 2"},
                                        {"--in " + matrix_file(folder, "stack.npy", {2, 2, 3}), "one matrix has 2"},
                                        {"--tile 5x5", "choose one of 8x8, 16x4"},
                                        {"--window 3", "needs two whole numbers"},
                                        {"--rows 4000000000 --cols 4000000000", "more bytes than 64 bits"},
                                        {"--m 4", "chapter 04_fma_gemm adds it"},
                                        {"--row0 9000000000000000000", "between -2^61 and 2^61"},
                                        {"--col0 -9223372036854775808", "between -2^61 and 2^61"},
                                        {"--rows 1000000 --cols 1000000", "GiB"}}) {
    Ran const ran = copy(arguments + " --out " + (folder / "out.npy"));
    INFO(arguments << "\n" << ran.output);
    CHECK(ran.exit_code == 2);
    CHECK(says(ran, part));
    CHECK(one_line(ran));
  }
  CHECK(folder.count() == 2);
}
