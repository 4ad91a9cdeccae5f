// Format: numpy.lib.format, "Format Version 1.0", "2.0" and "3.0": magic, version, header length, a Python dict, data.
#include <tilestep/harness/npy.hpp>

#include <tilestep/backend/error.hpp>  // bad_input

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <limits.h>    // PATH_MAX
#include <sys/stat.h>  // fstat
#include <unistd.h>    // getpid, access, unlink

#include <algorithm>   // std::reverse
#include <bit>         // std::endian
#include <cerrno>      // errno
#include <csignal>     // sigaction
#include <cstdio>      // FILE
#include <cstring>     // std::memcpy, std::strerror
#include <filesystem>  // file types, rename
#include <limits>      // std::numeric_limits
#include <memory>      // std::unique_ptr

namespace tilestep {

static_assert(std::endian::native == std::endian::little,
              ".npy files are written in the machine's order, little endian");

namespace {

namespace fs = std::filesystem;
using File = std::unique_ptr<FILE, int (*)(FILE*)>;

constexpr std::int64_t longest_header = 1 << 20;  // NumPy's own headers are a few hundred bytes

[[noreturn]] void refuse(std::string const& path, std::string const& what) { bad_input(path + ": " + what); }

File open_to_read(std::string const& path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) refuse(path, "is a folder, not an .npy file");
  // Opening a pipe would wait for somebody who writes.
  if (fs::exists(path, ignored) && !fs::is_regular_file(path, ignored)) refuse(path, "is not a regular file");
  File file(std::fopen(path.c_str(), "rb"), &std::fclose);
  if (!file) refuse(path, fmt::format("cannot be read: {}", std::strerror(errno)));
  return file;
}

// Reads the Python dict of a header: {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }
class HeaderParser {
 public:
  HeaderParser(std::string const& path, std::string const& text) : path_(path), text_(text) {}

  void parse(std::string& descr, bool& fortran_order, std::vector<std::int64_t>& shape) {
    bool seen_descr = false, seen_order = false, seen_shape = false;
    expect('{');
    while (!accept('}')) {
      std::string const key = quoted();
      expect(':');
      if (key == "descr" && !seen_descr) {
        seen_descr = true;
        if (peek() == '[') refuse(path_, "holds records; an array of plain numbers is needed");
        descr = quoted();
      } else if (key == "fortran_order" && !seen_order) {
        seen_order = true;
        fortran_order = boolean();
      } else if (key == "shape" && !seen_shape) {
        seen_shape = true;
        shape = integers();
      } else {
        malformed();
      }
      if (!accept(',')) {
        expect('}');
        break;
      }
    }
    skip_space();
    if (at_ != text_.size() || !seen_descr || !seen_order || !seen_shape) malformed();
  }

 private:
  [[noreturn]] void malformed() const { refuse(path_, "has a malformed header; write the file with numpy.save"); }

  void skip_space() {
    while (at_ < text_.size() && std::strchr(" \t\r\n", text_[at_]) && text_[at_] != '\0') ++at_;
  }
  char peek() {
    skip_space();
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool accept(char wanted) {
    if (peek() != wanted) return false;
    ++at_;
    return true;
  }
  void expect(char wanted) {
    if (!accept(wanted)) malformed();
  }
  std::string quoted() {
    char const quote = peek();
    if (quote != '\'' && quote != '"') malformed();
    std::size_t const end = text_.find(quote, ++at_);
    if (end == std::string::npos) malformed();
    std::string const result = text_.substr(at_, end - at_);
    at_ = end + 1;
    return result;
  }
  bool boolean() {
    skip_space();
    for (bool value : {true, false}) {
      std::string const word = value ? "True" : "False";
      if (text_.compare(at_, word.size(), word) == 0) {
        at_ += word.size();
        return value;
      }
    }
    malformed();
  }
  std::vector<std::int64_t> integers() {
    std::vector<std::int64_t> result;
    expect('(');
    while (!accept(')')) {
      result.push_back(integer());
      if (!accept(',')) {
        expect(')');
        break;
      }
    }
    return result;
  }
  std::int64_t integer() {
    if (peek() < '0' || peek() > '9') malformed();
    std::int64_t value = 0;
    for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_) {
      if (__builtin_mul_overflow(value, std::int64_t{10}, &value) ||
          __builtin_add_overflow(value, std::int64_t{text_[at_] - '0'}, &value)) {
        refuse(path_, "has an extent that does not fit in 64 bits");
      }
    }
    return value;
  }

