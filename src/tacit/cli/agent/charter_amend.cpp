// tacit charter amend: writes the successor of the charter in force.
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "tacit/base/error.hpp"
#include "tacit/base/system/files.hpp"
#include "tacit/charter/amend.hpp"
#include "tacit/charter/check.hpp"
#include "tacit/cli/agent/charter_words.hpp"
#include "tacit/cli/options/commands.hpp"
#include "tacit/identity/encoding.hpp"
#include "tacit/table/cells/cell.hpp"

namespace tacit::cli {
namespace {

struct AmendCommand {
  std::string file, out;
  std::vector<std::string> add, drop, replace, addresses, links, columns, drop_columns, settings;
  bool force = false;
};

Amendment amendment_of(const AmendCommand& o) {
  Amendment changes;
  for (const std::string& file : o.add) changes.add.push_back(agent_of_card(file));
  for (const std::string& file : o.replace) changes.replace.push_back(agent_of_card(file));
  changes.drop = o.drop;
  for (const auto& [name, address] : addresses_of(o.addresses)) {
    const auto fresh =
        std::find_if(changes.add.begin(), changes.add.end(),
                     [&, &who = name](const CharterAgent& agent) { return agent.name == who; });
    if (fresh != changes.add.end())
      fresh->address = address;
    else
      changes.addresses.emplace_back(name, address);
  }
  for (const std::string& text : o.links) {
    const std::size_t comma = text.find(',');
    if (comma == std::string::npos)
      throw InputError(fmt::format("--link {}: write two names, such as aachen,bonn", text));
    changes.links.emplace_back(text.substr(0, comma), text.substr(comma + 1));
  }
  for (const std::string& text : o.columns) add_column(changes.columns, text);
  changes.drop_columns = o.drop_columns;
  for (const std::string& text : o.settings) {
    const std::size_t sign = text.find('=');
    if (sign == std::string::npos || sign == 0)
      throw InputError(fmt::format("--set {}: write FIELD=VALUE, such as timeouts.gather=30", text));
    const std::string_view all = text;
    changes.settings.emplace_back(trimmed(all.substr(0, sign)), trimmed(all.substr(sign + 1)));
  }
  return changes;
}

void amend(const AmendCommand& o) {
  if (!o.force && std::filesystem::exists(o.out))
    throw InputError(fmt::format("{}: this file already exists; name another file or use --force", o.out));
  const Charter present = read_charter(o.file);
  if (const std::string lacking = lacking_in_words(check_signatures(present)); !lacking.empty())
    throw InputError(fmt::format(
        "{}: {}; only a charter that all members have signed can be amended, so edit this draft instead",
        o.file, lacking));
  const Charter next = amended(present, amendment_of(o));
  write_whole(o.out, to_toml(next));
  fmt::print("{}",
             changes_text(present, next, fmt::format("Wrote {}, charter number {}", o.out, next.number)));
  for (const std::string& problem : check_charter(next).problems) fmt::print("Problem  {}\n", problem);
  if (charter_format(next) > charter_format(present))
    fmt::print("Note     every member needs Tacit 0.2 or later; earlier releases cannot read this charter\n");
  fmt::print(
      "Hash     {}\n"
      "Next     Each member reads the new charter (tacit charter diff {} {}), checks it and signs it.\n"
      "         Then each owner replaces the old charter with the new one and runs tacit agent reload.\n"
      "         This sets the model of the old charter aside, so a new fit is needed.\n",
      hex(charter_hash(next)), o.file, o.out);
}

}  // namespace

std::string place_text(const Charter& charter, const std::string& label) {
  if (!charter.previous) return "";
  return fmt::format("{}{}, after {}\n", label, charter.number, hex(*charter.previous));
}

std::string changes_text(const Charter& before, const Charter& after, const std::string& heading) {
  std::string text = heading + ":\n";
  for (const std::string& one : changes_in_words(before, after)) text += fmt::format("Change   {}\n", one);
  return text;
}

void add_charter_amend(CLI::App& parent) {
  CLI::App* command = parent.add_subcommand(
      "amend", "Write the next charter: add or remove members, replace keys, change settings");
  auto o = std::make_shared<AmendCommand>();
  command->add_option("charter", o->file, "The charter in force, signed by all members")
      ->required()
      ->type_name("FILE");
  command->add_option("--add", o->add, "The card of a new member")->type_name("CARD")->group("Members");
  command->add_option("--drop", o->drop, "A member to remove")
      ->delimiter(',')
      ->type_name("NAME")
      ->group("Members");
  command
      ->add_option(
          "--replace", o->replace,
          "A new card for a member with the same name, after a lost key or before a certificate expires")
      ->type_name("CARD")
      ->group("Members");
  command->add_option("--address", o->addresses, "NAME=HOST:PORT, the new address of a member")
      ->group("Members");
  command
      ->add_option("--link", o->links,
                   "An additional link, for a charter that lists its links one by one (network.links)")
      ->type_name("NAME,NAME")
      ->group("Members");
  command
      ->add_option("--set", o->settings,
                   "FIELD=VALUE for any other field of the file, such as timeouts.gather=30 or "
                   "model.landmarks=auto. An empty value removes an optional field")
      ->type_name("FIELD=VALUE")
      ->group("Settings");
  command
      ->add_option("--column", o->columns,
                   "A new column, or a new range for an existing one: name:low..high or name:level|level, "
                   "followed by :target for a target")
      ->group("Settings");
  command->add_option("--drop-column", o->drop_columns, "A column to remove")
      ->type_name("NAME")
      ->group("Settings");
  command->add_option("-o,--out", o->out, "The output file")->required();
  command->add_flag("--force", o->force, "Overwrite the file");
  command->footer(
      "The file can be edited until the first member signs it. All members of the new charter sign it; "
      "members who leave\ndo not.\n\n"
      "Examples:\n"
      "  tacit charter amend charter.toml --add dresden/card.toml -o charter-2.toml\n"
      "  tacit charter amend charter.toml --drop celle --set timeouts.gather=30 -o charter-2.toml");
  command->callback([o] { amend(*o); });
}

}  // namespace tacit::cli
