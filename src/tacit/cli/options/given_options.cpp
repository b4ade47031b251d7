#include "tacit/cli/options/given_options.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tacit/base/error.hpp"

namespace tacit::cli {

Given given_options(const CLI::App& command) {
  Given given;
  for (const CLI::Option* option : command.get_options()) {
    if (option->count() == 0) continue;
    std::string id = option->get_single_name();
    std::ranges::replace(id, '-', '_');
    given.insert(std::move(id));
  }
  return given;
}

void check_not_both(const Given& given, std::string_view one, std::string_view other) {
  if (given.contains(one) && given.contains(other))
    throw InputError(fmt::format("`{}` and `{}` exclude each other; omit one of the two", one, other));
}

}  // namespace tacit::cli
