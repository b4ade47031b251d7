// A study's predictions: each agent's alone, and all of them together by Protocol 2.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tacit/base/error.hpp"
#include "tacit/base/parallel.hpp"
#include "tacit/graph/connectivity.hpp"
#include "tacit/simulation/study_run.hpp"

namespace tacit {

SumShape prediction_sum(const StudyRun& run, std::size_t points) {
  const PublicBounds& bounds = run.report.bounds;
  return {prediction_dimension(points, run.consortium.targets.size()),
          {bounds.value / static_cast<double>(run.agents.size()),
           run.options.plan.lz.value_or(run.options.protocol == SumProtocol::exact ? usual_unit(bounds)
                                                                                   : usual_lz(bounds))}};
}

std::unique_ptr<SecureSum> prediction_sums(const StudyRun& run) {
  return make_sums(run.graph, run.options, run.options.plan);
}

std::unique_ptr<SecureSum> make_sums(const HelpedGraph& graph, const StudyOptions& options,
                                     const PlanRequest& request) {
  if (options.protocol == SumProtocol::consensus) return std::make_unique<ConsensusSum>(graph, request);
  check_connected(graph.agents);
  if (request.lz && !(*request.lz > 0 && std::isfinite(*request.lz)))
    throw InputError(fmt::format(
        "the unit of values, L_z (--lz), must be a positive number, not {}; leave it out to have it planned",
        *request.lz));
  ExactRequest exact;
  exact.agents = graph.agents.agents();
  exact.collusion = options.collusion;
  return std::make_unique<ExactSecureSum>(exact);
}

std::vector<Prediction> predict_all_alone(StudyRun& run) {
  const Stopwatch watch;
  const std::size_t agents = run.agents.size();
  run.progress.begin("local models", agents);
  std::vector<LocalPrediction> results(agents);
  parallel_for(run.threads, agents, [&](std::size_t i) {
    results[i] = predict_alone(run.agents[i], run.standard_points(i, run.consortium.test.inputs),
                               run.report.hyperparameters[i]);
    ++run.progress.done;
  });
  run.report.local_seconds = watch.seconds();
  std::vector<Prediction> alone;
  for (LocalPrediction& one : results) {
    run.report.clamped += one.clamped;
    run.report.jitter = std::max(run.report.jitter, one.jitter);
    alone.push_back(std::move(one.prediction));
  }
  return alone;
}

void predict_together(StudyRun& run, const std::vector<Prediction>& alone) {
  const SumShape shape = prediction_sum(run, static_cast<std::size_t>(run.consortium.test.inputs.rows()));
  const auto sums = prediction_sums(run);
  const SecureSum& secure_sum = *sums;
  const double before = run.simulator.cost().computing_seconds;
  run.report.predictions = run_together<Prediction>(run, "protocol", secure_sum, {shape}, [&](Channel& net) {
    return predict_privately(net, secure_sum, alone[net.self()], shape.range);
  });
  run.report.protocol_seconds = run.simulator.cost().computing_seconds - before;
  for (std::size_t i = 0; i < alone.size(); ++i) {
    run.report.unconverged += unconverged(run.report.predictions[i]);
    run.report.predictions[i] = run.original(i, run.report.predictions[i]);
  }
}

}  // namespace tacit
