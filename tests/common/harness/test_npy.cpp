#include <tilestep/backend/error.hpp>
#include <tilestep/harness/npy.hpp>

#include "files.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <sys/stat.h>  // mkfifo
#include <sys/wait.h>  // waitpid

#include <csignal>  // kill
#include <cstring>  // std::memcpy
#include <random>   // damaged files
#include <thread>   // std::this_thread

using namespace tilestep;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;
using harness_test::bytes_of_file;
using harness_test::Folder;
using harness_test::write_bytes;

namespace {

// A file of version 1.0 with this dict and these bytes of data.
std::string npy(std::string const& dict, std::string const& data, char version = 1) {
  std::string file = "\x93NUMPY";
  file += version;
  file += '\0';
  file += static_cast<char>(dict.size() & 0xff);
  file += static_cast<char>(dict.size() >> 8);
  if (version > 1) file += std::string(2, '\0');
  return file + dict + data;
}

std::string dict(std::string const& descr, std::string const& order, std::string const& shape) {
  return "{'descr': '" + descr + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }\n";
}

template <class T>
std::vector<T> values(NpyArray const& array) {
  std::vector<T> result(array.data.size() / sizeof(T));
  std::memcpy(result.data(), array.data.data(), array.data.size());
  return result;
}

}  // namespace

TEST_CASE("an array comes back from a file as it was written", "[harness][npy]") {
  Folder const folder;
  std::string const path = folder / "x.npy";
  for (DType type :
       {DType::f32, DType::f16, DType::i8, DType::i32, DType::bf16, DType::f64, DType::e4m3, DType::e5m2}) {
    for (std::vector<std::int64_t> const& shape :
         {std::vector<std::int64_t>{2, 3}, {1, 1}, {0, 5}, {5, 0}, {2, 3, 4}, {3, 0, 2}}) {
      std::int64_t count = bytes_of(type);
      for (std::int64_t extent : shape) count *= extent;
      NpyArray array{type, shape, std::vector<unsigned char>(static_cast<std::size_t>(count))};
      for (std::size_t i = 0; i < array.data.size(); ++i) array.data[i] = static_cast<unsigned char>(7 * i + 1);
      write_npy(path, array);
      NpyArray const back = read_npy(path, {true, type == DType::e5m2 ? type : DType::e4m3});
      CHECK(back.dtype == type);
      CHECK(back.shape == shape);
      CHECK(back.data == array.data);
      std::string const file = bytes_of_file(path);
      CHECK((file.size() - array.data.size()) % 64 == 0);  // the data is aligned as NumPy aligns it
    }
  }
  CHECK(folder.count() == 1);  // no temporary file is left
}

TEST_CASE("Fortran order and big endian are read as what they mean", "[harness][npy]") {
  Folder const folder;
  // [[1, 2, 3], [4, 5, 6]] column by column.
  auto const columns = write_bytes(folder / "f.npy", npy(dict("|i1", "True", "(2, 3)"), std::string("\1\4\2\5\3\6")));
  CHECK(values<std::int8_t>(read_npy(columns)) == std::vector<std::int8_t>{1, 2, 3, 4, 5, 6});
  // Two matrices: [[[1, 2], [3, 4]], [[5, 6], [7, 8]]], the first index fastest.
  auto const stack =
      write_bytes(folder / "s.npy", npy(dict("|i1", "True", "(2, 2, 2)"), std::string("\1\5\3\7\2\6\4\10")));
  CHECK(values<std::int8_t>(read_npy(stack)) == std::vector<std::int8_t>{1, 2, 3, 4, 5, 6, 7, 8});
  std::string data;
  for (char const value : {1, 4, 2, 5, 3, 6}) data += std::string{value, 0, 0, 0};
  auto const wider = write_bytes(folder / "i.npy", npy(dict("<i4", "True", "(2, 3)"), data));
  CHECK(values<std::int32_t>(read_npy(wider)) == std::vector<std::int32_t>{1, 2, 3, 4, 5, 6});
  auto const big =
      write_bytes(folder / "b.npy", npy(dict(">i4", "False", "(1, 2)"), std::string("\0\0\1\2\xff\xff\xff\xfe", 8)));
  CHECK(values<std::int32_t>(read_npy(big)) == std::vector<std::int32_t>{258, -2});
  auto const wide = write_bytes(folder / "d.npy", npy(dict(">f8", "True", "(1, 1)"),
                                                      std::string("\x40\x09\x21\xfb\x54\x44\x2d\x18", 8)));
  CHECK(values<double>(read_npy(wide)) == std::vector<double>{0x1.921fb54442d18p1});
}

