// tacit fit, predict, evaluate and status: these ask your own agent.
#include <fmt/format.h>

#include <cstring>
#include <filesystem>
#include <iostream>
#include <memory>

#include "tacit/agent/rows/agent_data.hpp"
#include "tacit/base/error.hpp"
#include "tacit/base/files.hpp"
#include "tacit/cli/agent/predictions.hpp"
#include "tacit/cli/agent/which_agent.hpp"
#include "tacit/cli/options/commands.hpp"
#include "tacit/cli/options/console.hpp"
#include "tacit/cli/options/data_options.hpp"
#include "tacit/cli/text/about.hpp"
#include "tacit/cli/text/answer_text.hpp"
#include "tacit/cli/text/numbers.hpp"

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
  ControlClient client(socket_of(o.agent));
  control::Progress answer;
  {
    const Held stop = console.stopping(client);
    answer = client.fit(o.without, console.words());
  }
  if (o.result.json) return console.answer(fit_json(answer));
  fmt::print("Model    {}\n", model_text(answer.fitted().model()));
  fmt::print("Who      {}\n", whose_data(answer));
  for (const std::string& note : answer.notes()) fmt::print("Note     {}\n", note);
}

// By a file, without agent and network.
Answered by_model(const AskCommand& o, Console& console) {
  const PortableModel model = PortableModel::load(o.model);
  Points points = read_points(o.input, model.inputs, {}, o.points, o.data.checked(), console.reader());
  control::Progress answer = answer_of(model, points.rows.inputs);
  return answered(std::move(points), std::move(answer));
}

// By an agent, whose agent.toml may say how its owner's files are read; with targets where they are compared.
Answered by_agent(const AskCommand& o, bool with_targets, Console& console) {
  ControlClient client(socket_of(o.agent));
  const Charter charter = client.charter();
  Points points = read_points(o.input, charter.inputs, with_targets ? charter.targets : std::vector<Column>(),
                              o.points, o.data.checked(reading_of(o.agent)), console.reader());
  Held stop;
  if (o.together) stop = console.stopping(client);  // what is asked at home ends with this program
  control::Progress answer = client.predict(points.rows.inputs, o.together, console.words());
  return answered(std::move(points), std::move(answer));
}

void predict(const AskCommand& o, Console& console) {
  const auto [points, answer] = o.model.empty() ? by_agent(o, false, console) : by_model(o, console);
  if (!o.output.empty())
    write_whole(o.output,
                o.result.json ? text_of(predictions_json(points, answer)) : predictions_csv(points, answer));
  else if (o.result.json)
    console.answer(predictions_json(points, answer));
  else
    std::cout << predictions_csv(points, answer);
  if (!answer.at_home() && !answer.without().empty()) console.note("note: " + whose_data(answer));
  for (const std::string& note : answer.notes()) console.note("note: " + note);
}

// Which model was scored is what the agent holds now.
Json with_about(const AskCommand& o, const Json& result, const Console& console) {
  std::vector<std::filesystem::path> files;
  if (!o.input.empty()) files.emplace_back(o.input);
  Json all{{"about", about("evaluate", console, {}, files)}};
  const Json model = model_json(ControlClient(socket_of(o.agent)).status().model());
  if (!model.is_null())
    all["about"]["model"] = {{"version", model.at("version")}, {"digest", model.at("digest")}};
  all.update(result);
  return all;
}

// Scores predictions for the user's own rows. Their targets stay here, and their inputs unless all are asked.
void evaluate_own(const AskCommand& o, Console& console) {
  const Answered found = by_agent(o, true, console);
  const control::Progress& answer = found.answer;
  o.result.give(
      console, [&] { return with_about(o, score_json(found.points, answer), console); },
      [&] {
        fmt::print("{}", score_text(found.points, answer));
        if (!answer.at_home())
          fmt::print("         ({}; their inputs were shown to these agents, their targets to nobody)\n",
                     whose_data(answer));
        for (const std::string& note : answer.notes()) fmt::print("Note     {}\n", note);
      });
  if (!o.result.report.empty()) console.note("note: the report shows the true values of these rows");
}

void evaluate(const AskCommand& o, Console& console) {
  o.result.check();
  if (!o.input.empty()) return evaluate_own(o, console);
  ControlClient client(socket_of(o.agent));
  if (o.together)
    throw InputError("--together needs --input: rows held out at home are scored there, and shown to nobody");
  control::Progress answer;
  {
    const Held stop = console.stopping(client);
    answer = client.evaluate(console.words());
  }
  const requests::Evaluated& score = answer.evaluated();
  o.result.give(
      console, [&] { return with_about(o, evaluate_json(answer), console); },
      [&] {
        fmt::print(
            "Score    {} held out at home: RMSE {:.4g}, mean log density {:.4g}\n"
            "         (each agent scored its own, as tacit predict answers, {}; the rows were shown to "
            "nobody)\n",
            plural(score.rows(), "row"), score.rmse(), score.log_density(), whose_data(answer));
      });
}

