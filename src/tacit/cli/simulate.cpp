// tacit simulate: all agents in one process, on data files.
#include <fmt/format.h>

#include "tacit/cli/commands.hpp"
#include "tacit/cli/console.hpp"
#include "tacit/cli/simulate_report.hpp"

namespace tacit::cli {
namespace {

void run(const CLI::App& command, SimulateOptions& o, Console& console) {
  o.take_in(command);
  o.result.check();
  o.data.read = console.reader();
  const Parties parties = gather_parties(o.data);
  o.settle_for(parties);
  Progress progress;
  StudyReport report;
  {
    const Held bar = console.watch(progress);
    report = run_study(parties, o.study, &progress);
  }
  o.result.give(
      console, [&] { return json_of(o, parties, report, console); }, [&] { print_text(o, parties, report); });
  if (!o.result.report.empty() && report.accuracy)
    console.note("note: the report shows the true values of the test rows");
}

// The shortest command comes first.
class PlainFirst : public CLI::Formatter {
 public:
  std::string make_usage(const CLI::App*, std::string name) const override {
    return fmt::format(
        "Usage: {0} --data FILE --target COLUMN [OPTIONS]\n\n"
        "  {0} --data data/diabetes.csv --target y\n\n"
        "Without further options it does what new charters propose: ten agents share the rows, standardise "
        "and\n"
        "tune in private, and learn one model through landmarks.\n",
        name);
  }
};

}  // namespace

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
  command->callback([command, options, &console] { run(*command, *options, console); });
}

}  // namespace tacit::cli
