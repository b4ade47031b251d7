#include "tacit/consortium/terms/public_facts.hpp"

#include <algorithm>
#include <cmath>

#include "tacit/consortium/standardise/least_scale.hpp"
#include "tacit/gp/kernel/bounds.hpp"

namespace tacit {
namespace {

double largest(const std::vector<ColumnRange>& ranges) {
  double most = 0;
  for (const ColumnRange& range : ranges) most = std::max({most, std::abs(range.low), std::abs(range.high)});
  return most;
}

// A public bound on |y| in the units of the model, for every possible row within the ranges. A member with
// false squares, and so false scales, cannot make another agent's row exceed it. All agents must hold the
// same scaling to the bit.
double output_max_of_any_row(const Terms& terms, const std::optional<Standardisation>& standardisation) {
  const ColumnFacts facts = column_facts(terms);
  if (!standardisation) return largest(facts.outputs);
  const Scaling& scaling = standardisation->outputs;
  double most = 0;
  for (std::size_t k = 0; k < facts.outputs.size(); ++k) {
    const ColumnRange& range = facts.outputs[k];
    const auto c = static_cast<Index>(k);
    if (scaling.shift.size() == 0)  // before standardisation
      most = std::max(most, (range.high - range.low) / least_scale(range));
    else
      most = std::max({most, (range.high - scaling.shift(c)) / scaling.scale(c),
                       (scaling.shift(c) - range.low) / scaling.scale(c)});
  }
  return most * (1 + 1e-9);
}

// The same for the rows of a fit. After a consensus, agents' scalings differ in the last digits, and only n
// is equal at all agents.
double output_max(const Terms& terms, const std::optional<Standardisation>& standardisation) {
  if (standardisation && terms.protocol.sums == SumProtocol::consensus)
    return standard_output_max(column_facts(terms), standardisation->rows);
  return output_max_of_any_row(terms, standardisation);
}

// A public bound on |x_d| in the units of the model, for points within the public ranges.
double input_max(const Terms& terms, const std::optional<Standardisation>& standardisation) {
  const ColumnFacts facts = column_facts(terms);
  if (standardisation && standardisation->inputs.shift.size() > 0)
    return standard_input_max(facts, *standardisation);
  return largest(facts.inputs);
}

std::unique_ptr<SecureSum> sums_of(const Terms& terms, Asked asked, const PlanRequest& consensus) {
  if (terms.protocol.sums == SumProtocol::consensus)
    return std::make_unique<ConsensusSum>(terms.graph, consensus);
  ExactRequest request;
  request.agents = terms.agents();
  request.originator = asked.originator;
  request.fewest = std::max(asked.fewest, terms.protocol.fewest);
  request.tree = terms.protocol.sums == SumProtocol::tree;
  request.collusion = terms.protocol.collusion;
  return std::make_unique<ExactSecureSum>(request);
}

}  // namespace

ColumnFacts column_facts(const Terms& terms) {
  ColumnFacts facts{.agents = terms.agents(), .rows = terms.limits.rows, .inputs = {}, .outputs = {}};
  for (const Column& column : terms.inputs) {
    if (!column.categorical()) facts.inputs.push_back({column.low, column.high});
    for (std::size_t k = 0; k < column.levels.size(); ++k) facts.inputs.push_back({0, 1});
  }
  for (const Column& column : terms.targets) facts.outputs.push_back({column.low, column.high});
  return facts;
}

TuneFacts tune_facts(const Terms& terms, const std::optional<Standardisation>& standardisation) {
  return {terms.targets.size(), terms.limits.rows, output_max(terms, standardisation), width(terms.inputs),
          input_max(terms, standardisation)};
}

PublicFacts public_facts(const Terms& terms, const Fitted& fitted) {
  PublicFacts facts{.agents = terms.agents(),
                    .rows = terms.limits.rows,
                    .prior_low = INFINITY,
                    .prior_high = 0,
                    .noise = INFINITY,
                    .output_max = output_max(terms, fitted.standardisation),
                    .fusion = terms.model.fusion,
                    .experts = expert_count(terms.limits.rows, terms.model.committee),
                    .expert_rows = terms.model.committee.expert_rows,
                    .residual = fitted.pooled != nullptr};
  for (const Prior& prior : fitted.priors) {
    const KernelBounds bounds = kernel_bounds(prior.kernel, static_cast<Index>(width(terms.inputs)),
                                              input_max(terms, fitted.standardisation));
    facts.prior_low = std::min(facts.prior_low, bounds.low);
    facts.prior_high = std::max(facts.prior_high, bounds.high);
    facts.noise = std::min(facts.noise, prior.noise);
  }
  // Experts of residuals learn y − φ(x)'μ, and |φ(x)|² ≤ k(x,x).
  if (fitted.pooled) facts.output_max += std::sqrt(facts.prior_high) * fitted.pooled->most_weight;
  if (terms.tuning.own_signals) {  // they differ between agents, so their range is used
    facts.prior_low = std::pow(terms.tuning.own_signals->first, 2);
    facts.prior_high = std::pow(terms.tuning.own_signals->second, 2);
  }
  return facts;
}

ScoreFacts score_facts(const Terms& terms, const Fitted& fitted) {
  const PublicFacts known = public_facts(terms, fitted);
  return {.outputs = terms.targets.size(),
          .rows = terms.limits.rows,
          .error = public_bounds(known).mean + output_max_of_any_row(terms, fitted.standardisation) +
                   (fitted.pooled ? std::sqrt(known.prior_high) * fitted.pooled->most_weight : 0),
          .signal = std::sqrt(known.prior_high),
          .noise = known.noise};
}

PooledFacts pooled_facts(const Terms& terms, const Fitted& fitted, std::size_t landmarks) {
  const PublicFacts known = public_facts(terms, fitted);
  const double most = output_max(terms, fitted.standardisation);  // of targets, not of residuals
  std::size_t priors = 0;
  for_each_prior(fitted.priors, [&](Index, Index, const Prior&) { ++priors; });
  return {.agents = terms.agents(),
          .landmarks = landmarks,
          .outputs = terms.targets.size(),
          .priors = priors,
          .rows = terms.limits.rows,
          .prior_high = known.prior_high,
          .noise = known.noise,
          .output_max = most,
          .output_usual = fitted.standardisation ? 1 : most};
}

PredictionSum prediction_sum(const Terms& terms, const Fitted& fitted) {
  const PublicBounds bounds = public_bounds(public_facts(terms, fitted));
  const double usual = terms.protocol.sums == SumProtocol::consensus ? usual_lz(bounds) : usual_unit(bounds);
  return {terms.model.fusion,
          {bounds.value / static_cast<double>(terms.agents()), terms.protocol.unit.value_or(usual)},
          bounds.count_unit,
          fitted.pooled != nullptr};
}

SumShape prediction_shape(const Terms& terms, const Fitted& fitted, std::size_t points) {
  return {prediction_dimension(points, terms.targets.size(), terms.model.fusion),
          prediction_sum(terms, fitted).range};
}

std::unique_ptr<SecureSum> make_sums(const Terms& terms, Asked asked) {
  PlanRequest request = terms.protocol.consensus;
  request.iterations.reset();
  request.modulus_bits.reset();
  return sums_of(terms, asked, request);
}

std::unique_ptr<SecureSum> make_prediction_sums(const Terms& terms, Asked asked) {
  return sums_of(terms, asked, terms.protocol.consensus);
}

}  // namespace tacit
