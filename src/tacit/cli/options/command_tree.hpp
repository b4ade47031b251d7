// Lists all commands with their options and values. Man pages and shell completion are generated from it.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace tacit::cli {

struct Command {
  const CLI::App* app;
  std::vector<std::string> words;  ///< such as tacit, charter, new

  std::string joined(const char* between) const;
};

/// The program and its commands, parents before children. Commands without a group are hidden, as in --help.
std::vector<Command> all_commands(const CLI::App& program);
/// The commands directly below this one.
std::vector<Command> children_of(const Command& command);

/// Only those that --help shows.
std::vector<const CLI::Option*> positionals_of(const CLI::App& app);
std::vector<const CLI::Option*> options_of(const CLI::App& app);
/// The option's names with their dashes, short ones first: -o, --out.
std::vector<std::string> names_of(const CLI::Option& option);

bool takes_value(const CLI::Option& option);
bool value_is_optional(const CLI::Option& option);
bool may_be_repeated(const CLI::Option& option);
/// The value's placeholder in --help, such as FILE or auto|M; for a value out of a fixed set, all of them:
/// bash|zsh.
std::string value_name(const CLI::Option& option);

enum class ValueKind { number, folder, file, words };
/// What a shell should offer. Free text counts as a file, because it may be a file's name.
ValueKind value_kind(const CLI::Option& option);
/// The words that the option accepts as its value; empty if it does not list them.
std::vector<std::string> fixed_words(const CLI::Option& option);

}  // namespace tacit::cli
