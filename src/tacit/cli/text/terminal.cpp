#include "tacit/cli/text/terminal.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "tacit/base/sanitised_text.hpp"

namespace tacit::cli {

std::string one_line(std::string_view text, std::size_t columns) {
  constexpr std::size_t dots = 3;  // sanitised_text() appends them to a text that it cuts
  const std::size_t room = std::max<std::size_t>(columns, dots + 2) - 1;  // the last column may wrap
  const std::string whole = sanitised_text(text, room);
  return whole == sanitised_text(text, text.size()) ? whole : sanitised_text(text, room - dots);
}

std::size_t terminal_columns() {
  winsize size{};
  const bool known = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : 80;
}

void overwrite_line(std::string_view text) {
  fmt::print(stderr, "\r\033[K{}", text.empty() ? "" : one_line(text, terminal_columns()));
  std::fflush(stderr);
}

}  // namespace tacit::cli
