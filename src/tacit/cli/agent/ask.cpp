// tacit fit, predict, evaluate and status: requests to the user's own agent.
#include <fmt/format.h>

#include <cstring>
#include <filesystem>
#include <iostream>
#include <memory>

#include "tacit/agent/rows/agent_data.hpp"
#include "tacit/answers/numbers.hpp"
#include "tacit/base/error.hpp"
#include "tacit/base/system/files.hpp"
#include "tacit/cli/agent/predictions.hpp"
#include "tacit/cli/agent/which_agent.hpp"
#include "tacit/cli/options/commands.hpp"
#include "tacit/cli/options/console.hpp"
#include "tacit/cli/options/data_options.hpp"
#include "tacit/cli/text/about.hpp"
#include "tacit/cli/text/answer_text.hpp"

namespace tacit::cli {
namespace {

struct AskCommand {
  std::string agent, input, output, model;
  std::vector<std::string> without;
  PointOptions points;
  DataOptions data;
  ResultOptions result;
  bool together = false;
};

void fit(const AskCommand& o, Console& console) {
  ControlClient client(asked_agent(o.agent).socket);
  control::Progress answer;
  {
    const Held stop = console.stopping(client);
    answer = client.fit(o.without, console.words());
  }
  if (o.result.json) return console.answer(fit_json(answer));
  fmt::print("Model    {}\n", model_text(answer.fitted().model()));
  fmt::print("Who      {}\n", whose_data(answer));
  for (const std::string& note : answer.notes()) fmt::print("Note     {}\n", console.worded(note));
}

// Predicts with a model file, without agent and network.
Answered by_model(const AskCommand& o, Console& console) {
  const PortableModel model = PortableModel::load(o.model);
  Points points = read_points(o.input, model.inputs, {}, o.points, o.data.checked(), console.reader());
  return answered_by(model, std::move(points));
}

// Predicts with the agent, whose agent.toml may set how to read files. Targets are read only for comparison.
Answered by_agent(const AskCommand& o, ControlClient& client, const ReadOptions& reading, bool with_targets,
                  Console& console) {
  const Charter charter = client.charter();
  Points points = read_points(o.input, charter.inputs, with_targets ? charter.targets : std::vector<Column>(),
                              o.points, o.data.checked(reading), console.reader());
  Held stop;
  if (o.together) stop = console.stopping(client);  // a request at home ends with this program
  const control::Progress answer = client.predict(points.rows.inputs, o.together, console.words());
  return answered(std::move(points), answer);
}

Answered by_agent(const AskCommand& o, Console& console) {
  const AskedAgent agent = asked_agent(o.agent);
  ControlClient client(agent.socket);
  return by_agent(o, client, agent.reading, false, console);
}

void predict(const AskCommand& o, Console& console) {
  const Answered answer = o.model.empty() ? by_agent(o, console) : by_model(o, console);
  if (!o.output.empty())
    write_whole(o.output, o.result.json ? text_of(console.worded_answer(predictions_json(answer)))
                                        : predictions_csv(answer));
  else if (o.result.json)
    console.answer(predictions_json(answer));
  else
    std::cout << predictions_csv(answer);
  if (!answer.at_home && !answer.without.empty())
    console.note("note: " + whose_data(answer.roster, answer.without));
  for (const std::string& note : answer.notes) console.note("note: " + note);
}

// Takes the scored model to be the one that the agent holds.
Json with_about(const AskCommand& o, ControlClient& client, const Json& result, const Console& console) {
  std::vector<std::filesystem::path> files;
  if (!o.input.empty()) files.emplace_back(o.input);
  Json all{{"about", about("evaluate", console, {}, files)}};
  const control::StatusReply now = client.status();
  if (now.has_model())
    all["about"]["model"] = {{"version", now.model().version()}, {"digest", now.model().digest()}};
  all.update(result);
  return all;
}

// Scores predictions for the user's own rows. Targets never leave this machine, inputs only with --together.
void evaluate_own(const AskCommand& o, Console& console) {
  const AskedAgent agent = asked_agent(o.agent);
  ControlClient client(agent.socket);
  const Answered answer = by_agent(o, client, agent.reading, true, console);
  o.result.give(
      console, [&] { return with_about(o, client, score_json(answer), console); },
      [&] {
        fmt::print("{}", score_text(answer));
        if (!answer.at_home)
          fmt::print("         ({}; these agents saw the inputs, and no other agent saw the targets)\n",
                     whose_data(answer.roster, answer.without));
        for (const std::string& note : answer.notes) fmt::print("Note     {}\n", console.worded(note));
      });
  if (!o.result.report.empty()) console.note("note: the report contains the true values of these rows");
}

void evaluate(const AskCommand& o, Console& console) {
  o.result.check();
  if (!o.input.empty()) return evaluate_own(o, console);
  ControlClient client(asked_agent(o.agent).socket);
  if (o.together)
    throw InputError("--together needs --input; held-out rows are always scored at home and never shown");
  control::Progress answer;
  {
    const Held stop = console.stopping(client);
    answer = client.evaluate(console.words());
  }
  const requests::Evaluated& score = answer.evaluated();
  o.result.give(
      console, [&] { return with_about(o, client, evaluate_json(answer), console); },
      [&] {
        fmt::print(
            "Score    {} held out at home: RMSE {:.4g}, mean log density {:.4g}\n"
            "         (each agent scored its own rows with the answers of tacit predict, {}; no agent showed "
            "its rows)\n",
            plural(score.rows(), "row"), score.rmse(), score.log_density(), whose_data(answer));
      });
}

void status(const AskCommand& o, Console& console) {
  const control::StatusReply now = ControlClient(asked_agent(o.agent).socket).status();
  if (o.result.json) return console.answer(status_json(now));
  fmt::print("{}", status_text(now));
}

std::pair<CLI::App*, std::shared_ptr<AskCommand>> add(CLI::App& program, const char* name, const char* what,
                                                      const char* example) {
  CLI::App* command = program.add_subcommand(name, what);
  auto o = std::make_shared<AskCommand>();
  o->agent = usual_agent();
  add_which_agent(*command, o->agent);
  o->result.add_json(*command);
  command->footer(fmt::format("{}:\n  {}", std::strchr(example, '\n') ? "Examples" : "Example", example));
  return {command, o};
}

// Options for reading a file of points. --skip-bad replaces --missing here: it covers all unusable cells.
void add_reading(CLI::App& command, AskCommand& o, const char* skipped) {
  command.add_flag("--skip-bad", o.points.skip_bad, skipped)->group("Data");
  o.data.add_to(command, ColumnsFrom::charter, false);
}

const std::string stopping =
    "Ctrl-C during a request to all agents asks them to stop, and prints what happened so far. The exit code "
    "is then 1.\n"
    "A second Ctrl-C ends this command at once; the agents may then continue.\n\n";

}  // namespace

void add_asking(CLI::App& program, Console& console) {
  {
    const auto [command, o] = add(program, "fit", "Fit one model to the data of all agents", "tacit fit");
    command->footer(stopping + command->get_footer());
    command
        ->add_option("--without", o->without,
                     "Exclude these members, if every owner's policy.without allows it. The difference "
                     "between models with and without a member reveals that member's contribution")
        ->delimiter(',')
        ->type_name("NAME[,NAME]");
    command->callback([o = o, &console] { fit(*o, console); });
  }
  {
    const auto [command, o] =
        add(program, "predict", "Predict with your agent, or with an exported model",
            "tacit predict --input new_patients.csv --id patient --output predicted.csv\n"
            "  tacit predict --model model.tacit --input new_patients.csv --decimal comma --skip-bad\n"
            "  psql --csv -c 'SELECT * FROM new_patients' | tacit predict --input - > predicted.csv");
    command
        ->add_option(
            "--input", o->input,
            "A file with the charter's input columns: CSV (also gzipped) or MATLAB; - for standard input")
        ->required()
        ->type_name("FILE");
    command
        ->add_option("--id", o->points.ids,
                     "Columns of the file that identify its rows; they come first in the output")
        ->delimiter(',')
        ->type_name("COL[,COL]");
    command->add_option("--output", o->output, "The output file. Default: standard output")
        ->type_name("FILE");
    auto* together = command->add_flag(
        "--together", o->together,
        "Ask all agents of the model; all of them see the points. By default, your agent answers at home, "
        "from the model and its own rows, and no other agent learns what was asked");
    command->add_option("--model", o->model, "Use this file, written by tacit export, instead of an agent")
        ->excludes(together)
        ->type_name("FILE");
    add_reading(*command, *o,
                "Write an empty line for a row with a cell that is missing, not a number, or outside the "
                "charter's ranges and levels. By default, such a cell is an error");
    command->footer(
        "The output has one line for each row of the input, in the same order. For a target y, the columns "
        "are y_mean,\n"
        "y_latent_sd (of the function), y_observed_sd (of a new observation), and y_low and y_high, the 95 % "
        "bounds of a new\n"
        "observation. Settings for files under [data] in agent.toml also apply here, unless an option "
        "overrides them.\n\n" +
        stopping + command->get_footer());
    command->callback([o = o, &console] { predict(*o, console); });
  }
  {
    const auto [command, o] = add(program, "evaluate", "Score the model on rows that stay private",
                                  "tacit evaluate\n  tacit evaluate --input known_patients.csv --skip-bad");
    o->result.add_report(*command);
    CLI::Option* input = command
                             ->add_option("--input", o->input,
                                          "Score the rows of this file instead, at home; no other agent sees "
                                          "them. - for standard input")
                             ->type_name("FILE");
    command->add_flag(
        "--together", o->together,
        "Score what all agents predict together for the rows of --input; all of them see the inputs");
    add_reading(*command, *o,
                "Skip a row with a cell that is missing, not a number, or outside the charter's ranges and "
                "levels. By default, such a cell is an error");
    command->footer(stopping + command->get_footer());
    for (CLI::Option* reads :
         command->get_options([](const CLI::Option* one) { return one->get_group() == "Data"; }))
      reads->needs(input);
    command->callback([o = o, &console] { evaluate(*o, console); });
  }
  {
    const auto [command, o] =
        add(program, "status", "Show the state of your agent and of its links to other agents",
            "tacit status --json");
    command->callback([o = o, &console] { status(*o, console); });
  }
}

}  // namespace tacit::cli
