// tacit charter: make, check, explain, compare, sign and show charters.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>

#include "tacit/agent/agent_data.hpp"
#include "tacit/base/error.hpp"
#include "tacit/base/files.hpp"
#include "tacit/cli/commands.hpp"
#include "tacit/cli/data_options.hpp"
#include "tacit/cli/json.hpp"
#include "tacit/cli/numbers.hpp"
#include "tacit/cli/plan_options.hpp"
#include "tacit/data/cell.hpp"
#include "tacit/graph/generators.hpp"
#include "tacit/identity/charter_check.hpp"
#include "tacit/identity/charter_explain.hpp"
#include "tacit/identity/charter_propose.hpp"
#include "tacit/identity/charter_terms.hpp"
#include "tacit/identity/encoding.hpp"
#include "tacit/identity/keys.hpp"
#include "tacit/regression/landmarks.hpp"

namespace tacit::cli {
namespace {

struct NewCommand {
  std::string title = "A consortium", out, topology, edges, data;
  std::vector<std::string> cards, addresses, inputs, targets, columns;
  DataOptions reading;
  std::optional<std::size_t> collusion, fewest;
  std::uint64_t seed = 1;
  bool plain = false, no_tuning = false, force = false;
  std::string kernel = "se", fusion = "rbcm", sums = "exact", landmarks;
  std::optional<double> lengthscale, signal, noise, noise_floor, lengthscale_floor;
  CharterProtocol protocol;
};

std::vector<CharterAgent> agents_of(const NewCommand& o) {
  std::map<std::string, std::string> addresses;
  for (const std::string& text : o.addresses) {
    const std::size_t sign = text.find('=');
    if (sign == std::string::npos)
      throw InputError(fmt::format("--address {}: write NAME=HOST:PORT, such as aachen=10.0.0.7:7500", text));
    check_address(text.substr(sign + 1), "--address " + text);
    addresses[text.substr(0, sign)] = text.substr(sign + 1);
  }
  std::vector<CharterAgent> agents;
  for (const std::string& file : o.cards) {
    const Card card = read_card(file);
    for (const CharterAgent& other : agents)
      if (other.name == card.name)
        throw InputError(fmt::format(
            "{}: two cards are for an agent called {}; every agent needs its own name", file, card.name));
    const auto given = addresses.extract(card.name);
    CharterAgent agent{card.name, given ? given.mapped() : card.address, card.identity, card.certificate,
                       fingerprint_of(card.certificate, file)};
    if (agent.address.empty())
      throw InputError(
          fmt::format("{}: the card has no address; give --address {}=HOST:PORT", file, card.name));
    agents.push_back(std::move(agent));
  }
  if (!addresses.empty())
    throw InputError(fmt::format("--address {}: no card has that name", addresses.begin()->first));
  return agents;
}

void set_network(const NewCommand& o, Charter& charter) {
  const bool lasting = o.edges.empty() && (o.topology == "complete" || o.topology.starts_with("ring:"));
  if (lasting) {
    charter.topology = o.topology;
    charter.graph();
    return;
  }
  const Graph graph = o.edges.empty() ? parse_topology(o.topology, charter.agents.size(), o.seed)
                                      : read_edge_list(o.edges, charter.agents.size());
  for (const auto& [a, b] : graph.edge_list())
    charter.links.emplace_back(charter.name_of(a), charter.name_of(b));
}

// The consensus knows none.
LandmarkTerms landmarks_of(const NewCommand& o) {
  LandmarkTerms landmarks;
  const std::string text = !o.landmarks.empty() ? o.landmarks : o.sums == "consensus" ? "0" : "auto";
  if (text == "auto") {
    landmarks.count.reset();
    return landmarks;
  }
  const auto count = parse_number(text);
  if (!count || *count != std::floor(*count) || *count < 0 || *count > most_landmarks)
    throw InputError(
        fmt::format("--landmarks {}: write auto, or a whole number from 0 to {}", text, most_landmarks));
  landmarks.count = static_cast<std::size_t>(*count);
  return landmarks;
}

void make_new(const NewCommand& o) {
  if (!o.force && std::filesystem::exists(o.out))
    throw InputError(fmt::format("{}: this file exists already; name another or give --force", o.out));
  Charter charter;
  charter.title = o.title;
  charter.agents = agents_of(o);
  if (charter.agents.size() < 3)
    throw InputError("--card: a consortium needs three agents or more; give one card for each");
  set_network(o, charter);
  ProposedColumns columns;
  if (!o.data.empty())
    columns = propose_columns(o.data, trimmed_names(o.inputs), trimmed_names(o.targets), o.reading.checked());
  for (const std::string& text : o.columns) add_column(columns, text);
  charter.inputs = columns.inputs;
  charter.targets = columns.targets;
  charter.model = usual_model(width(charter.inputs), !o.plain);
  charter.model.kernel = o.kernel;
  charter.model.fusion = parse_fusion(o.fusion);
  charter.model.landmarks = landmarks_of(o);
  charter.model.lengthscale = o.lengthscale.value_or(charter.model.lengthscale);
  charter.model.signal = o.signal.value_or(charter.model.signal);
  charter.model.noise = o.noise.value_or(charter.model.noise);
  charter.tuning = usual_tuning(charter.model, width(charter.inputs));
  charter.tuning.on = !o.no_tuning;
  charter.tuning.noise_floor = o.noise_floor.value_or(charter.tuning.noise_floor);
  charter.tuning.lengthscale_floor = o.lengthscale_floor.value_or(charter.tuning.lengthscale_floor);
  charter.protocol = o.protocol;
  charter.protocol.sums = parse_sum_protocol(o.sums);
  const bool everybody = charter.protocol.sums == SumProtocol::consensus;
  charter.protocol.collusion = o.collusion.value_or(everybody ? 1 : charter.agents.size() - 2);
  charter.protocol.fewest = everybody
                                ? charter.agents.size()
                                : o.fewest.value_or(std::max<std::size_t>(3, charter.protocol.collusion + 2));
  const std::string text = to_toml(charter);
  const Charter written = parse_charter(o.out, text);  // refuses what could not be read again
  write_whole(o.out, text);
  fmt::print("Wrote {}. Read it, change what you like, and check it: tacit charter check {}\n", o.out, o.out);
  if (!o.data.empty())
    fmt::print(
        "Its ranges are those of {}, widened. They are public, and all parties' rows must lie within them.\n",
        o.data);
  fmt::print("Hash  {}\n", hex(charter_hash(written)));
}

Json signatures_json(const Charter& charter, const CharterSignatures& signatures) {
  return {{"hash", hex(charter_hash(charter))},
          {"signed", signatures.good},
          {"void", signatures.bad},
          {"unsigned", signatures.missing}};
}

// One party's rows against the charter, before anybody signs.
struct CheckedData {
  std::string file;
  std::optional<AgentRows> rows;  ///< none when the file cannot be read
  std::vector<std::string> problems;
};

CheckedData check_data(const std::string& file, const Charter& charter, const ReadOptions& how) {
  CheckedData out{file, {}, {}};
  try {
    out.rows = read_rows({file}, charter, how);
    out.problems = out.rows->bad.sentences(true);
  } catch (const InputError& e) {
    out.problems = {e.what()};
  }
  return out;
}

Json data_json(const CheckedData& data) {
  Json out{{"file", data.file}, {"problems", data.problems}};
  if (data.rows)
    out.update({{"rows", data.rows->rows.inputs.rows()},
                {"dropped", data.rows->dropped},
                {"notes", data.rows->notes}});
  return out;
}

void check(const std::string& file, const std::vector<std::string>& files, const ReadOptions& how,
           bool json) {
  const Charter charter = read_charter(file);
  const CharterReport report = check_charter(charter);
  std::vector<CheckedData> data;
  for (const std::string& one : files) data.push_back(check_data(one, charter, how));
  if (json) {
    Json out = signatures_json(charter, report.signatures);
    out["problems"] = report.problems;
    out["notes"] = report.notes;
    out["data"] = Json::array();
    for (const CheckedData& one : data) out["data"].push_back(data_json(one));
    std::cout << out.dump(2) << '\n';
  } else {
    fmt::print("Hash      {}\n", hex(charter_hash(charter)));
    fmt::print("Network   {} and {}\n", plural(charter.agents.size(), "agent"),
               plural(charter.graph().edges(), "link"));
    for (const std::string& note : report.notes) fmt::print("Means     {}\n", note);
    fmt::print("Signed    {}\n", in_words(report.signatures));
    for (const CheckedData& one : data)
      if (one.rows) {
        if (one.problems.empty()) fmt::print("Data      {} has {}\n", one.file, one.rows->in_words());
        for (const std::string& note : one.rows->notes) fmt::print("Data      {}: {}\n", one.file, note);
      }
    for (const std::string& problem : report.problems) fmt::print("Problem   {}\n", problem);
    for (const CheckedData& one : data)
      for (const std::string& problem : one.problems) fmt::print("Problem   {}\n", problem);
  }
  std::vector<std::string> problems;
  for (const std::string& problem : report.problems) problems.push_back(file + ": " + problem);
  if (!report.signatures.bad.empty()) problems.push_back(file + ": " + lacking_in_words(report.signatures));
  for (const CheckedData& one : data)
    problems.insert(problems.end(), one.problems.begin(), one.problems.end());
  if (problems.size() == 1 && problems[0].find('\n') == std::string::npos) throw InputError(problems[0]);
  if (!problems.empty())
    throw InputError(fmt::format("{}: {} must be fixed", file, plural(problems.size(), "problem")));
}

void show_difference(const std::string& a, const std::string& b) {
  const auto said =
      charter_differences(charter_fields(read_charter(a)), a, charter_fields(read_charter(b)), b);
  for (const std::string& one : said) fmt::print("{}\n", one);
  if (!said.empty()) throw Error(fmt::format("{} and {} differ in {}", a, b, plural(said.size(), "field")));
  fmt::print("{} and {} agree: they are the same charter\n", a, b);
}

void sign(const std::string& file, const std::string& identity, const std::vector<std::string>& others) {
  if (identity.empty() && others.empty())
    throw InputError("charter sign: give --identity DIR to sign, or --take FILE to add others' signatures");
  std::string text = read_whole(file);
  const Charter charter = parse_charter(file, text);
  const Digest hash = charter_hash(charter);
  for (const std::string& other : others) {
    const Charter theirs = read_charter(other);
    if (charter_hash(theirs) != hash)
      throw InputError(fmt::format(
          "{} is not the same charter as {}; tacit charter diff shows where they differ", other, file));
    for (const std::string& name : check_signatures(theirs).good)
      text = with_signature(file, text, name, theirs.signatures.at(name));
  }
  if (!identity.empty()) {
    const AgentKeys keys = load_keys(identity);
    const auto self = charter.find(keys.card.name);
    if (!self)
      throw InputError(fmt::format("{}: there is no agent called {} in this charter", file, keys.card.name));
    const CharterAgent& agent = charter.agents[*self];
    if (agent.identity != keys.card.identity || agent.certificate != keys.card.certificate)
      throw InputError(fmt::format("{}: this charter has a different identity or certificate for {} than {}",
                                   file, agent.name, identity));
    require_sound(check_charter(charter), file);
    text = with_signature(file, text, agent.name, sign_charter(charter, keys.identity));
  }
  write_whole(file, text);
  const CharterSignatures now = check_signatures(parse_charter(file, text));
  fmt::print("Hash    {}\nSigned  {}\n", hex(hash), in_words(now));
}

void show(const std::string& file, bool json) {
  const Charter charter = read_charter(file);
  const CharterSignatures signatures = check_signatures(charter);
  if (json) {
    Json out = signatures_json(charter, signatures);
    for (const CharterField& field : charter_fields(charter)) out["fields"][field.name] = field.value;
    std::cout << out.dump(2) << '\n';
    return;
  }
  fmt::print("Hash    {}\nSigned  {}\n\n", hex(charter_hash(charter)), in_words(signatures));
  for (const CharterField& field : charter_fields(charter))
    fmt::print("{:<44} {}\n", field.name, field.value);
}

void explain(const std::string& file, bool markdown) {
  const Charter charter = read_charter(file);
  fmt::print("{}", page_of(charter, explain_charter(charter), markdown));
}

void add_new(CLI::App& parent) {
  CLI::App* command =
      parent.add_subcommand("new", "Write a charter from cards, a network, columns and settings");
  auto o = std::make_shared<NewCommand>();
  command
      ->add_option("--card", o->cards, "An agent's card; give one for each agent, in the order of their ids")
      ->required()
      ->group("Who");
  command
      ->add_option("--address", o->addresses,
                   "NAME=HOST:PORT, for a card without an address, or to replace its address")
      ->group("Who");
  command->add_option("--title", o->title, "What the consortium is for")->capture_default_str()->group("Who");
  auto* topology = command
                       ->add_option("--topology", o->topology,
                                    "Who talks to whom: ring:D, complete, regular:D or geometric:R")
                       ->default_str("complete")
                       ->group("Who");
  o->topology = "complete";
  command
      ->add_option("--edges", o->edges,
                   "Instead: a file of links, two 0-based ids per line, in the order of the cards")
      ->excludes(topology)
      ->group("Who");
  command->add_option("--seed", o->seed, "Seed of random topologies")->group("Who");
  auto* data = command->add_option("--data", o->data, "A file of data to propose columns and ranges from")
                   ->group("Columns");
  command->add_option("--target", o->targets, "Columns of that file to predict")
      ->delimiter(',')
      ->needs(data)
      ->group("Columns");
  command->add_option("--inputs", o->inputs, "Columns of that file to learn from; all others when left out")
      ->delimiter(',')
      ->needs(data)
      ->group("Columns");
  o->reading.add_to(*command);
  for (CLI::Option* option :
       command->get_options([](const CLI::Option* one) { return one->get_group() == "Data"; }))
    option->needs(data);
  command
      ->add_option(
          "--column", o->columns,
          "name:low..high or name:level|level, with :target after a target; low and high may be days, "
          "such as 2018-01-01")
      ->group("Columns");
  command->add_option("--kernel", o->kernel, "The kernel, such as se or \"se-ard + linear + constant\"")
      ->capture_default_str()
      ->group("Model");
  command->add_option("--fusion", o->fusion, "poe, gpoe, bcm or rbcm")->capture_default_str()->group("Model");
  command
      ->add_option("--landmarks", o->landmarks,
                   "Public points through which all rows are learnt from at once: auto, or how many. auto, "
                   "and what is used when left out, opens at most a quarter of the numbers that the rows "
                   "hold; 0 is every agent for itself until all are asked together")
      ->type_name("auto|M")
      ->group("Model");
  command->add_option("--lengthscale", o->lengthscale, "Length-scale at which tuning starts")->group("Model");
  command->add_option("--signal", o->signal, "Signal θ_s at which tuning starts")->group("Model");
  command->add_option("--noise", o->noise, "Noise σ_ε at which tuning starts")->group("Model");
  command
      ->add_option("--noise-floor", o->noise_floor,
                   "The least noise that tuning may end with; 0.05 of a deviation when left out")
      ->group("Model");
  command
      ->add_option(
          "--lengthscale-floor", o->lengthscale_floor,
          "The least length-scale that tuning may end with; half the square root of the number of inputs "
          "when left out, about half of what rows are apart")
      ->group("Model");
  command->add_flag("--no-standardise,--no-standardize", o->plain, "Do not standardise columns")
      ->group("Model");
  command->add_flag("--no-tuning", o->no_tuning, "Use these numbers as they are")->group("Model");
  command->add_option("--protocol", o->sums, "exact, tree or consensus")
      ->capture_default_str()
      ->group("Protocol");
  command
      ->add_option(
          "--collusion", o->collusion,
          "How many agents may collude; all but two for exact and tree, and 1 for consensus, when left out")
      ->group("Protocol");
  command
      ->add_option(
          "--fewest", o->fewest,
          "The fewest agents that an answer needs; at least, and when left out, three and --collusion plus 2")
      ->group("Protocol");
  command->add_option("--rows", o->protocol.rows, "The most rows an agent brings")
      ->capture_default_str()
      ->group("Protocol");
  command->add_option("--points", o->protocol.points, "The most points in a request")
      ->capture_default_str()
      ->group("Protocol");
  command->add_option("-o,--out", o->out, "The file to write")->required();
  command->add_flag("--force", o->force, "Overwrite the file");
  command->footer(
      "Example:\n  tacit charter new --card aachen.toml --card bonn.toml --card celle.toml --data mine.csv "
      "--target y -o charter.toml");
  command->callback([o] { make_new(*o); });
}

}  // namespace

void add_charter(CLI::App& program) {
  CLI::App* command = program.add_subcommand("charter", "Make, check, explain, compare and sign charters");
  command->require_subcommand(1);
  add_new(*command);

  struct Words {
    std::string file, other, identity;
    std::vector<std::string> take, data;
    DataOptions reading;
    bool json = false, markdown = false;
  };
  const auto one = [&](const char* name, const char* what, const char* example) {
    CLI::App* sub = command->add_subcommand(name, what);
    auto o = std::make_shared<Words>();
    sub->add_option("charter", o->file, "The charter")->required()->type_name("FILE");
    sub->footer(fmt::format("Example:\n  {}", example));
    return std::pair(sub, o);
  };
  {
    const auto [sub, o] = one("check", "Check a charter, and data against it, and say what it means",
                              "tacit charter check charter.toml --data mine.csv");
    sub->add_option("--data", o->data,
                    "A file of rows that must fit the charter's columns, ranges and levels")
        ->type_name("FILE");
    o->reading.add_to(*sub, ColumnsFrom::charter);
    sub->add_flag("--json", o->json, "One JSON object on standard output");
    sub->callback([o = o] { check(o->file, o->data, o->reading.checked(), o->json); });
  }
  {
    const auto [sub, o] = one("explain", "Say in plain words what the parties learn from each other",
                              "tacit charter explain charter.toml --markdown > charter.md");
    sub->add_flag("--markdown", o->markdown, "As Markdown");
    sub->callback([o = o] { explain(o->file, o->markdown); });
  }
  {
    const auto [sub, o] =
        one("show", "Show a charter field by field, with its hash", "tacit charter show charter.toml");
    sub->add_flag("--json", o->json, "One JSON object on standard output");
    sub->callback([o = o] { show(o->file, o->json); });
  }
  {
    const auto [sub, o] = one("diff", "List every field in which two charters differ",
                              "tacit charter diff mine.toml theirs.toml");
    sub->add_option("other", o->other, "The other charter")->required()->type_name("FILE");
    sub->callback([o = o] { show_difference(o->file, o->other); });
  }
  {
    const auto [sub, o] = one("sign", "Sign a charter, or add others' signatures to it",
                              "tacit charter sign charter.toml --identity aachen --take from-bonn.toml");
    sub->add_option("--identity", o->identity, "The folder of this agent's keys")->type_name("DIR");
    sub->add_option("--take", o->take, "Another copy of the charter, to take signatures from")
        ->type_name("FILE");
    sub->callback([o = o] { sign(o->file, o->identity, o->take); });
  }
}

}  // namespace tacit::cli
