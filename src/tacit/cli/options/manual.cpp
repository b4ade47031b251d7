// tacit manual: writes a man page for every command.
#include "tacit/cli/options/manual.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <sstream>

#include "tacit/base/error.hpp"
#include "tacit/base/system/files.hpp"
#include "tacit/base/system/release.hpp"
#include "tacit/cli/options/commands.hpp"
#include "tacit/cli/options/troff.hpp"

namespace tacit::cli {
namespace {

std::string page_name(const Command& command) { return command.joined("-"); }
std::string page_link(const Command& command) { return bold(page_name(command)) + "(1)"; }

std::string value_text(const CLI::Option& option) {
  const std::string name = value_name(option);
  return name.empty() ? "" : " " + italic(name);
}

std::string sorted_names(const std::set<CLI::Option*>& options) {  // the set is in the order of addresses
  std::set<std::string> names;
  for (const CLI::Option* option : options) names.insert(option->get_name());
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : ", ") + bold(name);
  return out;
}

// What --help shows in front of the description, as sentences.
std::string further(const CLI::Option& option) {
  std::string out;
  if (takes_value(option)) {
    if (option.get_required()) out += " Required.";
    if (may_be_repeated(option)) out += " May be given more than once.";
    if (!option.get_default_str().empty() && option.get_option_text().empty())
      out += " Default: " + troff(option.get_default_str()) + ".";
  }
  if (!option.get_needs().empty()) out += " Needs " + sorted_names(option.get_needs()) + ".";
  if (!option.get_excludes().empty()) out += " Not with " + sorted_names(option.get_excludes()) + ".";
  return out;
}

std::string sentence(const std::string& text) {
  if (text.empty() || text.ends_with('.') || text.ends_with('?') || text.ends_with('!')) return troff(text);
  return troff(text) + ".";
}

std::string option_entry(const CLI::Option& option, bool positional) {
  std::string names;
  if (positional)
    names = italic(option.get_name(true));
  else
    for (const std::string& name : names_of(option)) names += (names.empty() ? "" : ", ") + bold(name);
  if (!positional && takes_value(option)) names += value_text(option);
  return ".TP\n" + names + "\n" + line(sentence(option.get_description()) + further(option));
}

std::string synopsis(const Command& command) {
  std::string out = bold(command.joined(" "));
  for (const CLI::Option* option : options_of(*command.app))
    if (option->get_required()) out += " " + bold(option->get_name()) + value_text(*option);
  out += " [" + italic("OPTIONS") + "]";
  for (const CLI::Option* option : positionals_of(*command.app)) {
    const std::string name = italic(option->get_name(true)) + (may_be_repeated(*option) ? "..." : "");
    out += option->get_required() ? " " + name : " [" + name + "]";
  }
  if (!children_of(command).empty())
    out += command.app->get_require_subcommand_min() > 0 ? " " + italic("COMMAND") + " ..."
                                                         : " [" + italic("COMMAND") + " ...]";
  return line(out);
}

// A footer is text, followed by examples below a line "Example:" or "Examples:".
struct Footer {
  std::string text, examples;
};
Footer split_footer(const CLI::App& app) {
  Footer out;
  bool examples = false;
  std::istringstream in(app.get_footer());
  for (std::string one; std::getline(in, one);) {
    if (one == "Example:" || one == "Examples:")
      examples = true;
    else
      (examples ? out.examples : out.text) += one + "\n";
  }
  return out;
}

std::string commands_section(const Command& command) {
  const std::vector<Command> children = children_of(command);
  if (children.empty()) return "";
  std::string out = section("COMMANDS");
  for (const Command& child : children)
    out += ".TP\n" + bold(child.app->get_name()) + "\n" + line(sentence(child.app->get_description())) +
           line("See " + page_link(child) + ".");
  return out;
}

std::string options_section(const Command& command) {
  std::string out;
  for (const CLI::Option* option : positionals_of(*command.app)) out += option_entry(*option, true);
  if (!out.empty()) out = section("ARGUMENTS") + out;
  out += section("OPTIONS");
  const std::vector<const CLI::Option*> options = options_of(*command.app);
  for (const std::string& group : command.app->get_groups()) {
    std::string entries;
    for (const CLI::Option* option : options)
      if (option->get_group() == group) entries += option_entry(*option, false);
    if (entries.empty()) continue;
    if (group != "Options") out += ".SS \"" + troff(group) + "\"\n";
    out += entries;
  }
  return out;
}

// The environment variables that the texts of options name, with those options.
std::string environment_section(const Command& command) {
  std::map<std::string, std::set<std::string>> read_by;
  for (const Command& one : all_commands(*command.app))
    for (const CLI::Option* option : options_of(*one.app)) {
      const std::string text = option->get_description() + " " + option->get_envname();
      constexpr const char* letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ_";
      for (std::size_t at = text.find("TACIT_"); at != std::string::npos; at = text.find("TACIT_", at + 1))
        read_by[text.substr(at, text.find_first_not_of(letters, at) - at)].insert(option->get_name());
    }
  std::string out = read_by.empty() ? "" : section("ENVIRONMENT");
  for (const auto& [variable, options] : read_by) {
    out += ".TP\n" + bold(variable) + "\n";
    std::string names;
    for (const std::string& name : options) names += (names.empty() ? "" : " and ") + bold(name);
    out += line("See " + names + (command.words.size() == 1 ? " of the commands with this option." : "."));
  }
  return out;
}

std::string files_section(const Command& command) {
  const auto file = [](const char* name, const char* what) {
    return ".TP\n" + italic(name) + "\n" + line(troff(what));
  };
  if (command.words.size() == 1)
    return section("FILES") +
           file("/etc/tacit/NAME/agent.toml",
                "The configuration of the agent that systemctl start tacit-agent@NAME starts.") +
           file("/var/lib/tacit/NAME", "The state of this agent: its model, ledger, journal and counts.") +
           file("/run/tacit/NAME/control.sock", "The socket through which commands reach this agent.");
  for (const CLI::Option* option : options_of(*command.app))
    if (option->get_default_str().ends_with("agent.toml"))
      return section("FILES") +
             file("agent.toml", "The configuration of an agent; consortium.md has an example.");
  return "";
}

std::string see_also(const Command& command) {
  std::vector<Command> others = children_of(command);
  for (Command above = command; above.words.size() > 1;) {
    above.words.pop_back();
    others.insert(others.begin(), above);
  }
  std::string out = section("SEE ALSO");
  for (const Command& other : others) out += line(page_link(other) + (&other == &others.back() ? "" : ","));
  return out + ".PP\n" +
         line(troff("The guide consortium.md is part of the documentation. The Debian package installs it "
                    "under /usr/share/doc/tacit/docs."));
}

struct ManualCommand {
  std::string folder;
};

void write_manual(const CLI::App& program, const std::filesystem::path& folder) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed)
    throw InputError(fmt::format("{}: cannot create this folder: {}", folder.string(), failed.message()));
  const std::vector<Command> all = all_commands(program);
  for (const Command& command : all) write_whole(folder / (page_name(command) + ".1"), manual_page(command));
  fmt::print("Wrote {} man pages. To read one: man -l {}\n", all.size(),
             (folder / (page_name(all.front()) + ".1")).string());
}

}  // namespace

