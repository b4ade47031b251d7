// All protocols of a study's agents and helpers, in the simulator.
#pragma once

#include <functional>
#include <vector>

#include "tacit/lab/study/helper_side.hpp"
#include "tacit/lab/study/study_run.hpp"

namespace tacit {

class SimulatedRun {
 public:
  explicit SimulatedRun(StudyRun& run);

  SimulationCost cost() const { return simulator_.cost(); }
  std::vector<LinkTraffic> traffic() const { return simulator_.traffic(); }

  /// Stores the models of all agents, and what the fit found and took, in the run.
  void fit();

  using EvidenceOf = std::function<const LocalEvidence&(std::size_t agent)>;
  /// The agents' predictions by a sum with this plan.
  std::vector<Prediction> predict(const char* stage, const SumPlan& plan, const EvidenceOf& evidence);

  ConsortiumScore evaluate(const std::vector<Prediction>& predicted);

 private:
  // Runs the programme at all agents, and `helping` at all helpers. Returns the results of the agents.
  template <class T, class Program, class Help>
  std::vector<T> together(const Program& program, const Help& helping);

  void begin(const char* stage, std::uint64_t messages);
  std::uint64_t messages_of(const SumPlan& plan) const;
  std::uint64_t messages_of_standardising() const;
  std::uint64_t messages_of_tuning() const;

  StudyRun& run_;
  Simulator simulator_;
  const FitPlans plans_;
  bool keys_sent_ = false;  // with seeded masks, only the first run sends public keys
};

}  // namespace tacit
