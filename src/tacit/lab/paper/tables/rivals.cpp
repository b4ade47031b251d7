#include "tacit/lab/paper/tables/rivals.hpp"

#include <fmt/format.h>

#include "tacit/base/error.hpp"
#include "tacit/lab/rivals/ckks/protocol.hpp"
#include "tacit/lab/rivals/shares/shares.hpp"
#include "tacit/lab/study/study.hpp"

namespace tacit {
namespace {

// The errors against plain distributed GPR and against the true targets.
TableDraw compared(const Prediction& found, const Prediction& plain, const Parties& parties) {
  TableDraw draw;
  draw.rmse_mean = paper_rmse({found}, &Prediction::mean, plain.mean);
  draw.rmse_variance = paper_rmse({found}, &Prediction::latent_variance, plain.latent_variance);
  draw.test_error = test_error(found, parties);
  return draw;
}

RivalPhase phase_of(const CkksRun& run, CkksPhase phase, double latency) {
  const CkksPhaseCost& cost = run.phases[static_cast<std::size_t>(phase)];
  RivalPhase shown;
  shown.name = phase_name(phase);
  shown.work = cost.seconds;
  shown.longest = cost.longest;
  shown.rounds = cost.messages > 0;  // all messages of a phase are sent in parallel
  shown.network = latency * static_cast<double>(shown.rounds);
  shown.messages = cost.messages;
  shown.bytes = cost.bytes;
  if (run.stopped_after) return shown;
  if (phase == CkksPhase::encoding) shown.error = run.encoding_error;
  if (phase == CkksPhase::merging) shown.error = run.error;
  return shown;
}

Rival::Outcome run_ckks_rival(const CkksParameters& parameters, const Parties& parties,
                              const OutputHyperparameters& shared, const ReproduceSettings& settings,
                              std::uint64_t seed, double limit) {
  const PlainResult plain = plain_gpr(parties, shared, settings);
  const PredictionSum sum{};  // W and P of the product of experts
  std::vector<Values> values;
  for (const Prediction& alone : plain.alone) values.push_back(contribution(poe_evidence(alone), sum));
  const CkksRun run = run_ckks(parameters, values, table_simulator(settings, seed), limit);
  Rival::Outcome outcome;
  outcome.parameters =
      fmt::format("N = {}, log2 Q = {}, scale 2^{}, {} ciphertext{} per party, errors below {:.1g}",
                  parameters.n(), parameters.modulus_bits(), parameters.scale_bits, run.ciphertexts,
                  run.ciphertexts == 1 ? "" : "s", run.bound);
  for (std::size_t p = 0; p < ckks_phases; ++p)
    outcome.phases.push_back(phase_of(run, static_cast<CkksPhase>(p), table_latency));
  if (run.stopped_after) {
    outcome.stopped = {*run.stopped_after, std::string(phase_name(*run.stopped_in))};
    return outcome;
  }
  const Prediction found =
      fuse(Fusion::poe, from_sums(run.sums, plain.fused.mean.rows(), plain.fused.mean.cols(), sum), Matrix());
  TableDraw draw = compared(found, plain.fused, parties);
  draw.plain_work = plain.work_seconds();
  draw.plain_longest = plain.longest_seconds();
  draw.cost = run.cost;
  const double once = run.phases[static_cast<std::size_t>(CkksPhase::common_random)].seconds;
  draw.cost.work_seconds += once;
  draw.cost.busiest_seconds += once;
  outcome.draw = draw;
  return outcome;
}

RivalPhase phase_of(const char* name, const SharesPhase& phase) {
  RivalPhase shown;
  shown.name = name;
  shown.work = phase.work_seconds;
  shown.longest = phase.longest_seconds;
  shown.network = phase.network_seconds;
  shown.rounds = phase.rounds;
  shown.messages = phase.messages;
  shown.bytes = phase.bytes;
  return shown;
}

Rival::Outcome run_shares_rival(const Parties& parties, const OutputHyperparameters& shared,
                                const ReproduceSettings& settings, std::uint64_t seed, double limit) {
  SharesOptions options;
  options.seed = seed;
  options.threads = settings.used_threads();
  options.latency = table_latency;
  options.limit_seconds = limit;
  options.noise_in_variance = settings.noise_in_variance;
  const SharesRun run = run_shares(parties, shared, options);
  Rival::Outcome outcome;
  outcome.parameters = fmt::format(
      "fixed point in Z_2^64; {} inversions in parallel, which would take {} rounds one after the other",
      run.inversions, run.rounds_of_inversions);
  outcome.phases = {phase_of("preparation, not in the total", run.preparation),
                    phase_of("sharing", run.sharing),
                    phase_of("kernel", run.kernel),
                    phase_of("inversion", run.inversion),
                    phase_of("prediction", run.prediction_phase),
                    phase_of("opening", run.opening)};
  outcome.phases[0].before_the_total = true;
  if (run.stopped_after) {
    outcome.stopped = {*run.stopped_after, run.stopped_in};
    return outcome;
  }
  const SharesPhase online = run.online();
  TableDraw draw = compared(run.prediction, plain_gpr(parties, shared, settings).fused, parties);
  draw.cost.rounds = online.rounds;
  draw.cost.messages = online.messages;
  draw.cost.bytes = online.bytes;
  draw.cost.network_seconds = online.network_seconds;
  draw.cost.work_seconds = online.work_seconds;
  draw.cost.busiest_seconds = online.longest_seconds;
  outcome.draw = draw;
  return outcome;
}

// Adds a draw's share to the means of seconds and errors. Counts are those of the first draw, as they are the
// same in all draws.
void add_phases(std::vector<RivalPhase>& mean, const std::vector<RivalPhase>& more, double share) {
  if (mean.empty()) {
    mean = more;
    for (RivalPhase& phase : mean) phase.work = phase.longest = phase.network = phase.error = 0;
  }
  for (std::size_t p = 0; p < mean.size(); ++p) {
    mean[p].work += share * more[p].work;
    mean[p].longest += share * more[p].longest;
    mean[p].network += share * more[p].network;
    mean[p].error += share * more[p].error;
  }
}

std::string stop_text(const RivalStop& stop) {
  if (stop.before_the_total())
    return fmt::format(
        "stopped after {:.3g} s of its preparation, which is timed separately and would take more than {:g} "
        "s",
        stop.after, rival_limit_seconds);
  return fmt::format("stopped after {:.3g} s in the phase {}, because it would take more than {:g} s",
                     stop.after, stop.in, rival_limit_seconds);
}

}  // namespace

std::vector<Rival> rivals(const ReproduceSettings& settings) {
  std::vector<Rival> asked;
  if (settings.shares) asked.push_back({"[11] two servers", 0, run_shares_rival});
  if (settings.ckks)
    for (const bool lean : {false, true})
      asked.push_back({lean ? "[12] multi-key CKKS, lean" : "[12] multi-key CKKS", 1,
                       [lean](const Parties& parties, const OutputHyperparameters& shared,
                              const ReproduceSettings& s, std::uint64_t seed, double limit) {
                         return run_ckks_rival(lean ? lean_ckks() : usual_ckks(), parties, shared, s, seed,
                                               limit);
                       }});
  return asked;
}

std::size_t rival_repeats(const ReproduceSettings& settings) {
  return std::max<std::size_t>(1, settings.repeats / 4);
}

TableRow run_rival_row(const DataSet& data, const TableCase& network, const Rival& rival,
                       const OutputHyperparameters& shared, std::size_t repeats,
                       const ReproduceSettings& settings) {
  std::vector<TableDraw> draws;
  RivalFacts facts{.column = rival.column};
  std::string why;
  for (std::size_t repeat = 0; repeat < repeats && why.empty(); ++repeat) try {
      const std::uint64_t seed = settings.seed + repeat;
      const Rival::Outcome outcome =
          rival.run(deal(data, network.agents, seed), shared, settings, seed, rival_limit_seconds);
      facts.parameters = outcome.parameters;
      facts.stopped = outcome.stopped;
      if (outcome.stopped) {
        why = stop_text(*outcome.stopped);
        facts.phases = outcome.phases;  // only of this draw, up to the stop
      } else {
        add_phases(facts.phases, outcome.phases, 1 / static_cast<double>(repeats));
        draws.push_back(*outcome.draw);
      }
    } catch (const Error& refused) {  // the other rows continue
      why = refused.what();
      facts.phases.clear();
    }
  TableRow row = left_out_row(data, network, rival.name, why);
  row.repeats = why.empty() ? repeats : 1;
  if (why.empty()) summarise(draws, row);
  row.rival = std::move(facts);
  return row;
}

std::vector<TableRow> rival_rows(const DataSet& data, const OutputHyperparameters& shared,
                                 const ReproduceSettings& settings) {
  const std::vector<TableCase> cases = table_cases(data);
  std::vector<TableRow> rows;
  const std::vector<Rival> asked = rivals(settings);
  if (settings.progress) settings.progress->begin("rivals", asked.size() * cases.size());
  for (const Rival& rival : asked) {
    const std::size_t first = rows.size();
    for (const TableCase& network : cases) {
      std::optional<TableRow> same;
      for (std::size_t r = first; r < rows.size(); ++r)
        if (rows[r].network.agents == network.agents) same = rows[r];
      rows.push_back(same ? *same
                          : run_rival_row(data, network, rival, shared, rival_repeats(settings), settings));
      rows.back().network = network;
      if (settings.progress) ++settings.progress->done;
    }
  }
  return rows;
}

}  // namespace tacit