  std::string const& path_;
  std::string const& text_;
  std::size_t at_ = 0;
};

DType type_of(std::string const& path, std::string const& descr, NpyBits const& bits, bool& big_endian) {
  std::string code = descr;
  big_endian = false;
  if (!code.empty() && std::strchr("<>=|", code[0])) {
    big_endian = code[0] == '>';
    code.erase(0, 1);
  }
  if (code == "f8") return DType::f64;
  if (code == "f4") return DType::f32;
  if (code == "f2") return DType::f16;
  if (code == "i1") return DType::i8;
  if (code == "i4") return DType::i32;
  if (code == "u2" && bits.bf16) return DType::bf16;
  if (code == "u2") refuse(path, "holds u2; pass --bf16-npy if these are bfloat16 bits");
  if (code == "u1" && bits.fp8) return *bits.fp8;
  if (code == "u1") refuse(path, "holds u1; pass --dtype e4m3 or --dtype e5m2 if these are FP8 bits of A and B");
  refuse(path, fmt::format("holds '{}'; f8, f4, f2, i4, i1 can be read, and u2 as bfloat16 with --bf16-npy", descr));
}

// Where `path` really is, so that renaming onto a symbolic link replaces what it points to.
fs::path real_place(std::string const& path) {
  std::error_code error;
  fs::path const resolved = fs::canonical(path, error);
  return error ? fs::path(path) : resolved;
}

// Nobody may write here: the superuser could, and is refused all the same, since somebody meant it.
bool marked_read_only(fs::path const& path) {
  std::error_code error;
  fs::perms const writers = fs::perms::owner_write | fs::perms::group_write | fs::perms::others_write;
  fs::file_status const status = fs::status(path, error);
  return !error && fs::exists(status) && (status.permissions() & writers) == fs::perms::none;
}

// Is this the file that a descriptor of the program is open on, such as `f` in `program > f`?
bool is_open_as(int descriptor, fs::path const& place) {
  struct stat open = {}, there = {};
  return fstat(descriptor, &open) == 0 && stat(place.c_str(), &there) == 0 && open.st_dev == there.st_dev &&
         open.st_ino == there.st_ino;
}

// The name of the file that is being written; one at a time. A handler of signals may read nothing that allocates.
char unfinished[PATH_MAX];

extern "C" void remove_unfinished(int signal) {
  constexpr char said[] = "interrupted: nothing was written\n";
  unlink(unfinished);
  [[maybe_unused]] auto const written = write(STDERR_FILENO, said, sizeof said - 1);
  (void)raise(signal);  // SA_RESETHAND: it ends the program, which its caller sees
}

// While it lives, a signal that ends the program removes the file first.
class Unfinished {
 public:
  explicit Unfinished(std::string const& path) {
    std::snprintf(unfinished, sizeof unfinished, "%s", path.c_str());
    struct sigaction remove = {};
    remove.sa_handler = remove_unfinished;
    remove.sa_flags = static_cast<int>(SA_RESETHAND | SA_NODEFER);
    for (std::size_t i = 0; i < std::size(signals); ++i) {
      sigaction(signals[i], nullptr, &before_[i]);
      if (before_[i].sa_handler == SIG_DFL) sigaction(signals[i], &remove, nullptr);  // what is ignored stays so
    }
  }
  ~Unfinished() {
    for (std::size_t i = 0; i < std::size(signals); ++i) sigaction(signals[i], &before_[i], nullptr);
  }
  Unfinished(Unfinished const&) = delete;
  Unfinished& operator=(Unfinished const&) = delete;

 private:
  static constexpr int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGXCPU};
  struct sigaction before_[std::size(signals)] = {};
};

