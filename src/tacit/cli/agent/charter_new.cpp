// tacit charter new: writes a charter from cards, a network, columns and settings.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>

#include "tacit/base/error.hpp"
#include "tacit/base/system/files.hpp"
#include "tacit/charter/propose.hpp"
#include "tacit/charter/terms.hpp"
#include "tacit/cli/agent/charter_words.hpp"
#include "tacit/cli/options/commands.hpp"
#include "tacit/cli/options/data_options.hpp"
#include "tacit/cli/options/landmark_count.hpp"
#include "tacit/cli/options/values.hpp"
#include "tacit/graph/generators.hpp"
#include "tacit/identity/encoding.hpp"
#include "tacit/table/cells/cell.hpp"
#include "tacit/table/read_settings.hpp"

namespace tacit::cli {
namespace {

struct NewCommand {
  std::string title = "A consortium", out, edges, data;
  Topology topology{.kind = Topology::Kind::complete};
  std::vector<std::string> cards, addresses, inputs, targets, columns;
  DataOptions reading;
  std::optional<std::size_t> collusion, fewest;
  std::uint64_t seed = 1;
  bool plain = false, no_tuning = false, force = false;
  std::string kernel{consortium_defaults.kernel};
  Fusion fusion = consortium_defaults.fusion;
  std::optional<LandmarkCount> landmarks;
  std::optional<double> lengthscale, signal, noise, noise_floor, lengthscale_floor;
  CharterProtocol protocol;
};

std::vector<CharterAgent> agents_of(const NewCommand& o) {
  std::map<std::string, std::string> addresses = addresses_of(o.addresses);
  std::vector<CharterAgent> agents;
  for (const std::string& file : o.cards) {
    CharterAgent agent = agent_of_card(file);
    for (const CharterAgent& other : agents)
      if (other.name == agent.name)
        throw InputError(
            fmt::format("{}: two cards name the agent {}; each agent needs a unique name", file, agent.name));
    if (const auto given = addresses.extract(agent.name)) agent.address = given.mapped();
    if (agent.address.empty())
      throw InputError(
          fmt::format("{}: the card has no address; give --address {}=HOST:PORT", file, agent.name));
    agents.push_back(std::move(agent));
  }
  if (!addresses.empty())
    throw InputError(fmt::format("--address {}: no card has that name", addresses.begin()->first));
  return agents;
}

void set_network(const NewCommand& o, Charter& charter) {
  const bool lasting = o.edges.empty() && (o.topology.kind == Topology::Kind::complete ||
                                           o.topology.kind == Topology::Kind::ring);
  if (lasting) {
    charter.topology = to_string(o.topology);
    charter.graph();
    return;
  }
  const Graph graph = o.edges.empty() ? o.topology.graph(charter.agents.size(), o.seed)
                                      : read_edge_list(o.edges, charter.agents.size());
  for (const auto& [a, b] : graph.edge_list())
    charter.links.emplace_back(charter.name_of(a), charter.name_of(b));
}

// The consensus does not support landmarks.
LandmarkTerms landmarks_of(const NewCommand& o) {
  const bool none = o.protocol.sums == SumProtocol::consensus;
  return {.count = o.landmarks.value_or(none ? LandmarkCount{0} : LandmarkCount{}).count};
}

void make_new(const NewCommand& o) {
  if (!o.force && std::filesystem::exists(o.out))
    throw InputError(fmt::format("{}: this file already exists; name another file or use --force", o.out));
  Charter charter;
  charter.title = o.title;
  charter.agents = agents_of(o);
  if (charter.agents.size() < 3)
    throw InputError("--card: a consortium needs at least three agents; give one card for each agent");
  set_network(o, charter);
  ProposedColumns columns;
  if (!o.data.empty())
    columns = propose_columns(o.data, trimmed_names(o.inputs), trimmed_names(o.targets), o.reading.checked());
  for (const std::string& text : o.columns) add_column(columns, text);
  charter.inputs = columns.inputs;
  charter.targets = columns.targets;
  charter.model = usual_model(width(charter.inputs), !o.plain);
  charter.model.kernel = o.kernel;
  charter.model.fusion = o.fusion;
  charter.model.landmarks = landmarks_of(o);
  charter.model.lengthscale = o.lengthscale.value_or(charter.model.lengthscale);
  charter.model.signal = o.signal.value_or(charter.model.signal);
  charter.model.noise = o.noise.value_or(charter.model.noise);
  charter.tuning = usual_tuning(charter.model, width(charter.inputs));
  charter.tuning.on = !o.no_tuning;
  charter.tuning.noise_floor = o.noise_floor.value_or(charter.tuning.noise_floor);
  charter.tuning.lengthscale_floor = o.lengthscale_floor.value_or(charter.tuning.lengthscale_floor);
  charter.protocol = o.protocol;
  const bool consensus = charter.protocol.sums == SumProtocol::consensus;
  charter.protocol.collusion = o.collusion.value_or(consensus ? 1 : charter.agents.size() - 2);
  charter.protocol.fewest = consensus
                                ? charter.agents.size()
                                : o.fewest.value_or(std::max<std::size_t>(3, charter.protocol.collusion + 2));
  const std::string text = to_toml(charter);
  const Charter written = parse_charter(o.out, text);  // throws if the text cannot be read back
  write_whole(o.out, text);
  fmt::print("Wrote {}. Read it, edit it where needed, and check it: tacit charter check {}\n", o.out, o.out);
  if (!o.data.empty())
    fmt::print(
        "Its ranges are those of {}, widened. They are public. The rows of all parties must be within "
        "them.\n",
        o.data);
  fmt::print("Hash  {}\n", hex(charter_hash(written)));
}

}  // namespace

std::map<std::string, std::string> addresses_of(const std::vector<std::string>& words) {
  std::map<std::string, std::string> addresses;
  for (const std::string& text : words) {
    const std::size_t sign = text.find('=');
    if (sign == std::string::npos)
      throw InputError(fmt::format("--address {}: write NAME=HOST:PORT, such as aachen=10.0.0.7:7500", text));
    check_address(text.substr(sign + 1), "--address " + text);
    addresses[text.substr(0, sign)] = text.substr(sign + 1);
  }
  return addresses;
}

CharterAgent agent_of_card(const std::string& file) {
  const Card card = read_card(file);
  return {card.name, card.address, card.identity, card.certificate, fingerprint_of(card.certificate, file)};
}

namespace {

void add_members(CLI::App* command, NewCommand& o) {
  command
      ->add_option("--card", o.cards,
                   "The card of an agent. Give one for each agent, in the order of their ids")
      ->required()
      ->group("Who");
  command
      ->add_option("--address", o.addresses,
                   "NAME=HOST:PORT, for a card without an address, or to replace its address")
      ->group("Who");
  command->add_option("--title", o.title, "The purpose of the consortium")
      ->capture_default_str()
      ->group("Who");
  auto* topology =
      add_parsed(
          *command, "--topology", o.topology, [](const std::string& text) { return parse_topology(text); },
          "Links between agents: ring:D, complete, regular:D, tree:D or geometric:R")
          ->default_str("complete")
          ->group("Who");
  command
      ->add_option(
          "--edges", o.edges,
          "Instead of --topology: a file of links, with two 0-based ids per line, in the order of the cards")
      ->excludes(topology)
      ->group("Who");
  command->add_option("--seed", o.seed, "Seed of random topologies")->group("Who");
}

void add_columns(CLI::App* command, NewCommand& o) {
  auto* data =
      command->add_option("--data", o.data, "A data file, from which columns and ranges are proposed")
          ->group("Columns");
  command->add_option("--target", o.targets, "Columns of --data to predict")
      ->delimiter(',')
      ->needs(data)
      ->group("Columns");
  command->add_option("--inputs", o.inputs, "Columns of --data to predict from. Default: all others")
      ->delimiter(',')
      ->needs(data)
      ->group("Columns");
  o.reading.add_to(*command);
  for (CLI::Option* option :
       command->get_options([](const CLI::Option* one) { return one->get_group() == "Data"; }))
    option->needs(data);
  command
      ->add_option("--column", o.columns,
                   "name:low..high or name:level|level, followed by :target for a target. low and high may "
                   "be dates, such as 2018-01-01")
      ->group("Columns");
}

void add_model(CLI::App* command, NewCommand& o) {
  command->add_option("--kernel", o.kernel, "Kernel, such as se or \"se-ard + linear + constant\"")
      ->capture_default_str()
      ->group("Model");
  add_choice(*command, "--fusion", o.fusion, choices_for(all_fusions), "Fusion rule: poe, gpoe, bcm or rbcm")
      ->group("Model");
  add_parsed(
      *command, "--landmarks", o.landmarks, parse_landmarks,
      "Number of landmarks, public points through which the agents learn the pooled part of the model. "
      "auto opens at most a quarter of the numbers that the rows hold. With 0 there is no pooled part: "
      "at home, an agent uses only its own rows. Default: auto; 0 with consensus")
      ->type_name("auto|M")
      ->group("Model");
  command->add_option("--lengthscale", o.lengthscale, "Initial length-scale θ_l for tuning")->group("Model");
  command->add_option("--signal", o.signal, "Initial signal θ_s for tuning")->group("Model");
  command->add_option("--noise", o.noise, "Initial noise σ_ε for tuning")->group("Model");
}

void add_floors(CLI::App* command, NewCommand& o) {
  command
      ->add_option("--noise-floor", o.noise_floor,
                   "Smallest noise that tuning may choose. Default for standardised columns: 0.05")
      ->group("Model");
  command
      ->add_option("--lengthscale-floor", o.lengthscale_floor,
                   "Smallest length-scale that tuning may choose. Default for standardised columns: half the "
                   "square root of the number of inputs, about half the distance between rows")
      ->group("Model");
  command->add_flag("--no-standardise,--no-standardize", o.plain, "Do not standardise columns")
      ->group("Model");
  command->add_flag("--no-tuning", o.no_tuning, "Use these numbers without tuning")->group("Model");
}

void add_protocol(CLI::App* command, NewCommand& o) {
  add_choice(*command, "--protocol", o.protocol.sums,
             choices_for({SumProtocol::exact, SumProtocol::tree, SumProtocol::consensus}),
             "How sums are formed: exact, tree or consensus")
      ->group("Protocol");
  command
      ->add_option(
          "--collusion", o.collusion,
          "Number of agents that may collude. Default: all but two with exact and tree, 1 with consensus")
      ->group("Protocol");
  command
      ->add_option("--fewest", o.fewest,
                   "Smallest number of agents that an answer needs. Minimum and default: --collusion plus 2, "
                   "but at least 3")
      ->group("Protocol");
  command->add_option("--rows", o.protocol.rows, "Maximum number of rows of an agent")
      ->capture_default_str()
      ->group("Protocol");
  command->add_option("--points", o.protocol.points, "Maximum number of points in a request")
      ->capture_default_str()
      ->group("Protocol");
  command
      ->add_flag("--allow-refits", o.protocol.refits,
                 "Let agents request fits automatically if their owners enable it ([refit] in agent.toml)")
      ->group("Protocol");
}

}  // namespace

void add_charter_new(CLI::App& parent) {
  CLI::App* command =
      parent.add_subcommand("new", "Write a charter from cards, a network, columns and settings");
  auto o = std::make_shared<NewCommand>();
  add_members(command, *o);
  add_columns(command, *o);
  add_model(command, *o);
  add_floors(command, *o);
  add_protocol(command, *o);
  command->add_option("-o,--out", o->out, "The output file")->required();
  command->add_flag("--force", o->force, "Overwrite the file");
  command->footer(
      "Example:\n  tacit charter new --card aachen.toml --card bonn.toml --card celle.toml --data mine.csv "
      "--target y -o charter.toml");
  command->callback([o] { make_new(*o); });
}

}  // namespace tacit::cli
