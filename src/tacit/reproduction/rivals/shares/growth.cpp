#include <cmath>
#include <functional>

#include "tacit/reproduction/rivals/shares/shares.hpp"

namespace tacit {
namespace {

Parties with_rows(const Parties& parties, std::size_t rows) {
  Parties fewer = parties;
  for (Samples& agent : fewer.agents) {
    agent.inputs = agent.inputs.topRows(static_cast<Index>(rows)).eval();
    agent.outputs = agent.outputs.topRows(static_cast<Index>(rows)).eval();
  }
  return fewer;
}

// The slope of log(value) against log(rows).
double exponent_of(const std::vector<SharesGrowth::Step>& steps,
                   const std::function<double(const SharesRun&)>& value) {
  double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (const auto& step : steps) {
    if (step.run.stopped_after) continue;
    const double x = std::log(static_cast<double>(step.rows)), y = std::log(value(step.run));
    n += 1, sx += x, sy += y, sxx += x * x, sxy += x * y;
  }
  return n > 1 ? (n * sxy - sx * sy) / (n * sxx - sx * sx) : 0;
}

}  // namespace

SharesGrowth shares_growth(const Parties& parties, const OutputHyperparameters& shared, std::size_t most_rows,
                           const SharesOptions& options) {
  std::size_t least = most_rows;
  for (const Samples& agent : parties.agents)
    least = std::min(least, static_cast<std::size_t>(agent.inputs.rows()));
  SharesGrowth growth;
  for (std::size_t rows = 10; rows <= least; rows *= 2) {
    growth.steps.push_back({rows, run_shares(with_rows(parties, rows), shared, options)});
    if (growth.steps.back().run.stopped_after) break;
  }
  growth.seconds_exponent = exponent_of(growth.steps, [](const SharesRun& r) { return r.seconds(); });
  growth.bytes_exponent =
      exponent_of(growth.steps, [](const SharesRun& r) { return static_cast<double>(r.online().bytes); });
  growth.preparation_bytes_exponent =
      exponent_of(growth.steps, [](const SharesRun& r) { return static_cast<double>(r.preparation.bytes); });
  return growth;
}

}  // namespace tacit
