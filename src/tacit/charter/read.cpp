// Reads a charter from TOML; declared in charter.hpp.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "tacit/base/system/files.hpp"
#include "tacit/base/system/release.hpp"
#include "tacit/charter/charter.hpp"
#include "tacit/charter/landmarks.hpp"
#include "tacit/consortium/pool/draw_landmarks.hpp"
#include "tacit/graph/generators.hpp"
#include "tacit/identity/encoding.hpp"
#include "tacit/identity/toml_table.hpp"
#include "tacit/table/cells/dates.hpp"

namespace tacit {
namespace {

constexpr std::size_t most_agents = 1000;
constexpr std::size_t most_columns = 10'000;
constexpr std::size_t most_charter_bytes = 8 << 20;
constexpr std::size_t newest_format = 2;

// Refuses a repeated value.
template <class T>
void once(std::set<T>& seen, const T& value, const TomlTable& table, const char* key) {
  if (!seen.insert(value).second)
    throw table.wrong(key, "another entry has the same value; all of them must be different");
}

std::vector<CharterAgent> read_agents(const TomlTable& root) {
  std::vector<CharterAgent> agents;
  std::set<std::string> names, addresses;
  std::set<IdentityKey> identities;
  std::set<Fingerprint> fingerprints;
  const TomlTable certificates = root.table("certificates");
  for (const TomlTable& table : root.tables("agent")) {
    CharterAgent& agent = agents.emplace_back();
    agent.name = table.text("name");
    check_name(agent.name, table.where("name"));
    once(names, agent.name, table, "name");
    agent.address = table.text("address");
    check_address(agent.address, table.where("address"));
    once(addresses, agent.address, table, "address");
    if (!from_hex(table.text("identity"), agent.identity))
      throw table.wrong("identity", "this must be 64 hexadecimal digits, from the agent's card");
    once(identities, agent.identity, table, "identity");
    agent.certificate = certificates.text(agent.name);
    agent.fingerprint = fingerprint_of(agent.certificate, certificates.where(agent.name));
    Fingerprint stated{};
    if (!from_hex(table.text("fingerprint"), stated) || stated != agent.fingerprint)
      throw table.wrong("fingerprint",
                        fmt::format("this is not the fingerprint of the certificate of {}", agent.name));
    once(fingerprints, agent.fingerprint, table, "fingerprint");
    table.done();
  }
  certificates.done();
  if (agents.size() < 3)
    throw root.wrong("agent",
                     "a consortium needs three agents or more: each of two could compute the other's values");
  if (agents.size() > most_agents)
    throw root.wrong("agent", fmt::format("at most {} agents are allowed", most_agents));
  return agents;
}

void read_network(const TomlTable& table, Charter& charter) {
  if (table.has("topology") == table.has("links"))
    throw table.wrong("topology", "set either topology or links, and only one of them");
  if (table.has("topology")) {
    charter.topology = table.text("topology");
    if (!charter.topology.starts_with("ring:") && charter.topology != "complete")
      throw table.wrong("topology",
                        "this must be \"ring:D\" with an even number D of neighbours, or \"complete\"");
    try {
      charter.graph();
    } catch (const InputError& e) {
      throw table.wrong("topology", e.what());
    }
  } else {
    for (const auto& link : table.text_lists("links")) {
      if (link.size() != 2 || link[0] == link[1])
        throw table.wrong("links",
                          "every link must name two different agents, such as [\"aachen\", \"bonn\"]");
      for (const std::string& name : link)
        if (!charter.find(name))
          throw table.wrong("links", fmt::format("there is no agent named {}", in_quotes(name)));
      charter.links.emplace_back(link[0], link[1]);
    }
  }
  table.done();
}

// A column such as admitted.weekday, computed from the dates in admitted.
void read_part(const TomlTable& table, Column& column) {
  column.part_of = table.text("part_of");
  const bool known = std::any_of(date_parts.begin(), date_parts.end(), [&](std::string_view part) {
    return column.name == part_column(column.part_of, part);
  });
  if (!known)
    throw table.wrong("name", fmt::format("a part of the dates {0} must be named {0}.{1}", column.part_of,
                                          fmt::join(date_parts, fmt::format(", {}.", column.part_of))));
}

std::vector<Column> read_columns(const TomlTable& parent, const char* key, std::set<std::string>& names) {
  std::vector<Column> columns;
  for (const TomlTable& table : parent.tables(key)) {
    Column& column = columns.emplace_back();
    column.name = table.text("name");
    if (column.name.empty()) throw table.wrong("name", "a column needs a name");
    once(names, column.name, table, "name");
    if (table.has("levels")) {
      column.levels = table.texts("levels");
      std::set<std::string> different(column.levels.begin(), column.levels.end());
      if (different.size() != column.levels.size() || different.size() < 2 || different.contains(""))
        throw table.wrong("levels", "there must be at least two levels, all different and none empty");
      if (std::string_view(key) == "targets")
        throw table.wrong("levels", "a target must be a number, because Tacit does regression");
    } else {
      if ((table.has("date") || table.has("part_of")) && std::string_view(key) == "targets")
        throw table.wrong("name", "a target must be a number, not a date, because Tacit does regression");
      if (table.has("date") && table.has("part_of"))
        throw table.wrong("part_of", "a part of a date is not a date itself; remove either part_of or date");
      if (table.has("part_of")) read_part(table, column);
      if (table.has("date")) {
        set_days(column, table.day("date"), table.day("low"), table.day("high"));
      } else {
        column.low = table.number("low");
        column.high = table.number("high");
      }
      if (!(column.low < column.high)) throw table.wrong("high", "this must be above low");
      if (!std::isfinite(column.high - column.low))
        throw table.wrong("high", "the range is too wide for a floating-point number");
    }
    table.done();
  }
  if (columns.empty()) throw parent.wrong(key, "there must be at least one column");
  if (columns.size() > most_columns)
    throw parent.wrong(key, fmt::format("at most {} columns are allowed", most_columns));
  return columns;
}

Matrix read_listed(const TomlTable& table, const std::vector<Column>& inputs) {
  constexpr const char* key = "landmark_points";
  const LandmarkCells cells = table.cell_lists(key);
  if (cells.empty() || cells.size() > most_landmarks)
    throw table.wrong(key, fmt::format("there must be 1 to {} points", most_landmarks));
  try {
    return landmark_points(cells, inputs);
  } catch (const InputError& e) {
    throw table.wrong(key, e.what());
  }
}

// The fields may be absent: a charter need not mention landmarks.
LandmarkTerms read_landmarks(const TomlTable& table, const std::vector<Column>& inputs) {
  LandmarkTerms landmarks;
  if (table.has("landmarks")) landmarks.count = table.word_or_count("landmarks", "auto", 0, most_landmarks);
  if (table.has("landmark_points")) {
    landmarks.listed = read_listed(table, inputs);
    const auto listed = static_cast<std::size_t>(landmarks.listed.rows());
    if (table.has("landmarks") && landmarks.count != listed)
      throw table.wrong("landmarks", fmt::format("this must be the number of landmark_points, {}", listed));
    landmarks.count = listed;
  }
  // The fields about landmarks may stay in the file if there are none, and the seed if landmarks are listed.
  const auto seed = table.maybe_count("landmarks_seed", 0, INT64_MAX);
  const bool above = table.has("landmarks_above_ceiling") && table.flag("landmarks_above_ceiling");
  if (!landmarks.any()) return landmarks;
  if (landmarks.listed.rows() == 0) landmarks.seed = seed.value_or(landmarks.seed);
  landmarks.above_ceiling = above;
  return landmarks;
}

CharterModel read_model(const TomlTable& table, const std::vector<Column>& inputs) {
  CharterModel model;
  model.kernel = table.text("kernel");
  model.fusion = parse_fusion(table.word("fusion", {"poe", "gpoe", "bcm", "rbcm"}));
  model.standardise = table.flag("standardise");
  model.lengthscale = table.positive("lengthscale");
  model.signal = table.positive("signal");
  model.noise = table.positive("noise");
  model.expert_rows = table.count("expert_rows", 1, 1'000'000);
  model.landmarks = read_landmarks(table, inputs);
  table.done();
  return model;
}

CharterTuning read_tuning(const TomlTable& table, const CharterModel& model) {
  CharterTuning tuning;
  tuning.on = table.flag("on");
  tuning.low = table.positive("low");
  tuning.high = table.positive("high");
  if (!(tuning.low < tuning.high)) throw table.wrong("high", "this must be above low");
  tuning.noise_floor = table.positive("noise_floor");
  tuning.lengthscale_floor = table.positive("lengthscale_floor");
  tuning.restarts = table.count("restarts", 0, 1000);
  tuning.seed = table.count("seed", 0, INT64_MAX);
  tuning.evaluations = table.count("evaluations", 1, 100'000);
  table.done();
  const auto [least, most] = std::minmax({model.lengthscale, model.signal, model.noise});
  if (tuning.on && (least < tuning.low || most > tuning.high))
    throw table.wrong("low", "the model's lengthscale, signal and noise must lie between low and high");
  const auto above = [&](const char* key, double floor, double start, const char* name) {
    if (tuning.on && start < floor)
      throw table.wrong(
          key, fmt::format(
                   "tuning starts at model.{0} = {1}, which is below this floor; raise model.{0}, or lower "
                   "the floor",
                   name, start));
  };
  above("noise_floor", tuning.noise_floor, model.noise, "noise");
  above("lengthscale_floor", tuning.lengthscale_floor, model.lengthscale, "lengthscale");
  return tuning;
}

CharterProtocol read_protocol(const TomlTable& table, std::size_t agents) {
  CharterProtocol protocol;
  protocol.sums = parse_sum_protocol(table.word("sums", {"exact", "tree", "consensus"}));
  protocol.collusion = table.count("collusion", 0, agents - 2);
  protocol.fewest = table.count("fewest_agents", 3, agents);
  if (protocol.fewest < protocol.collusion + 2)
    throw table.wrong(
        "fewest_agents",
        fmt::format("with {} agents in a sum, {} that collude are too many: the sum minus their own values "
                    "would be the value of the last agent. This must be at least collusion + 2 = {}",
                    protocol.fewest, protocol.collusion, protocol.collusion + 2));
  protocol.rows = table.count("most_rows", 1, 1'000'000'000);
  protocol.points = table.count("most_points", 1, 10'000'000);
  if (table.has("unit")) protocol.unit = table.positive("unit");
  if (table.has("agents_may_refit")) protocol.refits = table.flag("agents_may_refit");
  if (protocol.sums == SumProtocol::consensus) {
    protocol.consensus.masks = parse_mask_source(table.word("masks", {"seeded", "shares"}));
    protocol.consensus.acceleration = parse_acceleration(table.word("acceleration", {"chebyshev", "none"}));
    protocol.consensus.blinding = static_cast<unsigned>(table.count("blinding", 0, 100));
    if (protocol.fewest != agents)
      throw table.wrong("fewest_agents",
                        fmt::format("the consensus needs all agents: this must be {}", agents));
  }
  table.done();
  return protocol;
}

// The charter's position in the consortium's sequence of charters.
void read_place(const TomlTable& root, Charter& charter) {
  const auto number = root.maybe_count("number", 1, 1'000'000'000);
  charter.number = number.value_or(1);
  if (root.has("previous")) {
    if (!from_hex(root.text("previous"), charter.previous.emplace()))
      throw root.wrong("previous", "this must be 64 hexadecimal digits, the hash of the previous charter");
  }
  if (charter.previous.has_value() != (charter.number > 1))
    throw root.wrong(
        "number", "the first charter has number 1 and no field previous; every later charter needs previous");
}

double seconds(const TomlTable& table, const char* key) {
  const double value = table.positive(key);
  if (value > 86'400 || value < 0.1) throw table.wrong(key, "this must be from 0.1 to 86400 seconds");
  return value;
}

}  // namespace

Charter parse_charter(const std::string& file, std::string_view text) {
  if (text.size() > most_charter_bytes)
    throw InputError(file + ": this file is too large for a charter; the limit is 8 MiB");
  const TomlTable root = TomlTable::parse(file, text);
  if (!root.has("charter"))
    throw InputError(file + ": this is not a charter. Create one with tacit charter new.");
  check_format(root.where("charter"), root.count("charter", 1, INT64_MAX), newest_format);
  Charter charter;
  charter.title = root.text("title");
  read_place(root, charter);
  charter.agents = read_agents(root);
  read_network(root.table("network"), charter);
  const TomlTable columns = root.table("columns");
  std::set<std::string> names;
  charter.inputs = read_columns(columns, "inputs", names);
  charter.targets = read_columns(columns, "targets", names);
  columns.done();
  charter.model = read_model(root.table("model"), charter.inputs);
  charter.tuning = read_tuning(root.table("tuning"), charter.model);
  charter.protocol = read_protocol(root.table("protocol"), charter.agents.size());
  const TomlTable timeouts = root.table("timeouts");
  charter.timeouts = {seconds(timeouts, "gather"), seconds(timeouts, "loss"), seconds(timeouts, "silence"),
                      seconds(timeouts, "queue")};
  timeouts.done();
  if (!(charter.timeouts.gather > charter.timeouts.loss))
    throw timeouts.wrong("gather", "this must be longer than loss, because a lost agent cannot answer");
  if (const auto signatures = root.maybe_table("signatures"))
    for (const std::string& name : signatures->keys()) {
      if (!charter.find(name))
        throw signatures->wrong(
            name, fmt::format("there is no agent named {} in this charter; remove this line", name));
      if (!from_hex(signatures->text(name), charter.signatures[name]))
        throw signatures->wrong(name,
                                fmt::format("this must be 128 hexadecimal digits, as tacit charter sign "
                                            "writes them; remove this line, and let {} sign again",
                                            name));
    }
  root.done();
  return charter;
}

Charter read_charter(const std::filesystem::path& file) {
  return parse_charter(file.string(), read_whole(file, most_charter_bytes));
}

Charter read_charter(const std::filesystem::path& file, const Charter& known) {
  const std::string text = read_whole(file, most_charter_bytes);
  return text == to_toml(known) ? known : parse_charter(file.string(), text);
}

std::vector<CharterField> fields_from(std::string_view canonical) {
  // A line is two basic TOML strings with a tab between them. toml++ resolves their escapes.
  std::vector<CharterField> fields;
  const auto refuse = [] { throw InputError("this is not the canonical text of a charter"); };
  if (canonical.size() > most_charter_bytes) refuse();
  while (!canonical.empty()) {
    const std::size_t end = canonical.find('\n'), tab = canonical.find('\t');
    if (end == canonical.npos || tab == canonical.npos || tab > end) refuse();
    try {
      const TomlTable line =
          TomlTable::parse("line", fmt::format("name = {}\nvalue = {}\n", canonical.substr(0, tab),
                                               canonical.substr(tab + 1, end - tab - 1)));
      fields.push_back({line.text("name"), line.text("value")});
    } catch (const InputError&) {
      refuse();
    }
    canonical.remove_prefix(end + 1);
  }
  return fields;
}

}  // namespace tacit