void status(const AskCommand& o, Console& console) {
  const control::StatusReply now = ControlClient(socket_of(o.agent)).status();
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

// How to read a file of points; for rows with cells that cannot be used there is one answer here, --skip-bad.
void add_reading(CLI::App& command, AskCommand& o, const char* skipped) {
  command.add_flag("--skip-bad", o.points.skip_bad, skipped)->group("Data");
  o.data.add_to(command, ColumnsFrom::charter, false);
}

const std::string stopping =
    "Ctrl-C asks the agents to stop what is asked together, and says what had happened; the exit code is "
    "then 1.\nA second Ctrl-C ends this command at once, and the agents may go on.\n\n";

}  // namespace

void add_asking(CLI::App& program, Console& console) {
  {
    const auto [command, o] =
        add(program, "fit", "Ask your agent to fit a model to all agents' data", "tacit fit");
    command->footer(stopping + command->get_footer());
    command
        ->add_option(
            "--without", o->without,
            "Leave these members out, by name; every owner's policy.without must allow it. Models with "
            "and without somebody can be subtracted from one another")
        ->delimiter(',')
        ->type_name("NAME[,NAME]");
    command->callback([o = o, &console] { fit(*o, console); });
  }
  {
    const auto [command, o] =
        add(program, "predict", "Ask your agent for predictions, or a model that was taken away",
            "tacit predict --input new_patients.csv --id patient --output predicted.csv\n"
            "  tacit predict --model model.tacit --input new_patients.csv --decimal comma --skip-bad\n"
            "  psql --csv -c 'SELECT * FROM new_patients' | tacit predict --input - > predicted.csv");
    command
        ->add_option("--input", o->input,
                     "A file with the charter's input columns: CSV, also packed by gzip, or MATLAB; - is "
                     "standard input")
        ->required()
        ->type_name("FILE");
    command
        ->add_option("--id", o->points.ids,
                     "Columns of the file that say which row is which; they come first in the output")
        ->delimiter(',')
        ->type_name("COL[,COL]");
    command->add_option("--output", o->output, "The file to write; standard output when left out")
        ->type_name("FILE");
    auto* together = command->add_flag(
        "--together", o->together,
        "Ask all agents of the model, which all see the points; else your agent answers at home, from the "
        "model and its own rows, and nobody learns what was asked");
    command
        ->add_option("--model", o->model,
                     "Ask this file, which tacit export has written, instead of an agent")
        ->excludes(together)
        ->type_name("FILE");
    add_reading(*command, *o,
                "Leave the line of a row empty when a cell is missing, no number, or outside of the "
                "charter's ranges and levels; else such a cell ends the command");
    command->footer(
        "The output has a line for every row of the input, in the same order: for a target y, its y_mean, "
        "y_latent_sd (of\nthe function), y_observed_sd (of a new observation), and y_low and y_high, the 95 "
        "% "
        "bounds of a new observation.\nWhat [data] in agent.toml says about files holds here, too, unless an "
        "option says otherwise.\n\n" +
        stopping + command->get_footer());
    command->callback([o = o, &console] { predict(*o, console); });
  }
  {
    const auto [command, o] = add(program, "evaluate", "Ask how good the model is, on rows that stay private",
                                  "tacit evaluate\n  tacit evaluate --input known_patients.csv --skip-bad");
    o->result.add_report(*command);
    CLI::Option* input =
        command
            ->add_option("--input", o->input,
                         "Score the rows of this file instead, at home; they are shown to nobody. - is "
                         "standard input")
            ->type_name("FILE");
    command->add_flag("--together", o->together,
                      "Score what all agents predict together for the rows of --input, whose inputs all of "
                      "them see");
    add_reading(*command, *o,
                "Leave a row out of the score when a cell is missing, no number, or outside of the charter's "
                "ranges and levels; else such a cell ends the command");
    command->footer(stopping + command->get_footer());
    for (CLI::Option* reads :
         command->get_options([](const CLI::Option* one) { return one->get_group() == "Data"; }))
      reads->needs(input);
    command->callback([o = o, &console] { evaluate(*o, console); });
  }
  {
    const auto [command, o] =
        add(program, "status", "Show what your agent is doing and which agents it can reach",
            "tacit status --json");
    command->callback([o = o, &console] { status(*o, console); });
  }
}

}  // namespace tacit::cli
