#include "tacit/cli/options/given.hpp"

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

std::string option_for(std::string_view id) {
  std::string name(id);
  std::ranges::replace(name, '_', '-');
  return "--" + name;
}

void check_not_both(const Given& given, std::string_view one, std::string_view other) {
  if (given.contains(one) && given.contains(other))
    throw InputError(
        fmt::format("{} and {} exclude each other; omit one of the two", option_for(one), option_for(other)));
}

}  // namespace tacit::cli