// Writes the file next to its place and renames it. `fill` writes into the open file.
template <class Fill>
void write_and_rename(std::string const& path, Fill const& fill) {
  require_writable(path);
  fs::path const place = real_place(path);
  std::string const temporary = fmt::format("{}.{}.tmp", place.string(), getpid());
  auto const give_up = [&](int error) {
    std::remove(temporary.c_str());
    refuse(path, fmt::format("cannot be written: {}", std::strerror(error)));
  };
  Unfinished const removed_by_signals(temporary);
  File file(std::fopen(temporary.c_str(), "wbx"), &std::fclose);
  if (!file) refuse(path, fmt::format("cannot be written: {}", std::strerror(errno)));
  if (!fill(file.get()) || std::fflush(file.get()) != 0) give_up(errno);
  if (std::fclose(file.release()) != 0) give_up(errno);
  if (std::rename(temporary.c_str(), place.c_str()) != 0) give_up(errno);
}

// Nothing is read or written when there are no bytes: an empty array has no address.
bool write_all(FILE* file, void const* data, std::size_t bytes) {
  return bytes == 0 || std::fwrite(data, 1, bytes, file) == bytes;
}
bool read_all(FILE* file, void* data, std::size_t bytes) {
  return bytes == 0 || std::fread(data, 1, bytes, file) == bytes;
}

// Copies from the file's order into C order: the first index of a Fortran-ordered array varies fastest.
std::vector<unsigned char> from_fortran_order(std::vector<unsigned char> const& source, NpyHeader const& header) {
  std::int64_t const bytes = bytes_of(header.dtype);
  std::vector<std::int64_t> shape = header.shape;
  if (shape.size() == 2) shape.insert(shape.begin(), 1);
  std::vector<unsigned char> result(source.size());
  unsigned char* to = result.data();
  for (std::int64_t i = 0; i < shape[0]; ++i) {
    for (std::int64_t j = 0; j < shape[1]; ++j) {
      for (std::int64_t k = 0; k < shape[2]; ++k, to += bytes) {
        std::memcpy(to, source.data() + (i + shape[0] * (j + shape[1] * k)) * bytes, static_cast<std::size_t>(bytes));
      }
    }
  }
  return result;
}

}  // namespace

std::int64_t NpyHeader::size() const {
  std::int64_t result = 1;
  for (std::int64_t extent : shape) result *= extent;
  return result;
}

NpyHeader read_npy_header(std::string const& path, NpyBits const& bits, bool vector) {
  File const file = open_to_read(path);
  unsigned char start[12] = {};
  std::size_t const got = std::fread(start, 1, sizeof start, file.get());
  if (got < 6 || std::memcmp(start, "\x93NUMPY", 6) != 0) refuse(path, "is not an .npy file");
  if (got < sizeof start) refuse(path, "is truncated inside its header");
  int const version = start[6];
  if (version < 1 || version > 3 || start[7] != 0) {
    refuse(path, fmt::format("has .npy version {}.{}; 1.0, 2.0 and 3.0 are known", version, start[7]));
  }
  std::int64_t const length_bytes = version == 1 ? 2 : 4;
  std::int64_t length = 0;
  for (std::int64_t i = 0; i < length_bytes; ++i) length |= std::int64_t{start[8 + i]} << (8 * i);
  if (length > longest_header) refuse(path, fmt::format("claims a header of {} bytes; 1 MiB is the limit", length));

  NpyHeader header;
  header.data_offset = 8 + length_bytes + length;
  std::string text(static_cast<std::size_t>(length), '\0');
  if (std::fseek(file.get(), static_cast<long>(8 + length_bytes), SEEK_SET) != 0 ||
      !read_all(file.get(), text.data(), text.size())) {
    refuse(path, "is truncated inside its header");
  }
  std::string descr;
  HeaderParser(path, text).parse(descr, header.fortran_order, header.shape);
  header.dtype = type_of(path, descr, bits, header.big_endian);
  if (vector && header.shape.size() != 1)
    refuse(path, fmt::format("has {} dimensions; one number for each n has 1", header.shape.size()));
  if (!vector && header.shape.size() != 2 && header.shape.size() != 3) {
    refuse(path, fmt::format("has {} dimensions; a matrix has 2, a batch of matrices 3", header.shape.size()));
  }

  std::optional<std::int64_t> bytes = bytes_of(header.dtype);
  for (std::int64_t extent : header.shape) {
    if (bytes) bytes = checked_product(*bytes, extent);
  }
  std::error_code error;
  auto const file_size = static_cast<std::int64_t>(fs::file_size(path, error));
  if (!bytes || *bytes > std::numeric_limits<std::int64_t>::max() - header.data_offset) {
    refuse(path, fmt::format("has shape ({}), more bytes than 64 bits can count", fmt::join(header.shape, ", ")));
  }
  std::int64_t const wanted = header.data_offset + *bytes;
  if (file_size != wanted) {
    refuse(path, fmt::format("is {}: shape ({}) of {} needs {} bytes, the file has {}",
                             file_size < wanted ? "truncated" : "too long", fmt::join(header.shape, ", "),
                             to_string(header.dtype), wanted, file_size));
  }
  return header;
}

