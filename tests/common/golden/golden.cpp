#include "golden.hpp"  // the cases' reports

namespace golden {

void Report::add(int id, std::string const& function, std::string const& form, bool form_counts) {
  ++cases;
  if (!function.empty() || (form_counts && !form.empty())) {
    wrong.push_back("case " + std::to_string(id) + ": " + function + form);
  } else if (!form.empty()) {
    other_forms.push_back("case " + std::to_string(id) + ": " + form);
  }
}

void Hash::add(std::int64_t value) {
  for (int byte = 0; byte < 8; ++byte) {
    state = (state ^ ((static_cast<std::uint64_t>(value) >> (8 * byte)) & 0xff)) * 0x100000001b3ULL;
  }
}

std::string difference(char const* what, std::string const& got, std::string const& want) {
  return got == want ? "" : std::string(what) + " " + got + " instead of " + want + "; ";
}
std::string difference(char const* what, std::int64_t got, std::int64_t want) {
  return difference(what, std::to_string(got), std::to_string(want));
}

}  // namespace golden
