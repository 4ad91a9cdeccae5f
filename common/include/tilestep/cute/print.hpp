#pragma once
// Tables of layouts and of a tensor's elements, in the form in which CuTe prints them, and layouts as LaTeX. Host only.
// The pictures of <tilestep/show.hpp> say the same in colours.

#include <tilestep/tensor.hpp>  // Tensor, to_string

#include <cstdint>      // int64_t
#include <cstdio>       // snprintf, fputs
#include <string>       // string
#include <type_traits>  // is_floating_point

namespace tilestep {

namespace detail {
inline std::string aligned(std::string const& text, std::size_t width) {
  return std::string(width > text.size() ? width - text.size() : 0, ' ') + text;
}

/// A number in a column of CuTe's width.
template <class T>
std::string number_in_column(T const& value) {
  char text[32] = {};
  if constexpr (std::is_same_v<T, bool>) return aligned(std::to_string(int(value)), 3);
  else if constexpr (std::is_integral_v<T>) return aligned(std::to_string(value), 5);
  else if constexpr (requires { T::packed_bits; }) return aligned(std::to_string(int(value)), 5);
  else if constexpr (!requires { static_cast<float>(value); }) return "  " + to_string(value);
  else if constexpr (std::is_same_v<T, double>) std::snprintf(text, sizeof text, "%11.3e", value);
  else std::snprintf(text, sizeof text, "%10.2e", static_cast<double>(static_cast<float>(value)));
  return text;
}
/// The same of an element. @tparam T its type, which a pointer may hide behind a proxy
template <class T, class Element>
std::string in_column(Element&& element) {
  if constexpr (!std::is_convertible_v<Element, T>) return "  " + to_string(element);
  else return number_in_column(static_cast<T>(static_cast<Element&&>(element)));
}
}  // namespace detail

/// The offsets of a layout as a table.
/// @param layout (m,n) -> offset
template <class L>
  requires(is_layout_v<L>)
std::string table_of(L const& layout) {
  static_assert(L::rank == 2, "print_layout: the table has two axes: group the layout's modes into two");
  int const rows = int(size<0>(layout)), columns = int(size<1>(layout));
  std::size_t const width = std::to_string(std::int64_t(cosize(layout))).size();
  std::string rule = "    ", text = to_string(layout) + "\n    ";
  for (int n = 0; n < columns; ++n) {
    rule += "+" + std::string(width + 2, '-');
    text += "  " + detail::aligned(std::to_string(n), width) + " ";
  }
  text += "\n";
  for (int m = 0; m < rows; ++m) {
    text += rule + "+\n" + detail::aligned(std::to_string(m), 2) + "  ";
    for (int n = 0; n < columns; ++n) {
      text += "| " + detail::aligned(std::to_string(std::int64_t(layout(m, n))), width) + " ";
    }
    text += "|\n";
  }
  return text + rule + "+\n";
}
/// The elements of a tensor: a line for each m, and a part for each coordinate of the further modes.
/// @param t of one to four modes
template <class Engine, class L>
std::string table_of(Tensor<Engine, L> const& t) {
  static_assert(rank_v<L> <= 4, "print_tensor: a table shows one to four modes: slice the tensor, or group its modes");
  using T = typename Tensor<Engine, L>::value_type;
  std::string text;
  if constexpr (rank_v<L> == 1) {
    for (int m = 0; m < int(size(t)); ++m) text += detail::in_column<T>(t(m)) + "\n";
  } else if constexpr (rank_v<L> == 2) {
    for (int m = 0; m < int(size<0>(t)); ++m, text += "\n") {
      for (int n = 0; n < int(size<1>(t)); ++n) text += detail::in_column<T>(t(m, n));
    }
  } else {
    std::string const rule(5 * std::size_t(size<1>(t)), rank_v<L> == 3 ? '-' : '=');
    for (int k = 0; k < int(size<rank_v<L> - 1>(t)); ++k) {
      if (k > 0) text += rule + "\n";
      if constexpr (rank_v<L> == 3) text += table_of(t(_, _, k));
      else text += table_of(t(_, _, _, k));
    }
  }
  return text;
}

/// Write the table to the standard output: of a layout its offsets, of a tensor its layout and its elements.
template <class L>
void print_layout(L const& layout) { std::fputs(table_of(layout).c_str(), stdout); }
template <class Engine, class L>
void print_tensor(Tensor<Engine, L> const& t, bool with_layout = true) {
  if (with_layout) std::fputs((to_string(t) + ":\n").c_str(), stdout);
  std::fputs(table_of(t).c_str(), stdout);
}

/// A document for LaTeX that draws the offsets of a layout as squares, in eight greys.
/// @param layout (m,n) -> offset
template <class L>
std::string latex_of(L const& layout) {
  static_assert(L::rank == 2, "print_latex: the picture has two axes: group the layout's modes into two");
  constexpr char const* greys[8] = {"00", "40", "20", "60", "10", "50", "30", "70"};
  int const rows = int(size<0>(layout)), columns = int(size<1>(layout));
  std::string text = "% " + to_string(layout) + R"(
\documentclass[convert]{standalone}
\usepackage{tikz}
\begin{document}
\begin{tikzpicture}[x={(0cm,-1cm)},y={(1cm,0cm)},every node/.style={minimum size=1cm, outer sep=0pt}]
)";
  auto const node = [&](std::string const& style, int m, int n, std::string const& label) {
    text += "\\node" + style + " at (" + std::to_string(m) + "," + std::to_string(n) + ") {" + label + "};\n";
  };
  for (int m = 0; m < rows; ++m) {
    for (int n = 0; n < columns; ++n) {
      auto const offset = std::int64_t(layout(m, n));
      node(std::string("[fill=black!") + greys[offset & 7] + "]", m, n, std::to_string(offset));
    }
  }
  text += "\\draw[color=black,thick,shift={(-0.5,-0.5)}] (0,0) grid (" + std::to_string(rows) + "," +
          std::to_string(columns) + ");\n";
  for (int m = 0; m < rows; ++m) node("", m, -1, "\\Large{\\texttt{" + std::to_string(m) + "}}");
  for (int n = 0; n < columns; ++n) node("", -1, n, "\\Large{\\texttt{" + std::to_string(n) + "}}");
  return text + "\\end{tikzpicture}\n\\end{document}\n";
}
template <class L>
void print_latex(L const& layout) { std::fputs(latex_of(layout).c_str(), stdout); }

}  // namespace tilestep
