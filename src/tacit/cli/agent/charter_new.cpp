// tacit charter new: a charter from cards, a network, columns and settings.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

#include "tacit/base/error.hpp"
#include "tacit/base/files.hpp"
#include "tacit/charter/propose.hpp"
#include "tacit/charter/terms.hpp"
#include "tacit/cli/agent/charter_words.hpp"
#include "tacit/cli/options/commands.hpp"
#include "tacit/cli/options/data_options.hpp"
#include "tacit/consortium/pool/draw_landmarks.hpp"
#include "tacit/graph/generators.hpp"
#include "tacit/identity/encoding.hpp"
#include "tacit/table/cells/cell.hpp"
#include "tacit/table/read_settings.hpp"

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
  std::map<std::string, std::string> addresses = addresses_of(o.addresses);
  std::vector<CharterAgent> agents;
  for (const std::string& file : o.cards) {
    CharterAgent agent = agent_of_card(file);
    for (const CharterAgent& other : agents)
      if (other.name == agent.name)
        throw InputError(fmt::format(
            "{}: two cards are for an agent called {}; every agent needs its own name", file, agent.name));
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

void add_charter_new(CLI::App& parent) {
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
                                    "Who talks to whom: ring:D, complete, regular:D, tree:D or geometric:R")
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
  command
      ->add_flag("--allow-refits", o->protocol.refits,
                 "Agents may ask for fits by themselves, where their owners want it ([refit] in agent.toml)")
      ->group("Protocol");
  command->add_option("-o,--out", o->out, "The file to write")->required();
  command->add_flag("--force", o->force, "Overwrite the file");
  command->footer(
      "Example:\n  tacit charter new --card aachen.toml --card bonn.toml --card celle.toml --data mine.csv "
      "--target y -o charter.toml");
  command->callback([o] { make_new(*o); });
}

}  // namespace tacit::cli
