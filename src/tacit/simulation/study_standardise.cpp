// A study's rows: what is held out, and in which units the models work.
#include <fmt/format.h>

#include <algorithm>

#include "tacit/base/error.hpp"
#include "tacit/simulation/study_run.hpp"

namespace tacit {
namespace {

Samples rows_of(const Samples& from, const std::vector<std::size_t>& rows) {
  Samples out{Matrix(rows.size(), from.inputs.cols()), Matrix(rows.size(), from.outputs.cols())};
  for (std::size_t r = 0; r < rows.size(); ++r) {
    out.inputs.row(static_cast<Index>(r)) = from.inputs.row(static_cast<Index>(rows[r]));
    out.outputs.row(static_cast<Index>(r)) = from.outputs.row(static_cast<Index>(rows[r]));
  }
  return out;
}

// Public ranges stand in a deployment's charter. Here inputs take those of the data.
ColumnFacts column_facts(const StudyRun& run) {
  ColumnFacts facts{.agents = run.agents.size(), .rows = run.facts.rows, .inputs = {}, .outputs = {}};
  for (Index c = 0; c < run.agents[0].inputs.cols(); ++c) {
    ColumnRange range{run.agents[0].inputs(0, c), run.agents[0].inputs(0, c)};
    for (const Samples& agent : run.agents) {
      range.low = std::min(range.low, agent.inputs.col(c).minCoeff());
      range.high = std::max(range.high, agent.inputs.col(c).maxCoeff());
    }
    if (const auto& points = run.parties.test.inputs; points.rows() > 0) {
      range.low = std::min(range.low, points.col(c).minCoeff());
      range.high = std::max(range.high, points.col(c).maxCoeff());
    }
    facts.inputs.push_back(range);
  }
  facts.outputs.assign(run.parties.targets.size(), {-run.parties.y_max, run.parties.y_max});
  return facts;
}

// The most that two agents' shifts or scales of a column differ, in scales.
double spread(const std::vector<Standardisation>& all) {
  double most = 0;
  for (Scaling Standardisation::*part : {&Standardisation::inputs, &Standardisation::outputs})
    for (Vector Scaling::*number : {&Scaling::shift, &Scaling::scale}) {
      Vector low = all[0].*part.*number, high = low;
      for (const Standardisation& one : all) {
        low = low.cwiseMin(one.*part.*number);
        high = high.cwiseMax(one.*part.*number);
      }
      most = std::max(most, (high - low).cwiseQuotient((all[0].*part).scale).maxCoeff());
    }
  return most;
}

}  // namespace

Matrix StudyRun::standard_points(std::size_t agent, const Matrix& points) const {
  return standardisations.empty() ? points : standardisations[agent].inputs.standard(points);
}

Prediction StudyRun::original(std::size_t agent, const Prediction& prediction) const {
  return standardisations.empty() ? prediction : standardisations[agent].original(prediction);
}

void hold_out_rows(StudyRun& run) {
  const double fraction = run.options.holdout->fraction;
  if (!(fraction > 0 && fraction < 1))
    throw InputError(
        fmt::format("the share of its rows that an agent holds out (--holdout) must lie between 0 and 1, "
                    "not {}",
                    fraction));
  run.facts.rows = 0;
  for (std::size_t i = 0; i < run.agents.size(); ++i) {
    const auto rows = static_cast<std::size_t>(run.agents[i].inputs.rows());
    if (rows < 2)
      throw InputError(fmt::format("'{}' has {} row and cannot hold out any; leave --holdout or it out",
                                   run.parties.names[i], rows));
    const auto [train, held] = hold_out(rows, fraction, run.options.seed + i);
    run.held_out.push_back(rows_of(run.agents[i], held));
    run.agents[i] = rows_of(run.agents[i], train);
    run.facts.rows = std::max(run.facts.rows, train.size());
  }
}

void standardise_together(StudyRun& run) {
  const Stopwatch watch;
  const ColumnFacts facts = column_facts(run);
  const auto sums = standardise_sums(facts);
  run.standardisations = run_together<Standardisation>(
      run, "standardising", *run.sums, {sums.begin(), sums.end()},
      [&](Channel& net) { return standardise_privately(net, *run.sums, facts, run.agents[net.self()]); });
  for (std::size_t i = 0; i < run.agents.size(); ++i)
    run.agents[i] = run.standardisations[i].standard(run.agents[i]);
  const Standardisation& first = run.standardisations[0];
  run.facts.output_max = standard_output_max(facts, first.rows);
  run.output_max_unseen = standard_output_max_unseen(facts, first.rows);
  run.input_max = standard_input_max(facts, first);
  run.report.standardisation = first;
  run.report.standardisation_spread = spread(run.standardisations);
  run.report.standardise_seconds = watch.seconds();
}

}  // namespace tacit
