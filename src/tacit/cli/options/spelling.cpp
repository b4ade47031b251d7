#include "tacit/cli/options/spelling.hpp"

#include <fmt/format.h>

#include "tacit/base/closest_name.hpp"
#include "tacit/base/error.hpp"

namespace tacit::cli {
namespace {

std::string suggestion(const std::string& misspelt, const std::vector<std::string>& names,
                       const char* before) {
  const std::string* const near = closest_name(misspelt, names);
  return near ? fmt::format("; did you mean {}{}?", before, *near) : ";";
}

const CLI::App* command_called(const CLI::App& app, const std::string& word) {
  for (const CLI::App* command : app.get_subcommands({}))
    if (command->check_name(word)) return command;
  return nullptr;
}

[[noreturn]] void refuse_command(const CLI::App& app, const std::string& path, const std::string& word) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
#ifndef TACIT_LAB
  if (path == "tacit" && (word == "simulate" || word == "plan" || word == "audit" || word == "reproduce"))
    throw InputError(
        fmt::format("tacit {} is a command of the laboratory, which this build omits; build Tacit with "
                    "-DTACIT_LAB=ON",
                    word));
#endif
  throw InputError(word.empty() ? fmt::format("no command given; {} --help lists the commands", path)
                                : fmt::format("there is no command '{}'{} {} --help lists the commands", word,
                                              suggestion(word, names, ""), path));
}

void check_option(const CLI::App& app, const std::string& path, const std::string& word) {
  const std::string name = word.substr(0, word.find('='));
  if (app.get_option_no_throw(name)) return;
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options())
    names.insert(names.end(), option->get_lnames().begin(), option->get_lnames().end());
  throw InputError(fmt::format("there is no option {}{} see {} --help", name,
                               suggestion(name.substr(2), names, "--"), path));
}

}  // namespace

void check_spelling(const CLI::App& program, const std::vector<std::string>& words) {
  const CLI::App* app = &program;
  std::string path = program.get_name();
  std::size_t at = 0;
  while (!app->get_subcommands({}).empty()) {
    if (at == words.size()) refuse_command(*app, path, "");
    const std::string& word = words[at];
    if (word.starts_with('-')) break;
    const CLI::App* const command = command_called(*app, word);
    if (!command) refuse_command(*app, path, word);
    app = command;
    path += " " + word;
    ++at;
  }
  for (; at < words.size() && words[at] != "--"; ++at)
    if (words[at].starts_with("--")) check_option(*app, path, words[at]);
}

}  // namespace tacit::cli
