#include "tacit/consortium/protect/tuning.hpp"

#include <algorithm>
#include <cmath>

#include "tacit/base/error.hpp"
#include "tacit/base/rounded.hpp"
#include "tacit/base/stop.hpp"
#include "tacit/consortium/protect/evidence.hpp"

namespace tacit {
namespace {

constexpr double most_rows_tuned = 300;  // of an agent
constexpr std::size_t most_chunk_rows = 200, chunk_evaluations = 12;
constexpr double chunk_prior = 0.7, chunk_noise_floor = 0.03, gain = 1.7, pull = 0.02;
constexpr double fewest_rows_tuned = 400, most_step_noise = 0.5;

// A step is measured in these units: 1 for length-scales, then signal and noise.
double unit_of(std::size_t parameter, std::size_t inputs) { return parameter == inputs ? 0.4 : 1; }

// Public limits of the result, in logarithms.
double within_limits(double log, std::size_t parameter, std::size_t inputs) {
  if (parameter < inputs) return std::clamp(log, -0.7, 3.2);
  if (parameter == inputs) return std::clamp(log, -0.6, 0.8);
  return std::clamp(log, std::log(0.05), 0.0);
}

struct Chunk {
  Matrix inputs;
  Vector targets;
};

std::vector<Chunk> chunks_of(const Scales& scales, const OwnRows& mine, const ChunkPlan& plan) {
  std::vector<std::vector<Index>> rows(plan.kept);
  for (std::size_t key = 0; key < mine.keys(); ++key) {
    const std::size_t chunk = plan.chunk(mine.hash(key));
    if (chunk >= plan.kept) continue;
    for (Index row = mine.first(key); row < mine.end(key); ++row)
      if (rows[chunk].size() < most_chunk_rows) rows[chunk].push_back(row);
  }
  std::vector<Chunk> chunks;
  for (const auto& one : rows) {
    const auto many = static_cast<Index>(one.size());
    Chunk chunk{Matrix(mine.dimensions(), many), Vector(many)};
    for (Index k = 0; k < many; ++k) {
      chunk.inputs.col(k) = mine.inputs().col(one[static_cast<std::size_t>(k)]);
      chunk.targets(k) = mine.targets()(one[static_cast<std::size_t>(k)]);
    }
    chunks.push_back({scales.standard_inputs(chunk.inputs), scales.standard_targets(chunk.targets)});
  }
  return chunks;
}

// The step of a chunk from `start`, of length at most 1 in units.
void write_step(const Chunk& chunk, const std::vector<double>& start, std::span<double> step) {
  const Index inputs = chunk.inputs.rows();
  const auto d = static_cast<std::size_t>(inputs);
  if (chunk.targets.size() == 0) return;
  OwnEvidenceSearch search;
  search.start = search.mean = start;
  search.evaluations = chunk_evaluations;
  for (std::size_t k = 0; k < start.size(); ++k) {
    search.deviation.push_back(chunk_prior * unit_of(k, d));
    search.low.push_back(std::log(k == d + 1 ? chunk_noise_floor : 0.01));
    search.high.push_back(std::log(100.0));
  }
  std::vector<double> found;
  try {
    found = most_likely(OwnEvidence({inputs, false, 0}, chunk.inputs, chunk.targets, {}), search);
  } catch (const Stopped&) {
    throw;
  } catch (const Error&) {
    return;  // no value may make an agent fail
  }
  double square = 0;
  for (std::size_t k = 0; k < step.size(); ++k) {
    step[k] = (found[k] - start[k]) / unit_of(k, d);
    square += step[k] * step[k];
  }
  const double norm = std::sqrt(square), most = 1 - 1e-12;
  if (norm > most)
    for (double& number : step) number *= most / norm;
}

Opening step_opening(Index inputs, double rho, std::size_t number) {
  return {"tuning " + std::to_string(number),
          static_cast<std::size_t>(inputs) + 2,
          1,
          {},
          rho / static_cast<double>(tuning_steps)};
}

}  // namespace

ChunkPlan plan_chunks(double rows, std::size_t agents) {
  const double each = std::max(rows / static_cast<double>(agents), 1.0),
               used = std::min(each, most_rows_tuned);
  const auto many = [](double rows_of_one, double size) {
    return static_cast<std::size_t>(std::max(1.0, std::round(rows_of_one / size)));
  };
  double size = rows < 2000 ? 60 : 100;
  while (many(used, size) * agents < 12 && size > 30) size -= 10;
  const std::size_t kept = many(used, size);
  return {kept, std::max(kept, many(each, size))};
}

TuningPlan plan_tuning(const ProtectedRun& run, Index inputs, double rows, double rho) {
  TuningPlan plan;
  plan.chunks = plan_chunks(rows, run.facts().agents);
  plan.noise =
      run.noise_of(step_opening(inputs, rho, 1)) / static_cast<double>(plan.chunks.kept * run.facts().agents);
  plan.useful = rows >= fewest_rows_tuned && plan.noise <= most_step_noise;
  return plan;
}

Prior public_prior(Index inputs, bool tuned) {
  const double length = (tuned ? 1.2 : 1.5) * std::sqrt(static_cast<double>(inputs));
  return {se(std::vector<double>(static_cast<std::size_t>(inputs), length), 1.0), tuned ? 0.25 : 0.5};
}

Task<Prior> tune_protected(ProtectedRun& run, const Scales& scales, const OwnRows& mine,
                           const TuningPlan& plan, double rho) {
  const Index inputs = scales.inputs();
  const auto d = static_cast<std::size_t>(inputs);
  const Prior start = public_prior(inputs, true);
  const std::vector<double> centre = start.logarithms();
  std::vector<double> now = centre, mean(centre.size(), 0.0);
  const std::vector<Chunk> chunks = chunks_of(scales, mine, plan.chunks);
  const double all = static_cast<double>(plan.chunks.kept * run.facts().agents);
  const double factor = gain / (1 + 2 * plan.noise * plan.noise);
  for (std::size_t step = 0; step < tuning_steps; ++step) {
    const Opening opening = step_opening(inputs, rho, step + 1);
    const KeyTerms terms{chunks.size(), [&](std::size_t chunk, std::span<double> term) {
                           leave_if_stopped();
                           write_step(chunks[chunk], now, term);
                         }};
    const OpenedSum opened = co_await run.sum(opening, terms);
    for (std::size_t k = 0; k < now.size(); ++k) {
      const double move = unit_of(k, d) * factor * opened.total[k] / all - pull * (now[k] - centre[k]);
      now[k] = rounded(within_limits(now[k] + move, k, d));
      if (step >= tuning_steps / 2) mean[k] += now[k] / static_cast<double>(tuning_steps - tuning_steps / 2);
    }
  }
  for (std::size_t k = 0; k < d; ++k) mean[k] = std::max(mean[k], std::log(0.25));
  const Prior found = start.at(mean);
  std::vector<double> numbers = found.kernel.numbers();
  for (double& number : numbers) number = rounded(number);
  co_return Prior{found.kernel.with(numbers), rounded(found.noise)};
}

}  // namespace tacit
