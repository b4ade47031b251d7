#include "tacit/charter/amend.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <sstream>

#include "tacit/base/closest_name.hpp"
#include "tacit/base/error.hpp"
#include "tacit/identity/encoding.hpp"

namespace tacit {
namespace {

constexpr const char* amended_name = "the amended charter";

CharterAgent& member(Charter& charter, const std::string& name) {
  const auto id = charter.find(name);
  if (id) return charter.agents[*id];
  std::vector<std::string> names;
  for (const CharterAgent& agent : charter.agents) names.push_back(agent.name);
  const std::string* near = closest_name(name, names);
  throw InputError(fmt::format("there is no member named {} in this charter{}", in_quotes(name),
                               near ? fmt::format("; did you mean {}?", *near) : ""));
}

void change_members(Charter& charter, const Amendment& changes) {
  for (const std::string& name : changes.drop) {
    member(charter, name);
    std::erase_if(charter.agents, [&](const CharterAgent& agent) { return agent.name == name; });
    std::erase_if(charter.links, [&](const auto& link) { return link.first == name || link.second == name; });
  }
  for (const CharterAgent& fresh : changes.replace) {
    CharterAgent& agent = member(charter, fresh.name);
    if (agent.identity == fresh.identity && agent.fingerprint == fresh.fingerprint)
      throw InputError(fmt::format("the card of {} has the same keys as the charter", fresh.name));
    const std::string address = fresh.address.empty() ? agent.address : fresh.address;
    agent = fresh;
    agent.address = address;
  }
  for (const CharterAgent& fresh : changes.add) {
    if (charter.find(fresh.name))
      throw InputError(
          fmt::format("{} is already a member; replace its keys, or choose another name", fresh.name));
    if (fresh.address.empty())
      throw InputError(fmt::format(
          "the card of {} has no address; give the address at which the others reach it", fresh.name));
    charter.agents.push_back(fresh);
  }
  for (const auto& [name, address] : changes.addresses) member(charter, name).address = address;
  for (const auto& [a, b] : changes.links) {
    if (!charter.topology.empty())
      throw InputError(fmt::format(
          "the network is \"{}\", which determines all links; set network.links to list the links "
          "one by one",
          charter.topology));
    member(charter, a);
    member(charter, b);
    charter.links.emplace_back(a, b);
  }
}

// Bounds that depend on the number of members follow the new number.
void keep_bounds(const Charter& before, Charter& charter) {
  const std::size_t were = before.agents.size(), are = charter.agents.size();
  if (were == are || are < 3) return;
  CharterProtocol& protocol = charter.protocol;
  if (protocol.sums == SumProtocol::consensus) {
    protocol.fewest = are;
    protocol.collusion = std::min(protocol.collusion, are - 2);
    return;
  }
  const std::size_t least = std::max<std::size_t>(3, before.protocol.collusion + 2);
  if (before.protocol.collusion == were - 2) protocol.collusion = are - 2;
  protocol.collusion = std::min(protocol.collusion, are - 2);
  if (before.protocol.fewest == were)
    protocol.fewest = are;
  else if (before.protocol.fewest == least)
    protocol.fewest = std::max<std::size_t>(3, protocol.collusion + 2);
  protocol.fewest = std::clamp(protocol.fewest, protocol.collusion + 2, are);
}

void change_columns(Charter& charter, const Amendment& changes) {
  for (const std::string& name : changes.drop_columns) {
    const auto called = [&](const Column& column) { return column.name == name; };
    if (std::erase_if(charter.inputs, called) + std::erase_if(charter.targets, called) == 0)
      throw InputError(fmt::format("there is no column named {} in this charter", in_quotes(name)));
  }
  const auto put = [](std::vector<Column>& all, const Column& fresh) {
    const auto at =
        std::find_if(all.begin(), all.end(), [&](const Column& column) { return column.name == fresh.name; });
    if (at == all.end())
      all.push_back(fresh);
    else
      *at = fresh;
  };
  for (const Column& fresh : changes.columns.inputs) put(charter.inputs, fresh);
  for (const Column& fresh : changes.columns.targets) put(charter.targets, fresh);
}

// Parses a value in TOML, or a string without its quotes.
toml::table value_of(const std::string& field, const std::string& text) {
  for (const std::string& form : {text, in_quotes(text)}) try {
      toml::table parsed = toml::parse("value = " + form);
      if (parsed.size() == 1) return parsed;
    } catch (const toml::parse_error&) {
      continue;
    }
  throw InputError(
      fmt::format("{}: {} is not a valid value; write it as in the charter's file", field, in_quotes(text)));
}

void set(toml::table& root, const std::string& field, const std::string& value) {
  const std::size_t dot = field.rfind('.');
  const std::string section = dot == std::string::npos ? "" : field.substr(0, dot),
                    key = dot == std::string::npos ? field : field.substr(dot + 1);
  static const std::vector<std::string> open = {"network", "model", "tuning", "protocol", "timeouts"};
  if (field != "title" && std::find(open.begin(), open.end(), section) == open.end())
    throw InputError(fmt::format(
        "{}: this field cannot be set; only title and the fields of network, model, tuning, protocol and "
        "timeouts can, such as timeouts.gather",
        field));
  toml::table* table = section.empty() ? &root : root[section].as_table();
  if (!table) throw InputError(fmt::format("the charter has no section [{}]", section));
  if (section == "network") table->erase(key == "topology" ? "links" : "topology");
  table->erase(key);
  if (value.empty()) return;
  toml::table parsed = value_of(field, value);
  table->insert(key, std::move(*parsed.get("value")));
}

Charter with_settings(const Charter& charter, const Amendment& changes) {
  toml::table root = toml::parse(to_toml(charter));
  for (const auto& [field, value] : changes.settings) set(root, field, value);
  std::ostringstream text;
  text << root;
  return parse_charter(amended_name, text.str());
}

std::string keys_of(const CharterAgent& agent) {
  return fmt::format("identity {}, fingerprint {}", hex(agent.identity), hex(agent.fingerprint));
}

// Fields whose changes have sentences of their own.
bool about_members(const std::string& field) {
  return field == "format" || field == "number" || field == "predecessor" || field == "agents" ||
         field.starts_with("agent ");
}

}  // namespace

bool follows(const Charter& after, const Charter& before) {
  return after.previous == charter_hash(before) && after.number == before.number + 1;
}

Charter amended(const Charter& present, const Amendment& changes) {
  Charter next = present;
  next.signatures.clear();
  next.number = present.number + 1;
  next.previous = charter_hash(present);
  change_members(next, changes);
  keep_bounds(present, next);
  change_columns(next, changes);
  next = with_settings(next, changes);
  if (changes_in_words(present, next).empty())
    throw InputError("the amendment changes nothing; give at least one change");
  return next;
}

std::vector<std::string> changes_in_words(const Charter& before, const Charter& after) {
  std::vector<std::string> words;
  for (const CharterAgent& agent : after.agents) {
    const auto id = before.find(agent.name);
    if (!id) {
      words.push_back(
          fmt::format("{} joins, with address {}, {}; compare identity and fingerprint with {} by "
                      "telephone",
                      agent.name, agent.address, keys_of(agent), agent.name));
      continue;
    }
    const CharterAgent& old = before.agents[*id];
    if (old.identity != agent.identity || old.fingerprint != agent.fingerprint)
      words.push_back(
          fmt::format("{} has new keys: {}; compare both with {} by telephone, because an attacker may have "
                      "sent the card",
                      agent.name, keys_of(agent), agent.name));
    if (old.address != agent.address)
      words.push_back(
          fmt::format("{} changes its address to {}; it was {}", agent.name, agent.address, old.address));
  }
  for (const CharterAgent& agent : before.agents)
    if (!after.find(agent.name))
      words.push_back(fmt::format(
          "{} leaves: later models do not learn from its rows, and its agent cannot take part in runs",
          agent.name));
  const auto was = charter_fields(before), is = charter_fields(after);
  const auto value = [](const std::vector<CharterField>& fields, const std::string& name) {
    const auto at = std::find_if(fields.begin(), fields.end(),
                                 [&](const CharterField& field) { return field.name == name; });
    return at == fields.end() ? nullptr : &at->value;
  };
  for (const CharterField& field : is) {
    if (about_members(field.name)) continue;
    const std::string* old = value(was, field.name);
    if (!old)
      words.push_back(fmt::format("{}: {}, which is a new field", field.name, field.value));
    else if (*old != field.value)
      words.push_back(fmt::format("{}: {} instead of {}", field.name, field.value, *old));
  }
  for (const CharterField& field : was)
    if (!about_members(field.name) && !value(is, field.name))
      words.push_back(fmt::format("{}: removed; it was {}", field.name, field.value));
  return words;
}

}  // namespace tacit
