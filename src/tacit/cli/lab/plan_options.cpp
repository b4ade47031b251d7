#include "tacit/cli/lab/plan_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "tacit/base/error.hpp"
#include "tacit/cli/options/values.hpp"
#include "tacit/graph/generators.hpp"
#include "tacit/protocol/consensus/hardening.hpp"

namespace tacit::cli {

void PlanOptions::add_network(CLI::App& command) {
  add_parsed(
      command, "--topology", topology, [](const std::string& text) { return parse_topology(text); },
      "Links between agents: ring:D, complete, regular:D, tree:D, geometric:R or edges:FILE. The "
      "file has two 0-based ids per line and sets the number of agents. Default: ring:4; "
      "complete for up to 5 agents")
      ->group("Network");
  command
      .add_flag("--allow-missing-triangles", allow_missing_triangles,
                "With the consensus: accept edges that are not part of a triangle. One neighbour can undo "
                "the masks of such an edge")
      ->group("Network");
  command
      .add_option("--helpers", helpers,
                  "With the consensus: number of agents without data that join to make masks. They are "
                  "placed so that the network withstands larger coalitions")
      ->check(whole_number(0, 1'000))
      ->capture_default_str()
      ->group("Network");
}

void PlanOptions::add_protocol(CLI::App& command) {
  add_choice(
      command, "--protocol", protocol,
      choices_for({SumProtocol::exact, SumProtocol::tree, SumProtocol::consensus}),
      "How sums are formed: exact, tree or consensus. exact reveals only the sum; each agent computes it "
      "itself, but more than 64 agents use a tree. tree is exact, always over a tree. consensus is the "
      "paper's protocol. Default: exact; consensus if one of its options is given")
      ->group("Protocol");
  command
      .add_option("--collusion", collusion,
                  "With exact and tree: number of agents that may collude without learning more "
                  "than the sum. Default: M - 2 for up to 200 agents, otherwise 100")
      ->check(whole_number(0, 1'000'000))
      ->group("Protocol");
  add_choice(command, "--masks", request.hardening.masks,
             choices_for({MaskSource::shares, MaskSource::seeded}),
             "With the consensus: source of masks, shares (fresh shares in every round, as in the "
             "paper) or seeded (streams from pairwise keys; needs no share messages and no triangles)")
      ->group("Protocol");
  add_choice(command, "--acceleration", request.hardening.acceleration,
             choices_for({Acceleration::none, Acceleration::chebyshev}),
             "With the consensus: none (the paper's iteration) or chebyshev (far fewer rounds, with the "
             "same messages per round)")
      ->group("Protocol");
  command
      .add_option(
          "--blinding", request.hardening.blinding,
          fmt::format("With the consensus: hide starting values behind zero-sum noise between neighbours, of "
                      "2^BITS times the bound on values. Trajectories then show only noise. BITS is {} if "
                      "omitted, and 0 for none",
                      hardening_of_agents.blinding))
      ->option_text("[BITS]")
      ->check(whole_number(0, 100))
      ->expected(0, 1)
      ->default_str(std::to_string(hardening_of_agents.blinding))
      ->group("Protocol");
}

void PlanOptions::add_numbers(CLI::App& command) {
  command
      .add_option("--iterations", request.iterations,
                  "With the consensus: number of iterations T. Default: planned from the graph")
      ->check(whole_number(0, 10'000'000))
      ->group("Protocol");
  command
      .add_option("--lz", request.lz,
                  "With the consensus: L_z, the step of the quantiser and the error that remains. With exact "
                  "and tree: the unit of values. Default: planned")
      ->group("Protocol");
  command
      .add_option(
          "--lw", lw,
          "With the consensus: L_w, the unit of the weights, such as 0.025. Default: the largest valid unit")
      ->group("Protocol");
  command
      .add_option("--modulus-bits", request.modulus_bits,
                  "With the consensus: b of the modulus q = 2^b, up to 128. Default: planned")
      ->check(whole_number(1, 1'000))
      ->group("Protocol");
  add_choice(command, "--modulus-rule", request.rule,
             Choices<ModulusRule>{{"paper", ModulusRule::paper}, {"range", ModulusRule::range}},
             "With the consensus: the bound that the modulus must satisfy, paper (the paper's) or range "
             "(ours, which is sharper)")
      ->group("Protocol");
}

void PlanOptions::add_to(CLI::App& command) {
  add_network(command);
  add_protocol(command);
  add_numbers(command);
}

std::optional<std::size_t> PlanOptions::joined() const {
  return topology ? topology->agents() : std::nullopt;
}

std::size_t PlanOptions::settled_agents(std::optional<std::size_t> asked) const {
  constexpr std::size_t usual = 10;
  const std::optional<std::size_t> there = joined();
  if (asked && there && asked != there)
    throw InputError(fmt::format("`topology={}` has {} agents, but `agents` is {}; omit `agents`",
                                 to_string(*topology), *there, *asked));
  return asked.value_or(there.value_or(usual));
}

void PlanOptions::settle_topology(std::size_t agents) {
  if (!topology) topology = usual_topology(agents);
  if (const auto there = joined(); there && there != agents)
    throw InputError(
        fmt::format("`topology={}` has {} agents, but the data have {}; give a network of that many agents",
                    to_string(*topology), *there, agents));
}

SumProtocol PlanOptions::chosen(SumProtocol usual) const {
  std::string set;
  for (const std::string& id : of_consensus)
    if (given.contains(id)) set = id;
  const SumProtocol taken = protocol.value_or(set.empty() ? usual : SumProtocol::consensus);
  if (taken != SumProtocol::consensus && !set.empty())
    throw InputError(
        fmt::format("`{}` applies only to the consensus; use `protocol=consensus` or omit it", set));
  if (taken == SumProtocol::consensus && given.contains("collusion"))
    throw InputError(
        "`collusion` does not apply to the consensus, where the graph determines how many agents may "
        "collude; omit it or use `protocol=exact`");
  return taken;
}

PlanRequest PlanOptions::checked() const {
  PlanRequest out = request;
  out.require_triangles = !allow_missing_triangles;
  if (lw) {
    const double denominator = std::round(1 / *lw);
    if (!(*lw > 1e-9 && *lw <= 0.25) || std::abs(denominator * *lw - 1) > 1e-6)
      throw InputError(
          fmt::format("`lw={}` is not 1/n for a whole number n from 4 to a billion; a valid value is 0.025, "
                      "which is 1/40",
                      *lw));
    out.denominator = static_cast<std::uint64_t>(denominator);
  }
  return out;
}

}  // namespace tacit::cli