TEST_CASE("versions 2 and 3, either quote and any order of keys are read", "[harness][npy]") {
  Folder const folder;
  for (char version : {2, 3}) {
    auto const path = write_bytes(folder / "v.npy", npy(dict("|i1", "False", "(1, 2)"), "\5\6", version));
    CHECK(values<std::int8_t>(read_npy(path)) == std::vector<std::int8_t>{5, 6});
  }
  auto const path =
      write_bytes(folder / "q.npy", npy("{\"shape\":(2,1),\"fortran_order\":False,\"descr\":\"i1\"}", "\5\6"));
  CHECK(read_npy(path).shape == std::vector<std::int64_t>{2, 1});
}

TEST_CASE("a file that is not what it should be is refused with one sentence", "[harness][npy]") {
  Folder const folder;
  struct Row {
    std::string file;
    std::string says;
  };
  std::string const good = dict("<f4", "False", "(2, 3)");
  std::string const data(24, 'x');
  Row const rows[] = {
      {"", "is not an .npy file"},
      {"not an array at all, but long enough", "is not an .npy file"},
      {std::string("\x93NUMPY\1"), "truncated inside its header"},
      {npy(good, "").substr(0, 30), "truncated inside its header"},
      {npy(good, data.substr(1)), "is truncated: shape (2, 3) of f32 needs"},
      {npy(good, data + "x"), "is too long"},
      {npy(good, data, 4), "has .npy version 4.0"},
      {npy(dict("<c8", "False", "(2, 3)"), data + data), "holds '<c8'"},
      {npy(dict("<u2", "False", "(2, 6)"), data), "--bf16-npy"},
      {npy(dict("|u1", "False", "(4, 6)"), data), "--dtype e4m3"},
      {npy(dict("<c8", "False", "(1, 3)"), data), "holds '<c8'"},
      {npy(dict("<f4", "False", "(6,)"), data), "has 1 dimensions"},
      {npy(dict("<f4", "False", "()"), data.substr(0, 4)), "has 0 dimensions"},
      {npy(dict("<f4", "False", "(1, 1, 2, 3)"), data), "has 4 dimensions"},
      {npy(dict("<f4", "False", "(99999999999999999999, 3)"), data), "does not fit in 64 bits"},
      {npy(dict("<f4", "False", "(4611686018427387904, 2)"), data), "more bytes than 64 bits can count"},
      {npy(dict("<f4", "False", "(2305843009213693951, 1)"), data), "more bytes than 64 bits can count"},
      {npy(dict("<f4", "False", "(-2, 3)"), data), "malformed header"},
      {npy(dict("<f4", "Maybe", "(2, 3)"), data), "malformed header"},
      {npy("{'descr': '<f4', 'shape': (2, 3)}", data), "malformed header"},
      {npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), 'more': 1}", data), "malformed header"},
      {npy("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2, 3)}", data), "holds records"},
      {npy("", data), "malformed header"},
      {std::string("\x93NUMPY\2\0\xff\xff\xff\x7f", 12) + data, "1 MiB is the limit"},
  };
  for (Row const& row : rows) {
    auto const path = write_bytes(folder / "bad.npy", row.file);
    INFO(row.says);
    CHECK_THROWS_MATCHES(read_npy(path), Error,
                         MessageMatches(ContainsSubstring(row.says) && ContainsSubstring("bad.npy")));
    try {
      read_npy(path);
    } catch (Error const& error) {
      CHECK(error.code() == Exit::bad_input);
    }
  }
  CHECK_THROWS_MATCHES(read_npy(folder / "absent.npy"), Error, MessageMatches(ContainsSubstring("No such file")));
  CHECK_THROWS_MATCHES(read_npy(folder / ""), Error, MessageMatches(ContainsSubstring("is a folder")));
  REQUIRE(mkfifo((folder / "pipe").c_str(), 0600) == 0);
  for (std::string const& path : {folder / "pipe", std::string("/dev/zero")})
    CHECK_THROWS_MATCHES(read_npy(path), Error, MessageMatches(ContainsSubstring("is not a regular file")));
}

