// tacit simulate: all agents in one process, on data files.
#include <fmt/format.h>

#include "tacit/base/error.hpp"
#include "tacit/cli/agent/ranks.hpp"
#include "tacit/cli/lab/lab_commands.hpp"
#include "tacit/cli/lab/simulate.hpp"
#include "tacit/cli/lab/simulate_report.hpp"
#include "tacit/cli/options/console.hpp"
#include "tacit/gp/expert/blas_threads.hpp"
#include "tacit/lab/study/parties/shared_parties.hpp"

namespace tacit::cli {
namespace {

void give(SimulateOptions& o, const Parties& parties, const StudyReport& report, Console& console) {
  o.result.give(
      console, [&] { return json_of(o, parties, report, console); }, [&] { print_text(o, parties, report); });
  if (!o.result.report.empty() && report.accuracy)
    console.note("note: the report contains the true values of the test rows");
}

void run_alone(SimulateOptions& o, Console& console) {
  Progress progress;
  o.data.progress = &progress;
  Parties parties;
  StudyReport report;
  {
    const Held bar = console.watch(progress);
    parties = gather_parties(o.data);
    o.settle_for(parties);
    report = run_study(parties, o.study, &progress);
  }
  give(o, parties, report, console);
}

// Refuses options that need all rows in one place, before any rows are read.
void check_ranks(const SimulateOptions& o) {
  const auto refuse = [](const char* option, const char* instead) {
    throw InputError(fmt::format(
        "{} needs all rows of an agent in one place, but mpirun distributes them over its ranks; {}", option,
        instead));
  };
  if (o.study.model.committee.split == RowSplit::clusters)
    refuse("--expert-split clusters", "use --expert-split random");
  if (o.tune == TuneBy::paper) refuse("--tune paper", "use --tune exact");
  if (o.study.holdout) refuse("--holdout", "use --test or --test-fraction");
  if (o.data.stream) refuse("--stream", "omit it, and use more ranks for more rows");
}

void run_by_ranks(Team& team, SimulateOptions& o, Console& console) {
  check_ranks(o);
  const BlasThreads one_each(1);  // experts are computed in parallel
  SharedParties shared = gather_parties(team, o.data, o.study.model.committee,
                                        o.study.threads ? o.study.threads : threads_of_rank());
  if (!team.leads()) return serve(team, std::move(shared.rows));
  const Leader leader(team, std::move(shared.rows));
  for (std::size_t agent = 0; agent < shared.parties.names.size(); ++agent) {
    shared.parties.elsewhere.readers.push_back(leader.rows(agent));
    shared.parties.elsewhere.crews.push_back(leader.crew(agent));
  }
  o.settle_for(shared.parties);
  o.study.threads = 1;  // each job uses all ranks and their threads
  Progress progress;
  StudyReport report;
  {
    const Held bar = console.watch(progress);
    report = run_study(shared.parties, o.study, &progress);
  }
  give(o, shared.parties, report, console);
  console.note(fmt::format("note: {} ranks; rank 0 sent {:.1f} MB", team.size(),
                           static_cast<double>(team.sent()) / 1e6));
}

// Shows the shortest complete command first.
class PlainFirst : public CLI::Formatter {
 public:
  std::string make_usage(const CLI::App*, std::string name) const override {
    return fmt::format(
        "Usage: {0} --data FILE --target COLUMN [OPTIONS]\n\n"
        "  {0} --data data/diabetes.csv --target y\n\n"
        "Without further options, the command uses the defaults of a new charter. The rows are divided\n"
        "among ten agents, which standardise and tune by secure sums and learn one model through "
        "landmarks.\n",
        name);
  }
};

}  // namespace

void run_simulate(SimulateOptions& o, const Given& given, Console& console) {
  as_rank([&](Team& team) {
    o.take_in(given);
    o.result.check();
    o.data.read = console.reader();
    if (team.size() > 1)
      run_by_ranks(team, o, console);
    else
      run_alone(o, console);
  });
}

void add_simulate(CLI::App& program, Console& console) {
  CLI::App* command = program.add_subcommand("simulate", "Simulate all agents in one process, on data files");
  auto options = std::make_shared<SimulateOptions>();
  options->add_to(*command);
  auto formatter = std::make_shared<PlainFirst>();
  formatter->column_width(28);
  command->formatter(formatter);
  command->footer(
      "Examples:\n"
      "  tacit simulate --data a.csv --data b.csv --data c.csv --target y --test new.csv --json\n"
      "  tacit simulate --data a.csv.gz --data b.csv --target y --missing drop --categorical "
      "sex,stage:1|2|3\n"
      "  tacit simulate --data all.csv --target y --split by:hospital --holdout 0.2\n"
      "  tacit simulate --data arm.csv --target tau1 --kernel \"se-ard + linear + constant\"\n"
      "  tacit simulate --data data/diabetes.csv --target y --paper --lengthscale 100 --signal 300 --noise "
      "55\n"
      "  tacit simulate --data arm.csv --target tau1,tau2 --agents 20 --paper --tune paper --iterations 100 "
      "--latency 0.2ms");
  command->callback(
      [command, options, &console] { run_simulate(*options, given_options(*command), console); });
}

}  // namespace tacit::cli
