// What the steps of a study share. For the study's own files only.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <vector>

#include "tacit/regression/secure_sum.hpp"
#include "tacit/simulation/study.hpp"

namespace tacit {

class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
};

struct StudyRun {
  const Parties& parties;  ///< as it was given
  const StudyOptions& options;
  HelpedGraph graph;
  unsigned threads;
  Progress& progress;
  Simulator simulator;
  std::unique_ptr<SecureSum>
      sums;                       ///< for all but predictions: planned in full, whatever was asked for these
  std::vector<Samples> agents;    ///< what each learns from, in the units of its model
  std::vector<Samples> held_out;  ///< by agent, in the data's units; none without holding out
  std::vector<Standardisation> standardisations;  ///< by agent; none without standardising
  double output_max_unseen = 0;                   ///< public bound on |y| of rows nobody learns from
  double input_max = 0;                           ///< public bound on |x_d|
  std::vector<LocalExperts> local;                ///< by agent, of what it learns from
  PublicFacts facts;                              ///< in the units of the model
  StudyReport report;
  bool keys_sent = false;  ///< seeded masks: only the first run sends public keys

  /// Points in the units of an agent's model, and a prediction back in the data's.
  Matrix standard_points(std::size_t agent, const Matrix& points) const;
  Prediction original(std::size_t agent, const Prediction& prediction) const;
};

/// A helper's side of a program that gives each agent a T; it gets nothing.
template <class T>
Task<T> only_help(Channel& net, const ConsensusSum& secure_sum, std::vector<SumShape> shapes) {
  for (const SumShape& shape : shapes) co_await secure_sum.help(net, shape);
  co_return T{};
}

/// Runs program(channel) for every agent while helpers help with its sums. Gives what agents got.
template <class T>
std::vector<T> run_together(StudyRun& run, const char* stage, const SecureSum& secure_sum,
                            const std::vector<SumShape>& shapes,
                            const std::function<Task<T>(Channel&)>& program) {
  std::uint64_t messages = 0;
  const auto* consensus = dynamic_cast<const ConsensusSum*>(&secure_sum);  // exact sums are over in no time
  for (const SumShape& shape : consensus ? shapes : std::vector<SumShape>()) {
    const ConsensusPlan& plan = consensus->plan(shape);
    messages += planned_traffic(run.graph, plan).messages;
    if (run.keys_sent) messages -= key_traffic(run.graph, plan).messages;
    run.keys_sent = true;
  }
  run.progress.begin(stage, messages);
  std::vector<T> results = run.simulator.run<T>([&](Channel& net) {
    return net.neighbourhood().helps() ? only_help<T>(net, *consensus, shapes) : program(net);
  });
  results.resize(run.agents.size());
  return results;
}

// The steps, in order.
void hold_out_rows(StudyRun& run);
void standardise_together(StudyRun& run);
void check_tuning(StudyRun& run);  ///< refuses what can be refused before anything long starts
void tune_together(StudyRun& run);
void make_experts(StudyRun& run);
void plan_for_priors(StudyRun& run);  ///< what priors make known, while they are the same everywhere
std::vector<LocalEvidence> predict_all_alone(StudyRun& run);  ///< in the units of each agent's model
void predict_together(StudyRun& run, const std::vector<LocalEvidence>& alone);
void score_held_out(StudyRun& run);
void compare_with_plain(StudyRun& run, const std::vector<LocalEvidence>& alone);
Accuracy accuracy(const StudyRun& run, const std::vector<LocalEvidence>& alone);

/// The rules that evidence is for: the one asked for, then, where they can be compared, the others.
std::vector<Fusion> rules_of(const StudyRun& run);

/// A sum of predictions, with the paper's numbers as they were asked for.
PredictionSum prediction_sum(const StudyRun& run);
SumShape prediction_shape(const StudyRun& run, std::size_t points);
std::unique_ptr<SecureSum> prediction_sums(const StudyRun& run);

/// By the protocol asked for; `request` is for the consensus.
std::unique_ptr<SecureSum> make_sums(const HelpedGraph& graph, const StudyOptions& options,
                                     const PlanRequest& request);

}  // namespace tacit
