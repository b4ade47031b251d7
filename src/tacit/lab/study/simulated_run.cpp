#include "tacit/lab/study/simulated_run.hpp"

#include "tacit/lab/mask_helpers/helped_plan.hpp"
#include "tacit/lab/study/parties/streamed_rows.hpp"
#include "tacit/lab/study/stopwatch.hpp"

namespace tacit {
namespace {

const PaperTuning* paper_of(const StudyRun& run) {
  return run.options.paper_tuning ? &*run.options.paper_tuning : nullptr;
}

template <class T>
Task<T> only_help(Task<std::size_t> helping) {
  co_await std::move(helping);
  co_return T{};
}

}  // namespace

SimulatedRun::SimulatedRun(StudyRun& run)
    : run_(run),
      simulator_(run.graph, {.threads = run.threads,
                             .seed = run.options.seed,
                             .network = run.options.network,
                             .coalition = {},
                             .progress = &run.progress}),
      plans_(plan_fit(*run.sums.usual, run.terms.fit, paper_of(run))) {}

template <class T, class Program, class Help>
std::vector<T> SimulatedRun::together(const Program& program, const Help& helping) {
  std::vector<T> results = simulator_.run<T>(
      [&](Run& net) { return net.neighbourhood().helps() ? only_help<T>(helping(net)) : program(net); });
  results.resize(run_.agents.size());
  return results;
}

void SimulatedRun::fit() {
  const Stopwatch watch;
  double before_tuning = 0, before_pooling = 0;
  FitWatch observer;
  observer.stage = [&](FitStage stage) {
    if (stage == FitStage::standardising) return begin("standardising", messages_of_standardising());
    if (stage == FitStage::landmarks) return begin("landmarks", 0);
    if (stage == FitStage::pooling) {
      before_pooling = watch.seconds();
      return begin("pooling", 0);
    }
    before_tuning = watch.seconds();
    begin("tuning", messages_of_tuning());
  };
  observer.trial = [&](const ExactTuning& so_far) { run_.progress.note(trial_words(so_far)); };
  const Terms& terms = run_.terms.fit;
  const SecureSum& sums = *run_.sums.usual;
  const PaperTuning* paper = paper_of(run_);
  std::vector<Samples> whole;  // the paper's tuning needs all rows at once
  if (paper)
    for (const StudyAgent& agent : run_.agents) whole.push_back(samples_of(*agent.rows));
  std::vector<TuneTrace> traces(whole.size());
  auto fits = together<Fit>(
      [&](Run& net) {
        const AgentId self = net.self();
        const auto& crew = run_.agents[self].crew;
        FitWatch its = self == 0 ? observer : FitWatch{};
        return paper ? fit_by_paper(net, sums, terms, *paper, *plans_.tuning, crew, whole[self], traces[self],
                                    std::move(its))
                     : tacit::fit_privately(net, sums, terms, 0, crew, std::move(its));
      },
      [&](Run& net) { return help_fit(net, plans_); });
  const double end = watch.seconds(), tuned_after = before_pooling > 0 ? before_pooling : end;
  const bool tuned = terms.tuning.search || paper;
  run_.report.seconds.standardise = tuned ? before_tuning : tuned_after;
  run_.report.seconds.tuning = tuned ? tuned_after - before_tuning : 0;
  run_.report.seconds.pooling = before_pooling > 0 ? end - before_pooling : 0;
  store_fits(run_, std::move(fits));
  if (paper) report_paper_tuning(run_, *plans_.tuning, std::move(traces));
}

std::vector<Prediction> SimulatedRun::predict(const char* stage, const SumPlan& plan,
                                              const EvidenceOf& evidence) {
  begin(stage, messages_of(plan));
  return together<Prediction>(
      [&](Run& net) {
        const AgentId self = net.self();
        return tacit::predict(net, *run_.sums.predictions, run_.terms.predict, run_.agents[self].model,
                              evidence(self));
      },
      [&](Run& net) { return help(net, std::get<ConsensusPlan>(plan), 1); });
}

ConsortiumScore SimulatedRun::evaluate(const std::vector<Prediction>& predicted) {
  const Terms& terms = run_.terms.predict;
  const SecureSum& sums = *run_.sums.usual;
  const SumPlan plan = sums.plan(score_sum(score_facts(terms, run_.agents[0].model)));
  begin("scoring", messages_of(plan));
  return together<ConsortiumScore>(
      [&](Run& net) {
        const StudyAgent& agent = run_.agents[net.self()];
        return tacit::evaluate(net, sums, terms, agent.model, predicted[net.self()], agent.held_out.outputs);
      },
      [&](Run& net) { return help(net, std::get<ConsensusPlan>(plan), 1); })[0];
}

void SimulatedRun::begin(const char* stage, std::uint64_t messages) {
  run_.progress.begin(stage, messages);
  keys_sent_ = true;
}

// The messages of the consensus. Exact sums are not counted, because they take little time.
std::uint64_t SimulatedRun::messages_of(const SumPlan& plan) const {
  const auto* consensus = std::get_if<ConsensusPlan>(&plan);
  if (!consensus) return 0;
  const std::uint64_t messages = planned_traffic(run_.graph, *consensus).messages;
  return keys_sent_ ? messages - key_traffic(run_.graph.agents, *consensus).messages : messages;
}

std::uint64_t SimulatedRun::messages_of_standardising() const {
  std::uint64_t messages = 0;
  for (const SumPlan& plan : plans_.standardising) messages += messages_of(plan);
  return messages;
}

std::uint64_t SimulatedRun::messages_of_tuning() const {  // the length of a search is not known
  if (!plans_.tuning) return 0;
  const std::uint64_t keys = key_traffic(run_.graph.agents, *plans_.tuning).messages;
  const std::uint64_t others = planned_traffic(run_.graph, *plans_.tuning).messages - keys;
  return (keys_sent_ ? 0 : keys) + others * plans_.tuning_steps;
}

}  // namespace tacit