std::string manual_page(const Command& command) {
  const Footer footer = split_footer(*command.app);
  std::string out = ".\\\" Generated by tacit manual from the texts of --help.\n";
  out += fmt::format(".TH \"{}\" 1 \"\" \"tacit {}\" \"Tacit manual\"\n", troff(upper(page_name(command))),
                     release());
  out += ".ad l\n.nh\n";  // does not hyphenate long words, such as paths and options
  std::string what = command.app->get_description();
  if (what.ends_with('.')) what.pop_back();  // apropos lists descriptions without a period
  out += section("NAME") + line(troff(page_name(command)) + " \\- " + troff(what));
  out += section("SYNOPSIS") + synopsis(command);
  out += section("DESCRIPTION") + paragraphs(sentence(what), footer.text);
  out += commands_section(command) + options_section(command);
  if (!footer.examples.empty()) out += section("EXAMPLES") + paragraphs("", footer.examples);
  out += section("EXIT STATUS");
  for (const auto& [code, meaning] :
       {std::pair("0", "Success."), std::pair("1", "The run failed, or a requirement was not met."),
        std::pair("2",
                  "Bad usage or bad input. A message on standard error describes the problem and the fix.")})
    out += ".TP\n" + bold(code) + "\n" + line(meaning);
  return out + environment_section(command) + files_section(command) + see_also(command);
}

void add_manual(CLI::App& program) {
  CLI::App* command = program.add_subcommand("manual", "Write a man page for every command");
  auto o = std::make_shared<ManualCommand>();
  command->add_option("folder", o->folder, "Folder for the pages; created if it does not exist")
      ->required()
      ->type_name("DIR");
  command->footer(
      "The pages contain the texts of --help. Packages install them; use this command after building from "
      "source.\n\n"
      "Example:\n"
      "  tacit manual pages\n"
      "  man -l pages/tacit-simulate.1");
  command->callback([o, &program] { write_manual(program, o->folder); });
}

}  // namespace tacit::cli