TEST_CASE("a damaged file is read or refused, and nothing else", "[harness][npy]") {
  Folder const folder;
  std::string const whole = npy(dict("<f4", "False", "(2, 3)"), std::string(24, 'x'));
  std::mt19937 random(1);
  auto const below = [&](std::size_t end) { return std::uniform_int_distribution<std::size_t>(0, end - 1)(random); };
  int refused = 0, read = 0;
  for (int i = 0; i < 3000; ++i) {
    std::string file = whole;
    for (std::size_t changes = 1 + below(3); changes > 0; --changes) {
      std::size_t const at = below(file.size());
      switch (below(3)) {
        case 0:
          file[at] = static_cast<char>(below(256));
          break;
        case 1:
          file.erase(at, 1 + below(8));
          break;
        default:
          file.insert(at, 1, static_cast<char>(below(256)));
      }
      if (file.empty()) file = "x";
    }
    auto const path = write_bytes(folder / "d.npy", file);
    try {
      NpyArray const array = read_npy(path);
      std::int64_t bytes = bytes_of(array.dtype);
      for (std::int64_t extent : array.shape) bytes *= extent;
      REQUIRE(bytes == static_cast<std::int64_t>(array.data.size()));
      ++read;
    } catch (Error const& error) {
      REQUIRE(error.code() == Exit::bad_input);
      ++refused;
    }
  }
  CHECK(refused > 1000);
  CHECK(read > 50);
}

TEST_CASE("a file that cannot be written leaves nothing behind", "[harness][npy]") {
  Folder const folder;
  NpyArray const array{DType::i8, {1, 2}, {1, 2}};
  CHECK_THROWS_MATCHES(write_npy(folder / "no/such/folder.npy", array), Error,
                       MessageMatches(ContainsSubstring("cannot be written")));
  CHECK_THROWS_MATCHES(require_writable(folder / "no/such/folder.npy"), Error,
                       MessageMatches(ContainsSubstring("cannot be written")));
  CHECK_THROWS_MATCHES(write_npy("/dev/null", array), Error, MessageMatches(ContainsSubstring("not a regular file")));
  CHECK_NOTHROW(require_writable(folder / "x.npy"));
  CHECK(folder.count() == 0);

  // Even for the superuser, who could write there.
  auto const read_only = std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec;
  std::filesystem::create_directory(folder / "closed");
  std::filesystem::permissions(folder / "closed", read_only);
  CHECK_THROWS_MATCHES(require_writable(folder / "closed/x.npy"), Error,
                       MessageMatches(ContainsSubstring("cannot be written")));
  CHECK_THROWS_MATCHES(write_npy(folder / "closed/x.npy", array), Error,
                       MessageMatches(ContainsSubstring("cannot be written")));
  CHECK(std::filesystem::is_empty(folder / "closed"));
  write_bytes(folder / "old.npy", "old");
  std::filesystem::permissions(folder / "old.npy", std::filesystem::perms::owner_read);
  CHECK_THROWS_AS(write_npy(folder / "old.npy", array), Error);
  CHECK(bytes_of_file(folder / "old.npy") == "old");
}

TEST_CASE("a signal that ends the program while it writes leaves nothing behind", "[harness][npy]") {
  Folder const folder;
  NpyArray const array{DType::i8, {1 << 14, 1 << 14}, std::vector<unsigned char>(1 << 28)};
  for (int const signal : {SIGINT, SIGTERM, SIGHUP}) {
    int caught = 0;  // a write that ended before the signal came says nothing
    for (int attempt = 0; attempt < 20 && caught == 0; ++attempt) {
      write_bytes(folder / "x.npy", "old");
      pid_t const child = fork();
      if (child == 0) {
        std::signal(signal, SIG_DFL);
        (void)std::freopen((folder / "said").c_str(), "w", stderr);
        write_npy(folder / "x.npy", array);
        _exit(0);
      }
      std::string const temporary = folder / ("x.npy." + std::to_string(child) + ".tmp");
      int status = 0;
      while (!std::filesystem::exists(temporary) && waitpid(child, &status, WNOHANG) == 0) std::this_thread::yield();
      if (std::filesystem::exists(temporary)) {
        kill(child, signal);
        waitpid(child, &status, 0);
      }
      if (!WIFSIGNALED(status)) continue;
      ++caught;
      CHECK(WTERMSIG(status) == signal);
      CHECK(bytes_of_file(folder / "x.npy") == "old");
      CHECK(bytes_of_file(folder / "said") == "interrupted: nothing was written\n");
      CHECK(folder.count() == 2);  // x.npy and what was said
    }
    CHECK(caught == 1);
  }
}

TEST_CASE("writing through a symbolic link keeps the link", "[harness][npy]") {
  Folder const folder;
  write_bytes(folder / "real.npy", "old");
  std::filesystem::create_symlink(folder / "real.npy", folder / "link.npy");
  write_npy(folder / "link.npy", {DType::i8, {1, 2}, {1, 2}});
  CHECK(std::filesystem::is_symlink(folder / "link.npy"));
  CHECK(read_npy(folder / "real.npy").data == std::vector<unsigned char>{1, 2});
}
