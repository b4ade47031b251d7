// tacit completion: prints the script with which a shell completes commands, options and values.
#include "tacit/cli/options/completion.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <memory>
#include <optional>

#include "tacit/cli/options/command_tree.hpp"
#include "tacit/cli/options/commands.hpp"
#include "tacit/cli/options/values.hpp"

namespace tacit::cli {
namespace {

std::string quoted(const std::string& text) {
  return "\"" + text + "\"";
}  // names have no special characters

// The bash command that completes a value of this kind.
std::string offer(ValueKind kind, const std::vector<std::string>& words) {
  switch (kind) {
    case ValueKind::number:
      return ":";
    case ValueKind::words:
      return fmt::format("mapfile -t COMPREPLY < <(compgen -W \"{}\" -- \"$cur\")", fmt::join(words, " "));
    case ValueKind::folder:
      return "compopt -o filenames; mapfile -t COMPREPLY < <(compgen -d -- \"$cur\")";
    case ValueKind::file:
      return "compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- \"$cur\")";
  }
  return ":";
}

using Cases = std::map<std::string, std::vector<std::string>>;  // a bash command, and its patterns

std::string written(const Cases& cases, const char* after) {
  std::string out;
  for (const auto& [done, patterns] : cases)
    out += fmt::format("    {})\n      {}{} ;;\n", fmt::join(patterns, " | \\\n    "), done, after);
  return out;
}

std::string zsh_escaped(const std::string& text, const char* special) {
  std::string out;
  for (const char c : text) {
    if (c == '\'')
      out += "'\\''";
    else if (c == '\n')
      out += ' ';
    else if (c == '\\' || std::string_view(special).find(c) != std::string_view::npos)
      out += std::string("\\") + c;
    else
      out += c;
  }
  return out;
}

std::string zsh_value(const CLI::Option& option, const std::string& name) {
  std::string action;
  switch (value_kind(option)) {
    case ValueKind::number:
      action = " ";
      break;
    case ValueKind::words:
      action = fmt::format("({})", fmt::join(fixed_words(option), " "));
      break;
    case ValueKind::folder:
      action = "_files -/";
      break;
    case ValueKind::file:
      action = "_files";
      break;
  }
  return fmt::format("{}:{}", zsh_escaped(name, ":"), action);
}

std::string zsh_option(const CLI::Option& option) {
  const std::vector<std::string> names = names_of(option);
  const std::string text = zsh_escaped(option.get_description(), "[]:");
  const bool value = takes_value(option), repeated = may_be_repeated(option);
  std::string out;
  for (const std::string& name : names) {
    const bool with_equals = value && name.starts_with("--");
    out += fmt::format(
        " \\\n    '{}{}{}[{}]{}'", repeated ? "*" : fmt::format("({})", fmt::join(names, " ")), name,
        with_equals ? "=" : "", text,
        value ? (value_is_optional(option) ? "::" : ":") + zsh_value(option, value_name(option)) : "");
  }
  return out;
}

std::string zsh_function(const Command& command) {
  const std::vector<Command> children = children_of(command);
  std::string out = fmt::format("\n_{}() {{\n", command.joined("_"));
  std::string arguments;
  for (const CLI::Option* option : options_of(*command.app)) arguments += zsh_option(*option);
  int place = 0;
  for (const CLI::Option* option : positionals_of(*command.app))
    arguments += fmt::format(" \\\n    '{}:{}'", may_be_repeated(*option) ? "*" : std::to_string(++place),
                             zsh_value(*option, option->get_name(true)));
  if (children.empty()) return out + "  _arguments" + arguments + "\n}\n";
  out += "  local curcontext=$curcontext state line\n  local -A opt_args\n  local -a commands=(\n";
  std::string branches;
  for (const Command& child : children) {
    out += fmt::format("    '{}:{}'\n", child.app->get_name(), zsh_escaped(child.app->get_description(), ""));
    branches += fmt::format("      {}) _{} ;;\n", child.app->get_name(), child.joined("_"));
  }
  return out + "  )\n  _arguments -C" + arguments +
         " \\\n    '1:command:->command' \\\n    '*::argument:->rest'\n" +
         "  case $state in\n    command) _describe command commands ;;\n    rest) case $line[1] in\n" +
         branches + "    esac ;;\n  esac\n}\n";
}

enum class Shell { bash, zsh };

struct CompletionCommand {
  std::optional<Shell> shell = {};
};

}  // namespace

std::string bash_completion(const CLI::App& program) {
  std::vector<std::string> paths;
  std::string offered;
  Cases values, positionals;
  for (const Command& command : all_commands(program)) {
    const std::string path = command.joined(" ");
    std::vector<std::string> commands, options;
    if (command.words.size() > 1) paths.push_back(quoted(path));
    for (const Command& child : children_of(command)) commands.push_back(child.app->get_name());
    for (const CLI::Option* option : options_of(*command.app))
      for (const std::string& name : names_of(*option)) {
        options.push_back(name);
        if (takes_value(*option) && !value_is_optional(*option))
          values[offer(value_kind(*option), fixed_words(*option))].push_back(quoted(path + " " + name));
      }
    for (const CLI::Option* option : positionals_of(*command.app)) {
      const std::string done = offer(value_kind(*option), fixed_words(*option));
      std::vector<std::string>& same = positionals[done];
      if (same.empty() || same.back() != quoted(path)) same.push_back(quoted(path));
    }
    offered += fmt::format("    {}) commands=\"{}\" options=\"{}\" ;;\n", quoted(path),
                           fmt::join(commands, " "), fmt::join(options, " "));
  }
  const std::string& name = program.get_name();
  std::string out = fmt::format("# bash completion for {0}, generated by: {0} completion bash\n", name);
  out += fmt::format("_{}() {{\n", name);
  out +=
      "  local cur=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} commands='' options='' i\n";
  out += fmt::format("  local path={}\n  COMPREPLY=()\n", name);
  out += "  # bash splits --option=value into three words\n";
  out +=
      "  if [[ $cur == = ]]; then cur=''; elif [[ $before == = ]]; then before=${COMP_WORDS[COMP_CWORD - "
      "2]}; fi\n";
  out += "  for ((i = 1; i < COMP_CWORD; ++i)); do\n    case \"$path ${COMP_WORDS[i]}\" in\n";
  out += fmt::format("    {}) path+=\" ${{COMP_WORDS[i]}}\" ;;\n    esac\n  done\n",
                     fmt::join(paths, " | \\\n    "));
  out += "  case \"$path $before\" in\n" + written(values, "\n      return") + "  esac\n";
  out += "  case $path in\n" + offered + "  esac\n";
  out +=
      "  if [[ $cur == -* ]]; then mapfile -t COMPREPLY < <(compgen -W \"$options\" -- \"$cur\"); return; "
      "fi\n";
  out +=
      "  if [[ $commands ]]; then mapfile -t COMPREPLY < <(compgen -W \"$commands\" -- \"$cur\"); return; "
      "fi\n";
  out += "  case $path in\n" + written(positionals, "") + "  esac\n}\n";
  return out + fmt::format("complete -F _{0} {0}\n", name);
}

std::string zsh_completion(const CLI::App& program) {
  const std::string& name = program.get_name();
  std::string out =
      fmt::format("#compdef {0}\n# zsh completion for {0}, generated by: {0} completion zsh\n", name);
  for (const Command& command : all_commands(program)) out += zsh_function(command);
  // zsh either autoloads this file as the function, or sources it.
  return out +
         fmt::format("\nif [[ $funcstack[1] == _{0} ]]; then\n  _{0} \"$@\"\nelse\n  compdef _{0} {0}\nfi\n",
                     name);
}

void add_completion(CLI::App& program) {
  CLI::App* command = program.add_subcommand("completion", "Print the completion script for bash or zsh");
  auto o = std::make_shared<CompletionCommand>();
  add_choice(*command, "shell", o->shell, Choices<Shell>{{"bash", Shell::bash}, {"zsh", Shell::zsh}},
             "The shell")
      ->required();
  command->footer(
      "Packages install the scripts. Otherwise, add the line for your shell to ~/.bashrc, or to ~/.zshrc "
      "after compinit.\n\n"
      "Examples:\n"
      "  source <(tacit completion bash)\n"
      "  source <(tacit completion zsh)");
  command->callback([o, &program] {
    fmt::print("{}", o->shell == Shell::bash ? bash_completion(program) : zsh_completion(program));
  });
}

}  // namespace tacit::cli
