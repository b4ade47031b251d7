// tacit plan: prints the protocol's parameters for a network and an error, with the reason for each.
#include <fmt/format.h>

#include <cmath>

#include "tacit/base/error.hpp"
#include "tacit/charter/bounds/privacy.hpp"
#include "tacit/cli/lab/lab_commands.hpp"
#include "tacit/cli/lab/plan_command.hpp"
#include "tacit/cli/lab/plan_words.hpp"
#include "tacit/cli/lab/result_json.hpp"
#include "tacit/cli/options/values.hpp"
#include "tacit/consortium/pool/draw_landmarks.hpp"
#include "tacit/gp/kernel/bounds.hpp"
#include "tacit/lab/audit/helped_audit.hpp"
#include "tacit/lab/mask_helpers/helped_plan.hpp"
#include "tacit/lab/study/paper_tuning.hpp"

namespace tacit::cli {

PublicFacts facts_of(const PlanCommand& o) {
  const Prior prior = o.model.prior(o.inputs, Hyperparameters{}.lengthscale, Hyperparameters{}.noise);
  const KernelBounds kernel = kernel_bounds(prior.kernel, static_cast<Index>(o.inputs), o.x_max);
  const CommitteeOptions committee = o.model.seeded_committee(o.seed);
  PublicFacts facts = o.facts;
  facts.agents = o.agents;
  facts.noise = prior.noise;
  facts.prior_low = kernel.low;
  facts.prior_high = kernel.high;
  facts.fusion = *o.model.fusion;
  facts.experts = expert_count(facts.rows, committee);
  facts.expert_rows = committee.expert_rows;
  return facts;
}

void print_row(const std::string& name, const std::string& value, const std::string& why) {
  // fmt pads by code points, which is what a terminal shows for these letters.
  fmt::print("  {:<22} {:>16}   {}\n", name, value, why);
}

InputError too_coarse(double lz, double below) {
  return InputError(fmt::format(
      "L_z = {:g} is too coarse: the precision condition needs it below {:g} (`lz` or `error`)", lz, below));
}

namespace {

void add_values(CLI::App& command, PlanCommand& o) {
  command.add_option("--rows", o.facts.rows, "Maximum number of rows of an agent")
      ->check(whole_number(1, 1'000'000'000))
      ->capture_default_str()
      ->group("Values");
  command.add_option("--points", o.points, "Number of test points predicted at once")
      ->check(whole_number(1, 100'000'000))
      ->capture_default_str()
      ->group("Values");
  command.add_option("--outputs", o.outputs, "Number of targets")
      ->check(whole_number(1, 1'000'000))
      ->capture_default_str()
      ->group("Values");
  o.model.add_to(command, "Values");
  command.add_option("--inputs", o.inputs, "Number of input columns, for -ard, linear and periodic kernels")
      ->check(whole_number(1, 1'000'000))
      ->capture_default_str()
      ->group("Values");
  command.add_option("--x-max", o.x_max, "Public bound on |input|, for linear and periodic kernels")
      ->capture_default_str()
      ->group("Values");
  command.add_option("--y-max", o.facts.output_max, "Public bound on |target|")
      ->capture_default_str()
      ->group("Values");
  command
      .add_option(
          "--landmarks", o.landmarks,
          "Also plan the sum over this many landmarks, for the rows of all agents. Not with the consensus")
      ->check(whole_number(1, most_landmarks))
      ->type_name("M")
      ->group("Values");
  command.add_option("--value-bound", o.value_bound, "Instead of a model: a bound on the values to average")
      ->group("Values");
  command.add_option("--dimension", o.dimension, "With --value-bound: number of values")
      ->check(whole_number(1, 1'000'000'000))
      ->group("Values");
  add_parsed(
      command, "--tune-box", o.tune_box,
      [](const std::string& text) { return parse_range("--tune-box", text); },
      "LOW,HIGH: also plan the paper's private tuning by consensus, with hyperparameters in this box Ξ")
      ->group("Values");
}

void add_options(CLI::App& command, PlanCommand& o) {
  command
      .add_option("--agents", o.asked_agents,
                  "Number of agents M. Default: 10, or the number in a file of edges")
      ->check(whole_number(2, 1'000'000))
      ->group("Network");
  o.plan.add_to(command);
  command
      .add_option("--error", o.error,
                  "Target for the final error of an agent's average. Sets L_z to half of it, which is enough "
                  "in practice. The row \"error at T\" shows the proven bound")
      ->excludes(command.get_option("--lz"))
      ->group("Protocol");
  add_values(command, o);
  command.add_option("--seed", o.seed, "Seed of random topologies")
      ->check(whole_number(0, UINT64_MAX))
      ->capture_default_str()
      ->group("Run");
  command.add_flag("--json", o.json, "Print one JSON object on standard output")->group("Run");
}

struct Planned {
  ConsensusPlan plan;
  std::optional<PublicBounds> bounds;  // for a model
  std::optional<ConsensusPlan> tuning;
  Traffic most, least, all;  // of one agent, and of all
  Traffic helper;            // of the busiest helper
  Traffic without;           // of all agents, without helpers
  std::size_t collusion_without = 0;
  std::uint64_t rounds = 0;
  Privacy privacy;
  double beta = 0, gamma = 0;  // infinite if no error bound holds at this T
  double lz_below = 0;         // bound on L_z by (xi)
};

Planned work_out(const PlanCommand& o, const HelpedGraph& graph) {
  PlanRequest request = o.plan.checked();
  if (o.error) request.lz = *o.error / 2;
  Planned planned;
  if (o.value_bound) {
    request.value_bound = *o.value_bound;
    request.dimension = o.dimension.value_or(1);
  } else {
    planned.bounds = public_bounds(facts_of(o));
    request.value_bound = planned.bounds->value;
    if (!request.lz) request.lz = usual_lz(*planned.bounds);
    request.dimension = prediction_dimension(o.points, o.outputs, *o.model.fusion);
  }
  planned.plan = make_plan(graph, request);
  if (planned.bounds) {
    const double error = planned.plan.quantiser_error(), variance = planned.bounds->variance_high;
    planned.lz_below = planned.plan.lz / error / variance;
    if (!precision_suffices(error, variance)) throw too_coarse(planned.plan.lz, planned.lz_below);
    const double tempered = *o.model.fusion == Fusion::gpoe ? planned.bounds->experts : 1;
    planned.gamma = tempered * gamma_bound(planned.plan.error(), variance);
    planned.beta = beta_bound(planned.plan.error(), variance, planned.bounds->mean / variance);
  }
  if (o.tune_box) {
    TuneOptions tune;
    std::tie(tune.box_low, tune.box_high) = *o.tune_box;
    request.modulus_bits.reset();
    request.lz = PaperTuning().lz;
    planned.tuning = make_tuning_plan(graph.agents, tune, o.outputs, request);
  }
  planned.all = planned_traffic(graph, planned.plan);  // throws if the counts would overflow
  planned.least = planned.most = planned_traffic(graph, planned.plan, 0);
  planned.without = planned_traffic(graph.agents, planned.plan);
  for (AgentId i = 1; i < graph.everybody.agents(); ++i) {
    const Traffic one = planned_traffic(graph, planned.plan, i);
    if (i >= graph.agents.agents()) {
      if (one.messages > planned.helper.messages) planned.helper = one;
      continue;
    }
    if (one.messages > planned.most.messages) planned.most = one;
    if (one.messages < planned.least.messages) planned.least = one;
  }
  planned.rounds = planned_rounds(graph.agents, planned.plan);
  planned.privacy =
      consensus_privacy(graph, {planned.plan.hardening, planned.plan.iterations, planned.plan.dimension});
  planned.collusion_without = graph.helpers() > 0 ? collusion_bound(graph.agents) : planned.privacy.collusion;
  return planned;
}

Json traffic_json(const Traffic& traffic) {
  return {{"messages", traffic.messages}, {"bytes", traffic.bytes}};
}

Json json_of(const PlanCommand& o, const HelpedGraph& graph, const Planned& p) {
  const ModulusQuestion question = p.plan.question();
  Json out;
  out["agents"] = graph.agents.agents();
  out["helpers"] = graph.helpers();
  out["topology"] = to_string(*o.plan.topology);
  out["edges"] = graph.agents.edges();
  out["protocol"] = "consensus";
  out.update(plan_json(p.plan));
  if (p.plan.rule == o.plan.checked().rule) {  // otherwise (qbound) does not apply
    out["qbound_log2"] = number(static_cast<double>(std::log2(modulus_bound_paper(question))));
    out["bits"] = {{"paper", required_bits(ModulusRule::paper, question)},
                   {"range", required_bits(ModulusRule::range, question)}};
  }
  if (p.bounds) {
    out["xi"] = {{"holds", true}, {"lz_below", p.lz_below}};  // otherwise the plan is refused
    out["beta"] = number(p.beta);
    out["gamma"] = number(p.gamma);
  }
  if (p.tuning) out["tuning"] = plan_json(*p.tuning);
  out["traffic"] = {{"rounds", p.rounds},
                    {"message_bytes", p.plan.message_bytes()},
                    {"busiest_agent", traffic_json(p.most)},
                    {"quietest_agent", traffic_json(p.least)},
                    {"all", traffic_json(p.all)}};
  if (graph.helpers() > 0) {
    out["mask_edges"] = graph.everybody.edges() - graph.agents.edges();
    out["traffic"]["busiest_helper"] = traffic_json(p.helper);
    out["traffic"]["without_helpers"] = traffic_json(p.without);
  }
  out["privacy"] = privacy_json(p.privacy);
  return out;
}

void print_numbers(const PlanCommand& o, const HelpedGraph& graph, const Planned& p) {
  const ConsensusPlan& plan = p.plan;
  const ModulusQuestion question = plan.question();
  const bool accelerated = plan.hardening.acceleration == Acceleration::chebyshev;
  fmt::print("Network\n");
  print_row("agents M", count(graph.agents.agents()),
            fmt::format("on {}, {}", to_string(*o.plan.topology), plural(graph.agents.edges(), "edge")));
  if (graph.helpers() > 0)
    print_row("helpers", count(graph.helpers()),
              fmt::format("agents that only make masks, connected by {}",
                          plural(graph.everybody.edges() - graph.agents.edges(), "mask edge")));
  print_row("λ", fmt::format("{:.6f}", plan.lambda),
            "share of the disagreement that remains after an iteration");
  print_row("L_w", fmt::format("1/{}", plan.denominator),
            plan.exact_weights ? "unit of the weights; every weight is a multiple of it"
                               : "unit of the weights, which are rounded down to multiples of it");
  fmt::print("\nValues\n");
  print_row("dimension p", count(plan.dimension),
            p.bounds ? "two numbers for each test point and output" : "as given");
  print_row("bound on |z|", fmt::format("{:.4g}", plan.value_bound),
            p.bounds ? "from rows, noise, signal and y-max, all public" : "as given");
  print_row("L_z", fmt::format("{:g}", plan.lz), "step of the quantiser");
  fmt::print("\nProtocol\n");
  print_row("modulus q", fmt::format("2^{}", plan.modulus_bits),
            fmt::format("{} needs {}; {} per number on the wire",
                        plan.rule == ModulusRule::paper ? "the paper's bound" : "the range bound",
                        plural(plan.required_bits, "bit"), plural(plan.element_bytes(), "byte")));
  if (plan.rule == ModulusRule::paper)
    print_row("", "",
              fmt::format("(--modulus-rule range would need {})",
                          plural(required_bits(ModulusRule::range, question), "bit")));
  if (accelerated)
    print_row("largest state", fmt::format("{:.4g}", plan.state_bound),
              fmt::format("bound on accelerated states; {} below L_w keep the average within L_z/100",
                          plural(plan.guard_bits, "guard bit")));
  if (plan.hardening.blinding)
    print_row(
        "blinding", plural(plan.hardening.blinding, "bit"),
        fmt::format("starting values within ±{:.3g}, with noise of 2^{} times the bound from each neighbour; "
                    "it cancels by T",
                    plan.start_bound, plan.hardening.blinding));
  print_row("iterations T", count(plan.iterations),
            o.plan.request.iterations ? "as given"
                                      : "until the initial disagreement is below L_z, computed from λ");
  print_row("left at T", fmt::format("{:.3g}", plan.transient()),
            "at most this share of the initial disagreement remains");
  print_row("error at T", fmt::format("{:.3g}", plan.error()),
            accelerated
                ? "proven bound on the error of an average; observed errors are far smaller"
                : "proven bound on the error of an average; observed: less than L_z plus what is left at T");
  if (p.tuning)
    print_row("tuning modulus", fmt::format("2^{}", p.tuning->modulus_bits),
              fmt::format("from the paper's condition for tuning, with r_Θ = {:g} and T = 1 per step",
                          p.tuning->value_bound));
}

void print_bounds(const Planned& p) {
  if (p.bounds) {
    fmt::print("\nPredictions, in the worst case for these public facts\n");
    print_row("precision condition", "holds",
              fmt::format("L_z is below {:.4g}, from M / k(x,x)", p.lz_below));
    if (std::isfinite(p.gamma)) {
      print_row("β", fmt::format("{:.3g}", p.beta),
                "bound on the error of a mean, relative to plain distributed GPR, at this T");
      print_row("γ", fmt::format("{:.3g}", p.gamma), "the same for a variance");
    } else {
      print_row("β, γ", "none", nothing_promised(p.plan, p.bounds->variance_high));
    }
  }
}

void print_cost(const HelpedGraph& graph, const Planned& p) {
  const bool seeded = p.plan.hardening.masks == MaskSource::seeded;
  fmt::print("\nCost of a run\n");
  print_row("rounds", count(p.rounds),
            seeded ? "public keys, then masked values in every iteration; no shares"
                   : "shares, then masked values, in every iteration");
  print_row("messages per agent", count(p.most.messages),
            fmt::format("the busiest agent; the least busy one sends {}", count(p.least.messages)));
  print_row("bytes per agent", size(p.most.bytes),
            fmt::format("the busiest agent; {} per message", size(p.plan.message_bytes())));
  if (graph.helpers() > 0) {
    print_row("messages per helper", count(p.helper.messages), "the busiest helper");
    print_row("bytes per helper", size(p.helper.bytes), "the busiest helper");
  }
  print_row("all agents", size(p.all.bytes), plural(p.all.messages, "message"));
  if (graph.helpers() > 0)
    print_row("without helpers", size(p.without.bytes),
              fmt::format("{}, and h* = {}", plural(p.without.messages, "message"), p.collusion_without));
}

void print_text(const PlanCommand& o, const HelpedGraph& graph, const Planned& p) {
  print_numbers(o, graph, p);
  print_bounds(p);
  print_cost(graph, p);
  fmt::print("\nPrivacy\n");
  fmt::print("  {}\n", privacy_text(p.privacy, "  "));
}

}  // namespace

PlanCommand::PlanCommand() {
  plan.of_consensus.emplace_back("tune_box");
  facts.rows = 100;
  facts.output_max = 1;
}

void run_plan(PlanCommand& o, Console& console) {
  check_not_both(o.plan.given, "error", "lz");
  o.agents = o.plan.settled_agents(o.asked_agents);
  o.plan.settle_topology(o.agents);
  o.plan.protocol = o.plan.chosen(SumProtocol::exact);
  const auto check_positive = [](const char* option, std::optional<double> value) {
    if (value && !(*value > 0 && std::isfinite(*value)))
      throw InputError(fmt::format("`{}` must be a positive number, not {}", option, *value));
  };
  check_positive("error", o.error);
  check_positive("lz", o.plan.request.lz);
  if (!o.value_bound && o.dimension)
    throw InputError("`dimension` needs `value_bound`; for a model, give `points` and `outputs` instead");
  if (o.plan.protocol != SumProtocol::consensus) return run_exact(o, console);
  if (o.landmarks)
    throw InputError("`landmarks` needs exact sums; omit `protocol=consensus` and its options");
  const HelpedGraph graph = with_helpers(o.plan.topology->graph(o.agents, o.seed), o.plan.helpers);
  const Planned planned = work_out(o, graph);
  if (o.json)
    console.answer(json_of(o, graph, planned));
  else
    print_text(o, graph, planned);
}

void add_plan(CLI::App& program, Console& console) {
  CLI::App* command =
      program.add_subcommand("plan", "Choose the protocol's parameters for a network and an error");
  auto options = std::make_shared<PlanCommand>();
  add_options(*command, *options);
  command->footer(
      "Examples:\n"
      "  tacit plan --agents 20 --rows 2000 --inputs 9 --landmarks 300\n"
      "  tacit plan --protocol consensus --agents 20 --rows 200 --points 200 --outputs 7 --signal 10 --noise "
      "1 --y-max 110\n"
      "  tacit plan --protocol consensus --topology edges:network.txt --value-bound 100 --dimension 1000 "
      "--error 1e-3 --json");
  command->callback([command, options, &console] {
    options->plan.given = given_options(*command);
    run_plan(*options, console);
  });
}

}  // namespace tacit::cli
