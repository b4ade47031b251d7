// tacit audit: reports what a coalition could learn on a network.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "tacit/base/error.hpp"
#include "tacit/charter/bounds/audit.hpp"
#include "tacit/charter/bounds/exact_audit.hpp"
#include "tacit/cli/lab/audit_landmarks.hpp"
#include "tacit/cli/lab/lab_commands.hpp"
#include "tacit/cli/lab/plan_options.hpp"
#include "tacit/cli/lab/plan_words.hpp"
#include "tacit/cli/lab/result_json.hpp"
#include "tacit/cli/options/console.hpp"
#include "tacit/cli/options/setting_words.hpp"
#include "tacit/cli/options/values.hpp"
#include "tacit/cli/text/about.hpp"
#include "tacit/graph/generators.hpp"
#include "tacit/lab/audit/helped_audit.hpp"
#include "tacit/lab/mask_helpers/helped_plan.hpp"

namespace tacit::cli {
namespace {

struct AuditCommand {
  PlanOptions plan;
  LandmarkOptions landmarks;
  std::optional<Coalition> coalition;
  std::optional<std::size_t> asked_agents;
  std::size_t agents = 0, size = 1, required = 0, required_masks = 0;
  std::uint64_t seed = 1;
  ResultOptions result;
};

Coalition parse_coalition(const std::string& text) {
  Coalition coalition;
  const char* at = text.data();
  const char* end = at + text.size();
  for (;;) {
    AgentId agent = 0;
    const auto [next, error] = std::from_chars(at, end, agent);
    if (error != std::errc() || (next != end && *next != ','))
      throw InputError(
          fmt::format("--coalition {} is not a list of agents; give their numbers, as in 0,3", text));
    coalition.push_back(agent);
    if (next == end) break;
    at = next + 1;
  }
  std::sort(coalition.begin(), coalition.end());
  return coalition;
}

void add_options(CLI::App& command, AuditCommand& o) {
  command
      .add_option("--agents", o.asked_agents,
                  "Number of agents M. Default: 10, or the number in a file of edges")
      ->check(whole_number(2, 1'000'000))
      ->group("Network");
  o.plan.add_to(command);
  command.add_option("--seed", o.seed, "Seed of random topologies and synthetic rows")
      ->check(whole_number(0, UINT64_MAX))
      ->capture_default_str()
      ->group("Network");
  command
      .add_option("--value-bound", o.plan.request.value_bound,
                  "Public bound on the contribution |z| of an agent")
      ->capture_default_str()
      ->group("Protocol");
  command
      .add_option("--dimension", o.plan.request.dimension,
                  "Number of values that an agent contributes to a run. Blinding is weaker for more values")
      ->check(whole_number(1, 1'000'000'000))
      ->capture_default_str()
      ->group("Protocol");
  for (const char* id : {"lz", "value_bound", "dimension"}) o.plan.of_consensus.emplace_back(id);
  auto* coalition =
      add_parsed(command, "--coalition", o.coalition, parse_coalition, "Agents that collude, such as 0,3")
          ->group("Question");
  command.add_option("--size", o.size, "Instead of --coalition: all coalitions of up to this many agents")
      ->check(whole_number(1, 1'000'000))
      ->capture_default_str()
      ->excludes(coalition)
      ->group("Question");
  command
      .add_option(
          "--require", o.required,
          "Exit with 1 if a coalition of this many agents learns too much: another agent's value, "
          "from the messages of one round or from its states in all rounds; or more from messages than "
          "the sums that its members are given")
      ->check(whole_number(0, 1'000'000))
      ->group("Question");
  command
      .add_option("--require-masks", o.required_masks,
                  "Check only the masks (h*): exit with 1 if messages reveal more to a coalition of this "
                  "many agents than the sums that its members are given")
      ->check(whole_number(0, 1'000'000))
      ->group("Question");
  o.result.add_to(command, "Question");
  o.landmarks.add_to(command,
                     {"--topology", "--protocol", "--coalition", "--size", "--require", "--require-masks"});
}

AuditSettings settings_of(const AuditCommand& o, const HelpedGraph& graph) {
  PlanRequest request = o.plan.checked();
  request.require_triangles = false;  // a missing triangle is a finding, not a reason to refuse
  if (!request.modulus_bits) request.rule = ModulusRule::range;
  AuditSettings settings = AuditSettings::of(make_plan(graph, request));
  settings.size = o.size;
  settings.required = o.required;
  if (o.coalition) settings.coalition = *o.coalition;
  return settings;
}

Json trajectory_json(const CoalitionFindings& worst) {
  Json combinations = Json::array(), error = Json::array();
  for (const Combination& combination : worst.trajectory.combinations) {
    Json terms = Json::array();
    for (const auto& [agent, factor] : combination.terms)
      terms.push_back({{"agent", agent}, {"factor", number(factor)}});
    combinations.push_back(std::move(terms));
  }
  for (const auto& e : worst.errors.agents) error.push_back(e ? number(*e) : Json(nullptr));
  Json together = Json::array();
  for (std::size_t k = 0; k < worst.trajectory.only_together.size(); ++k)
    together.push_back(
        {{"agents", worst.trajectory.only_together[k]}, {"error", number(worst.errors.together[k])}});
  return {{"rank", worst.trajectory.rank},
          {"beyond", worst.trajectory.beyond},
          {"singled_out", worst.trajectory.singled_out},
          {"combinations", std::move(combinations)},
          {"only_together", std::move(together)},
          {"error", std::move(error)},
          {"guess", number(worst.errors.guess)},
          {"rounds", worst.errors.rounds}};
}

// The edges of the network. The ids of helpers follow those of the agents.
Json network_json(std::size_t agents, const Graph& everybody) {
  Json edges = Json::array();
  for (AgentId a = 0; a < everybody.agents(); ++a)
    for (const AgentId b : everybody.neighbours(a))
      if (a < b) edges.push_back({{"a", a}, {"b", b}});
  return {{"agents", agents}, {"helpers", everybody.agents() - agents}, {"edges", std::move(edges)}};
}

Json json_of(const AuditCommand& o, const HelpedGraph& helped, const AuditSettings& settings,
             const AuditReport& report, const Console& console) {
  const Graph& graph = helped.agents;
  Json out;
  out["about"] = about("audit", console, o.seed);
  out["agents"] = graph.agents();
  out["topology"] = to_string(*o.plan.topology);
  out["edges"] = graph.edges();
  out["network"] = network_json(graph.agents(), helped.everybody);
  out["protocol"] = "consensus";
  const Hardening& hardening = o.plan.request.hardening;
  out["masks"] = to_string(hardening.masks);
  out["acceleration"] = to_string(hardening.acceleration);
  out["blinding"] = hardening.blinding;
  out["helpers"] = o.plan.helpers;
  out["plan"] = {{"lz", settings.lz},
                 {"iterations", settings.iterations},
                 {"value_bound", settings.value_bound},
                 {"dimension", settings.dimension},
                 {"lambda", settings.lambda}};
  out.update(privacy_json(report.privacy));
  out["witness"] = nullptr;
  if (report.witness)
    out["witness"] = {{"agent", report.witness->agent},
                      {"coalition", report.witness->coalition},
                      {"parts", report.witness->parts}};
  out["coalitions"] = {{"all", report.coalitions},
                       {"examined", report.examined},
                       {"leaking", report.leaking},
                       {"compared", report.compared}};
  out["coalition"] = report.worst.coalition;
  Json broken = Json::array();
  for (const BrokenSum& sum : report.worst.broken)
    broken.push_back({{"agent", sum.aggregator}, {"parts", sum.parts}});
  out["round"] = {{"beyond", report.worst.round_beyond}, {"broken", std::move(broken)}};
  out["trajectory"] = trajectory_json(report.worst);
  out["required"] = settings.required;
  out["requirement_met"] = report.requirement_met;
  out["required_masks"] = o.required_masks;
  out["masks_requirement_met"] = report.privacy.collusion >= o.required_masks;
  out["edges_to_add"] = report.edges ? Json(*report.edges) : Json(nullptr);
  out["findings"] = findings_in_words(report, settings);
  out["advice"] = advice_in_words(report, settings);
  return out;
}

void print_sentences(const char* heading, const std::vector<std::string>& sentences) {
  for (const std::string& sentence : in_options(sentences)) {
    fmt::print("{:<9} {}\n", heading, sentence);
    heading = "";
  }
}

void check_requirements(const AuditCommand& o, const Privacy& privacy) {
  if (const std::string why = shortfall(privacy, o.required); !why.empty())
    throw Error(fmt::format("the requirement is not met: {} (--require {})", why, o.required));
  if (privacy.collusion < o.required_masks)
    throw Error(fmt::format(
        "the requirement is not met: masks withstand only coalitions of up to {} agents (--require-masks {})",
        privacy.collusion, o.required_masks));
}

void print_text(const AuditCommand& o, const Graph& graph, const AuditSettings& settings,
                const AuditReport& report) {
  const Hardening& hardening = o.plan.request.hardening;
  fmt::print("Who       {} on {} ({}), consensus with {} masks{}{}\n", plural(graph.agents(), "agent"),
             to_string(*o.plan.topology), plural(graph.edges(), "edge"), to_string(hardening.masks),
             hardening.acceleration == Acceleration::none ? "" : ", accelerated",
             (hardening.blinding == 0 ? "" : fmt::format(", blinded by {} bits", hardening.blinding)) +
                 (o.plan.helpers == 0 ? "" : fmt::format(", with {}", plural(o.plan.helpers, "helper"))));
  fmt::print("Numbers   L_z = {:g}, T = {}, contributions up to ±{:g}\n", settings.lz, settings.iterations,
             settings.value_bound);
  fmt::print("Masks     withstand coalitions of up to {} (h*); the paper's formula gives {} (h)\n",
             plural(report.privacy.collusion, "agent"), report.privacy.collusion_paper);
  fmt::print("Values    withstand coalitions of {}{} in one round, and of {}{} in all rounds\n",
             report.privacy.one_round.withstands, report.privacy.one_round.complete ? "" : " or more",
             report.privacy.all_rounds.withstands, report.privacy.all_rounds.complete ? "" : " or more");
  fmt::print("States    of {} determine {} of {} values; {} of them by design\n",
             report.worst.coalition.size() == 1 ? fmt::format("agent {}", report.worst.coalition[0])
                                                : "the worst coalition",
             report.worst.trajectory.rank, graph.agents(),
             std::min(graph.agents(), report.worst.coalition.size() + 1));
  print_sentences("Found", findings_in_words(report, settings));
  print_sentences("Advice", advice_in_words(report, settings));
}

void run_exact(const AuditCommand& o, Console& console) {
  const Graph graph = o.plan.topology->graph(o.agents, o.seed);
  ExactRequest request;
  request.agents = o.agents;
  request.collusion = o.plan.collusion;
  check_coalition_size(graph, o.size);
  const ExactAudit report = audit_exact(graph, make_exact_plan(request), o.coalition, o.required);
  const auto json = [&] {
    Json out{{"about", about("audit", console, o.seed)}, {"agents", o.agents},
             {"topology", to_string(*o.plan.topology)},  {"edges", graph.edges()},
             {"network", network_json(o.agents, graph)}, {"protocol", to_string(*o.plan.protocol)}};
    out.update(privacy_json(report.privacy));
    out["witness"] = nullptr;
    out["mask_degree"] = report.mask_degree;
    out["coalition"] = report.coalition;
    out["parts"] = report.parts;
    out["trajectory"] = {
        {"rank", report.rank()}, {"singled_out", report.singled_out()}, {"error", Json::array()}};
    out["required"] = o.required;
    out["requirement_met"] = report.requirement_met();
    out["required_masks"] = o.required_masks;
    out["masks_requirement_met"] = report.privacy.collusion >= o.required_masks;
    out["findings"] = findings_in_words(report);
    out["advice"] = advice_in_words(report);
    return out;
  };
  o.result.give(console, json, [&] {
    fmt::print("Who       {} on {} ({}), protocol {}, each agent masks with {}\n", plural(o.agents, "agent"),
               to_string(*o.plan.topology), plural(graph.edges(), "edge"), to_string(*o.plan.protocol),
               plural(report.mask_degree, "other"));
    print_sentences("Found", findings_in_words(report));
    print_sentences("Advice", advice_in_words(report));
  });
  check_requirements(o, report.privacy);
}

void run(AuditCommand& o, Console& console) {
  o.result.check();
  o.agents = o.plan.settled_agents(o.asked_agents);
  if (o.landmarks.landmarks) return run_landmarks(o.landmarks, o.agents, o.seed, o.result, console);
  o.plan.settle_topology(o.agents);
  o.plan.protocol = o.plan.chosen(SumProtocol::exact);
  if (o.plan.protocol != SumProtocol::consensus) return run_exact(o, console);
  const HelpedGraph graph = with_helpers(o.plan.topology->graph(o.agents, o.seed), o.plan.helpers);
  const AuditSettings settings = settings_of(o, graph);
  Progress progress;
  AuditReport report;
  {
    const Held bar = console.watch(progress);
    report = audit(graph, settings, &progress);
  }
  o.result.give(
      console, [&] { return json_of(o, graph, settings, report, console); },
      [&] { print_text(o, graph.agents, settings, report); });
  check_requirements(o, report.privacy);
}

}  // namespace

void add_audit(CLI::App& program, Console& console) {
  CLI::App* command = program.add_subcommand("audit", "Show what a coalition could learn");
  auto options = std::make_shared<AuditCommand>();
  add_options(*command, *options);
  command->footer(
      "Examples:\n"
      "  tacit audit --agents 20 --collusion 4 --require 4\n"
      "  tacit audit --protocol consensus --agents 20 --lz 1e-4 --iterations 100 --value-bound 100\n"
      "  tacit audit --protocol consensus --topology edges:network.txt --coalition 0,3 --json\n"
      "  tacit audit --masks seeded --blinding --agents 20 --topology geometric:0.5 --size 2 --require 2\n"
      "  tacit audit --landmarks 6 --rows 40 --inputs 2 --agents 4");
  command->callback([command, options, &console] {
    options->plan.given = given_options(*command);
    run(*options, console);
  });
}

}  // namespace tacit::cli
