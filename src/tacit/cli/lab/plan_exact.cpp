// tacit plan for exact sums, which need only a unit and a modulus.
#include <fmt/format.h>

#include <cmath>

#include "tacit/charter/bounds/privacy.hpp"
#include "tacit/cli/lab/plan_command.hpp"
#include "tacit/cli/lab/plan_words.hpp"
#include "tacit/cli/lab/result_json.hpp"
#include "tacit/consortium/pool/draw_landmarks.hpp"
#include "tacit/consortium/pool/pooled.hpp"
#include "tacit/graph/connectivity.hpp"
#include "tacit/graph/generators.hpp"
#include "tacit/protocol/exact/exact.hpp"

namespace tacit::cli {
namespace {

constexpr std::size_t flat_children = 8;

// The sum over landmarks. A fit opens it besides the few numbers of standardising and tuning.
struct LandmarkPlan {
  ExactPlan plan;
  std::uint64_t held = 0;
  std::size_t ceiling = 0;
};

std::optional<LandmarkPlan> landmark_plan(const PlanCommand& o) {
  if (!o.landmarks) return {};
  const PublicFacts facts = facts_of(o);
  const SumShape shape = pooled_sum({.agents = o.agents,
                                     .landmarks = *o.landmarks,
                                     .outputs = o.outputs,
                                     .priors = 1,
                                     .rows = facts.rows,
                                     .prior_high = facts.prior_high,
                                     .noise = facts.noise,
                                     .output_max = facts.output_max,
                                     .output_usual = facts.output_max});
  ExactRequest request;
  request.agents = o.agents;
  request.collusion = o.plan.collusion;
  request.dimension = shape.dimension;
  request.value_bound = shape.range.bound;
  request.unit = shape.range.unit;
  const std::size_t rows = o.agents * facts.rows;
  return LandmarkPlan{make_exact_plan(request), held_numbers(rows, o.inputs, o.outputs),
                      landmark_ceiling(rows, o.inputs, o.outputs)};
}

Json landmark_plan_json(const LandmarkPlan& p, std::size_t landmarks) {
  Json out = exact_plan_json(p.plan);
  out["landmarks"] = landmarks;
  out["opened"] = p.plan.dimension;
  out["held"] = p.held;
  out["ceiling"] = p.ceiling;
  out["traffic"] = {{"messages", exact_messages(p.plan)}, {"bytes", exact_vector_bytes(p.plan)}};
  return out;
}

void print_landmark_plan(const LandmarkPlan& p, std::size_t landmarks) {
  fmt::print("\nThe sum over {} landmarks\n", count(landmarks));
  print_row(
      "numbers opened", count(p.plan.dimension),
      fmt::format("{:.0f} % of the {} that the rows of all agents hold",
                  100 * static_cast<double>(p.plan.dimension) / static_cast<double>(p.held), count(p.held)));
  print_row("landmarks, at most", count(p.ceiling),
            "to open at most a quarter of the numbers; more need the consent of all agents");
  print_row("unit", fmt::format("{:g}", p.plan.unit),
            "fine enough: rounding changes predictions by less than a hundredth of their deviation");
  print_row("q", fmt::format("2^{}", p.plan.modulus_bits),
            fmt::format("{} on the wire for each number", plural(p.plan.element_bytes(), "byte")));
  print_row("bytes", size(exact_vector_bytes(p.plan)), "of all agents");
}

// Prints the cost of the tree's shape, and suggests flatter networks if the tree is far deeper than
// necessary.
void print_tree(const PlanCommand& o, const TreeCost& tree) {
  print_row("busiest agent", size(tree.most_bytes), "sent and received, for itself and all agents below it");
  print_row("depth", count(tree.depth), "links from the asker to the farthest agent");
  print_row("rounds", count(tree.rounds), "messages in sequence: three times up and down the tree");
  const double flat = std::log2(static_cast<double>(o.agents));
  if (static_cast<double>(tree.depth) <= 4 * flat) return;
  const std::size_t low = Gathering(tree_graph(o.agents, flat_children)).depth(0);
  const std::size_t regular = Gathering(random_regular(o.agents, flat_children, o.seed)).depth(0);
  fmt::print(
      "\nThis network is deep for its size. --topology regular:{0} would have a depth of {1}, and tree:{0} "
      "of {2}. In a tree, a lost agent cuts off all agents below it.\n",
      flat_children, regular, low);
}

struct ExactPlanned {
  Graph graph;
  ExactPlan plan;
  std::optional<PublicBounds> bounds;  // for a model
  TreeCost tree;                       // of sums over a tree
  std::uint64_t messages = 0, bytes = 0;
  std::optional<LandmarkPlan> pooled;
};

ExactPlanned work_out_exact(const PlanCommand& o) {
  ExactPlanned planned{
      .graph = o.plan.topology->graph(o.agents, o.seed), .plan = {}, .bounds = {}, .tree = {}, .pooled = {}};
  check_connected(planned.graph);
  ExactRequest request;
  request.agents = o.agents;
  request.collusion = o.plan.collusion;
  request.tree = o.plan.protocol == SumProtocol::tree;
  request.dimension = o.dimension.value_or(1);
  request.value_bound = o.value_bound.value_or(1);
  std::optional<PublicBounds>& bounds = planned.bounds;
  if (!o.value_bound) {
    bounds = public_bounds(facts_of(o));
    request.value_bound = bounds->value / static_cast<double>(o.agents);  // sums take unscaled values
    request.unit = usual_unit(*bounds);
    request.dimension = prediction_dimension(o.points, o.outputs, *o.model.fusion);
  }
  if (o.plan.request.lz) request.unit = *o.plan.request.lz;
  if (o.error) request.unit = 2 * *o.error / static_cast<double>(o.agents);
  const ExactPlan& plan = planned.plan = make_exact_plan(request);
  if (bounds && !precision_suffices(plan.error(), bounds->variance_high))
    throw too_coarse(plan.unit, plan.unit / plan.error() / bounds->variance_high);
  planned.messages = exact_messages(plan);
  if (!plan.verified) planned.tree = tree_cost(plan, Gathering(planned.graph));
  planned.bytes = plan.verified ? exact_vector_bytes(plan) : planned.tree.bytes;
  planned.pooled = landmark_plan(o);
  return planned;
}

Json json_of(const PlanCommand& o, const ExactPlanned& p) {
  Json out{{"agents", o.agents},
           {"topology", to_string(*o.plan.topology)},
           {"edges", p.graph.edges()},
           {"protocol", to_string(*o.plan.protocol)}};
  out.update(exact_plan_json(p.plan));
  out["traffic"] = {{"messages", p.messages}, {"bytes", p.bytes}};
  if (!p.plan.verified)
    out["tree"] = {{"depth", p.tree.depth},
                   {"rounds", p.tree.rounds},
                   {"key_bytes", p.tree.keys},
                   {"most_bytes_of_an_agent", p.tree.most_bytes}};
  out["privacy"] = privacy_json(exact_privacy(p.plan, p.graph));
  if (p.pooled) out["landmark_sum"] = landmark_plan_json(*p.pooled, *o.landmarks);
  return out;
}

void print_text(const PlanCommand& o, const ExactPlanned& p) {
  const ExactPlan& plan = p.plan;
  fmt::print("Protocol {} for {} on {} ({})\n", to_string(*o.plan.protocol), plural(o.agents, "agent"),
             to_string(*o.plan.topology), plural(p.graph.edges(), "edge"));
  print_row("p", count(plan.dimension), "numbers from each agent");
  print_row("bound on values", fmt::format("{:.4g}", plan.value_bound),
            p.bounds ? "from public facts" : "as given");
  print_row("unit", fmt::format("{:g}", plan.unit),
            fmt::format("the error of a sum is at most {:.2g}", plan.error()));
  print_row("q", fmt::format("2^{}", plan.modulus_bits),
            fmt::format("{} per number on the wire; sums of {} bounded values fit",
                        plural(plan.element_bytes(), "byte"), o.agents));
  print_row("masks with", plan.mask_degree ? count(plan.mask_degree) : "all others",
            fmt::format("so that {} agents may collude and learn only the sum", count(plan.collusion)));
  print_row("messages", count(p.messages),
            plan.verified
                ? "of all agents for the first sum; later sums of the same roster need 3 of every 4"
                : "of all agents for the first sum; later sums of the same roster need 4 of every 6");
  print_row("bytes", size(p.bytes),
            plan.verified ? "each agent sends its vector to all others and computes the sum itself"
                          : fmt::format("of all agents; {} of them for keys, which later sums do not need",
                                        size(p.tree.keys)));
  if (!plan.verified) print_tree(o, p.tree);
  if (p.pooled) print_landmark_plan(*p.pooled, *o.landmarks);
}

}  // namespace

void run_exact(const PlanCommand& o, Console& console) {
  const ExactPlanned planned = work_out_exact(o);
  if (o.json)
    console.answer(json_of(o, planned));
  else
    print_text(o, planned);
}

}  // namespace tacit::cli
