#include "tacit/cli/options/command_tree.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace tacit::cli {
namespace {

void add_all(const Command& command, std::vector<Command>& all) {
  all.push_back(command);
  for (const Command& child : children_of(command)) add_all(child, all);
}

bool is_word(const std::string& text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
  });
}

}  // namespace

std::string Command::joined(const char* between) const {
  return fmt::format("{}", fmt::join(words, between));
}

std::vector<Command> children_of(const Command& command) {
  std::vector<Command> out;
  for (const CLI::App* child : command.app->get_subcommands({})) {
    if (child->get_group().empty() || child->get_name().empty()) continue;
    Command next{child, command.words};
    next.words.push_back(child->get_name());
    out.push_back(std::move(next));
  }
  return out;
}

std::vector<Command> all_commands(const CLI::App& program) {
  std::vector<Command> all;
  add_all({&program, {program.get_name()}}, all);
  return all;
}

std::vector<const CLI::Option*> positionals_of(const CLI::App& app) {
  return app.get_options([](const CLI::Option* o) { return o->get_positional() && !o->get_group().empty(); });
}

std::vector<const CLI::Option*> options_of(const CLI::App& app) {
  return app.get_options([](const CLI::Option* o) { return o->nonpositional() && !o->get_group().empty(); });
}

std::vector<std::string> names_of(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  return names;
}

bool takes_value(const CLI::Option& option) { return option.get_items_expected_max() > 0; }
bool value_is_optional(const CLI::Option& option) { return option.get_items_expected_min() == 0; }
bool may_be_repeated(const CLI::Option& option) {
  return option.get_expected_max() >= CLI::detail::expected_max_vector_size;
}

std::string value_name(const CLI::Option& option) {
  if (!option.get_option_text().empty()) return option.get_option_text();
  const std::string type = option.get_type_name();
  if (type.find('{') != std::string::npos) return fmt::format("{}", fmt::join(fixed_words(option), "|"));
  return type.substr(0, type.find(':'));  // the rest describes the check
}

ValueKind value_kind(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  if (!fixed_words(option).empty()) return ValueKind::words;
  for (const char* number : {"UINT", "INT", "FLOAT"})
    if (type.starts_with(number)) return ValueKind::number;
  return type.starts_with("DIR") ? ValueKind::folder : ValueKind::file;
}

std::vector<std::string> fixed_words(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const std::size_t open = type.find('{'), close = type.find('}');
  if (open != std::string::npos && close != std::string::npos)  // add_choice
    return CLI::detail::split(type.substr(open + 1, close - open - 1), ',');
  std::vector<std::string> words;
  if (type.find('|') == std::string::npos) return words;
  for (const std::string& part : CLI::detail::split(type, '|'))
    if (is_word(part)) words.push_back(part);
  return words;
}

}  // namespace tacit::cli