NpyArray read_npy(std::string const& path, NpyBits const& bits, bool vector) {
  NpyHeader const header = read_npy_header(path, bits, vector);
  NpyArray array{header.dtype, header.shape, {}};
  std::int64_t const element = bytes_of(header.dtype);
  array.data.resize(static_cast<std::size_t>(header.size() * element));
  File const file = open_to_read(path);
  if (std::fseek(file.get(), static_cast<long>(header.data_offset), SEEK_SET) != 0 ||
      !read_all(file.get(), array.data.data(), array.data.size())) {
    refuse(path, "is truncated");
  }
  if (header.big_endian && element > 1) {
    for (std::size_t i = 0; i < array.data.size(); i += static_cast<std::size_t>(element)) {
      std::reverse(array.data.begin() + static_cast<std::ptrdiff_t>(i),
                   array.data.begin() + static_cast<std::ptrdiff_t>(i) + element);
    }
  }
  if (header.fortran_order && !vector) array.data = from_fortran_order(array.data, header);
  return array;
}

void write_npy(std::string const& path, NpyArray const& array) {
  static constexpr char const* descr[] = {"<f4", "<f2", "<u2", "<f4", "|i1",
                                          "<i4", "<f8", "|u1", "|u1", "|u1"};  // in the order of DType
  std::string header = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}",
                                   descr[static_cast<int>(array.dtype)], fmt::join(array.shape, ", "));
  constexpr std::size_t before = 10;                                       // magic, version and length of version 1.0
  header.append(63 - (before + header.size()) % 64, ' ').push_back('\n');  // the data starts at a multiple of 64
  std::string start("\x93NUMPY\1\0", 8);
  start += static_cast<char>(header.size() & 0xff);
  start += static_cast<char>(header.size() >> 8);
  header.insert(0, start);
  write_and_rename(path, [&](FILE* file) {
    return write_all(file, header.data(), header.size()) && write_all(file, array.data.data(), array.data.size());
  });
}

void write_text(std::string const& path, std::string const& text) {
  write_and_rename(path, [&](FILE* file) { return write_all(file, text.data(), text.size()); });
}

bool same_file(std::string const& one, std::string const& other) {
  if (one.empty() || other.empty()) return false;
  std::error_code failed, too;
  auto const first = std::filesystem::weakly_canonical(std::filesystem::absolute(one), failed);
  auto const second = std::filesystem::weakly_canonical(std::filesystem::absolute(other), too);
  return failed || too ? one == other : first == second;
}

void require_writable(std::string const& path) {
  fs::path const place = real_place(path);
  std::error_code ignored;
  if (fs::exists(place, ignored)) {
    if (!fs::is_regular_file(place, ignored)) refuse(path, "is not a regular file, so it is not replaced");
    if (access(place.c_str(), W_OK) != 0) refuse(path, fmt::format("cannot be written: {}", std::strerror(errno)));
    if (marked_read_only(place)) refuse(path, "cannot be written: the file is read-only");
    for (auto const& [descriptor, name] : {std::pair(STDOUT_FILENO, "output"), std::pair(STDERR_FILENO, "error")}) {
      if (is_open_as(descriptor, place))
        refuse(path, fmt::format("is where standard {} goes, which would be lost: name another file", name));
    }
  }
  fs::path const folder = place.has_parent_path() ? place.parent_path() : fs::path(".");
  if (marked_read_only(folder)) refuse(path, "cannot be written: its folder is read-only");
  // Only creating a file tells whether its folder takes one.
  std::string const probe = fmt::format("{}.{}.probe", place.string(), getpid());
  Unfinished const removed_by_signals(probe);
  File const file(std::fopen(probe.c_str(), "wbx"), &std::fclose);
  if (!file) refuse(path, fmt::format("cannot be written: {}", std::strerror(errno)));
  std::remove(probe.c_str());
}

}  // namespace tilestep
