// All commands and what their options take, for whatever is written about them: man pages, completion.
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

/// The program and its commands, parents before children; commands without a group are hidden, as in --help.
std::vector<Command> all_commands(const CLI::App& program);
/// The commands directly below this one.
std::vector<Command> children_of(const Command& command);

/// Those that --help shows.
std::vector<const CLI::Option*> positionals_of(const CLI::App& app);
std::vector<const CLI::Option*> options_of(const CLI::App& app);
/// Its names as they are typed, short ones first: -o, --out.
std::vector<std::string> names_of(const CLI::Option& option);

bool takes_value(const CLI::Option& option);
bool value_is_optional(const CLI::Option& option);
bool may_be_repeated(const CLI::Option& option);
/// What --help calls the value: FILE, auto|M; bash|zsh where it is checked to be one of these words.
std::string value_name(const CLI::Option& option);

enum class ValueKind { number, folder, file, words };
/// What a shell should offer. Text may be a file's name, so it is a file.
ValueKind value_kind(const CLI::Option& option);
/// The words that a value may be, as far as the option says so.
std::vector<std::string> fixed_words(const CLI::Option& option);

}  // namespace tacit::cli
