// tacit fit, predict, evaluate and status: these ask your own agent.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <memory>

#include "tacit/agent/agent_data.hpp"
#include "tacit/base/error.hpp"
#include "tacit/base/files.hpp"
#include "tacit/cli/answers.hpp"
#include "tacit/cli/commands.hpp"
#include "tacit/cli/numbers.hpp"
#include "tacit/consortium/quality.hpp"

namespace tacit::cli {
namespace {

struct AskCommand {
  std::string agent, input, output, model;
  std::vector<std::string> without;
  bool json = false, together = false;
};

// A progress line on the terminal; nothing in a pipe.
class Line {
 public:
  void say(const std::string& words) {
    if (!shown_) return;
    fmt::print(stderr, "\r\033[K{}", words);
    std::fflush(stderr);
    said_ = true;
  }
  ~Line() {
    if (said_) fmt::print(stderr, "\r\033[K");
  }
  ControlClient::Words words() {
    return [this](const std::string& said) { say(said); };
  }

 private:
  const bool shown_ = isatty(STDERR_FILENO) == 1;
  bool said_ = false;
};

void print(const Json& json) { std::cout << json.dump(2) << '\n'; }

void fit(const AskCommand& o) {
  ControlClient client(socket_of(o.agent));
  control::Progress answer;
  {
    Line line;
    answer = client.fit(o.without, line.words());
  }
  if (o.json) return print(fit_json(answer));
  fmt::print("Model    {}\n", model_text(answer.fitted().model()));
  fmt::print("Who      {}\n", whose_data(answer));
  for (const std::string& note : answer.notes()) fmt::print("Note     {}\n", note);
}

control::Progress asked(const AskCommand& o, ControlClient& client, const Matrix& points) {
  Line line;
  return client.predict(points, o.together, line.words());
}

// By a file, without agent and network.
control::Progress by_model(const AskCommand& o) {
  const PortableModel model = PortableModel::load(o.model);
  return answer_of(model, read_points(o.input, model.inputs, model.targets).inputs);
}

control::Progress by_agent(const AskCommand& o) {
  ControlClient client(socket_of(o.agent));
  return asked(o, client, read_points(o.input, client.charter()).inputs);
}

void predict(const AskCommand& o) {
  const control::Progress answer = o.model.empty() ? by_agent(o) : by_model(o);
  const std::string text = o.json ? predictions_json(answer).dump(2) + '\n' : predictions_csv(answer);
  if (o.output.empty())
    std::cout << text;
  else
    write_whole(o.output, text);
  if (!answer.at_home() && !answer.without().empty()) fmt::print(stderr, "note: {}\n", whose_data(answer));
  for (const std::string& note : answer.notes()) fmt::print(stderr, "note: {}\n", note);
}

// Scores predictions for the user's own rows. Their targets stay here, and their inputs unless all are asked.
void evaluate_own(const AskCommand& o, ControlClient& client) {
  const Samples rows = read_points(o.input, client.charter());
  if (rows.outputs.rows() == 0)
    throw InputError(
        fmt::format("{}: the target columns are missing; predictions are compared with them", o.input));
  const control::Progress answer = asked(o, client, rows.inputs);
  const PointPredictions found = predictions_of(answer.predicted());
  const Quality score = quality(found.mean, found.observed_deviation.cwiseAbs2(), rows.outputs);
  const auto scored = static_cast<std::uint64_t>(rows.outputs.rows());
  if (o.json)
    return print({{"rows", scored},
                  {"rmse", number(score.rmse)},
                  {"log_density", number(score.log_density)},
                  {"coverage", number(score.coverage)},
                  {"inputs_shown", !answer.at_home()}});
  fmt::print(
      "Score    {} of your own: RMSE {:.4g}, mean log density {:.4g}, {:.1f} % within the 95 % interval\n",
      plural(scored, "row"), score.rmse, score.log_density, 100 * score.coverage);
  if (!answer.at_home())
    fmt::print("         ({}; their inputs were shown to these agents, their targets to nobody)\n",
               whose_data(answer));
  for (const std::string& note : answer.notes()) fmt::print("Note     {}\n", note);
}

void evaluate(const AskCommand& o) {
  ControlClient client(socket_of(o.agent));
  if (!o.input.empty()) return evaluate_own(o, client);
  if (o.together)
    throw InputError("--together needs --input: rows held out at home are scored there, and shown to nobody");
  control::Progress answer;
  {
    Line line;
    answer = client.evaluate(line.words());
  }
  const requests::Evaluated& score = answer.evaluated();
  if (o.json)
    return print({{"rows", score.rows()},
                  {"rmse", number(score.rmse())},
                  {"log_density", number(score.log_density())},
                  {"inputs_shown", false}});
  fmt::print(
      "Score    {} held out at home: RMSE {:.4g}, mean log density {:.4g}\n"
      "         (each agent scored its own, as tacit predict answers, {}; the rows were shown to nobody)\n",
      plural(score.rows(), "row"), score.rmse(), score.log_density(), whose_data(answer));
}

void status(const AskCommand& o) {
  const control::StatusReply now = ControlClient(socket_of(o.agent)).status();
  if (o.json) return print(status_json(now));
  fmt::print("{}", status_text(now));
}

std::pair<CLI::App*, std::shared_ptr<AskCommand>> add(CLI::App& program, const char* name, const char* what,
                                                      const char* example) {
  CLI::App* command = program.add_subcommand(name, what);
  auto o = std::make_shared<AskCommand>();
  const char* usual = std::getenv("TACIT_AGENT");
  o->agent = usual ? usual : "agent.toml";
  command
      ->add_option("--agent", o->agent,
                   "Which agent to ask: its agent.toml, the folder of that file, or its control socket. The "
                   "environment variable TACIT_AGENT sets it for all commands")
      ->capture_default_str()
      ->type_name("PATH");
  command->add_flag("--json", o->json, "One JSON object on standard output");
  command->footer(fmt::format("Example:\n  {}", example));
  return {command, o};
}

}  // namespace

void add_asking(CLI::App& program) {
  {
    const auto [command, o] =
        add(program, "fit", "Ask your agent to fit a model to all agents' data", "tacit fit");
    command
        ->add_option(
            "--without", o->without,
            "Leave these members out, by name; every owner's policy.without must allow it. Models with "
            "and without somebody can be subtracted from one another")
        ->delimiter(',')
        ->type_name("NAME[,NAME]");
    command->callback([o = o] { fit(*o); });
  }
  {
    const auto [command, o] = add(program, "predict", "Ask your agent for predictions",
                                  "tacit predict --input new_patients.csv > predicted.csv");
    command->add_option("--input", o->input, "A CSV file with the charter's input columns")
        ->required()
        ->type_name("FILE");
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
    command->callback([o = o] { predict(*o); });
  }
  {
    const auto [command, o] =
        add(program, "evaluate", "Ask how good the model is, on rows that stay private", "tacit evaluate");
    command
        ->add_option("--input", o->input,
                     "Score the rows of this CSV file instead, at home; they are shown to nobody")
        ->type_name("FILE");
    command->add_flag("--together", o->together,
                      "Score what all agents predict together for the rows of --input, whose inputs all of "
                      "them see");
    command->callback([o = o] { evaluate(*o); });
  }
  {
    const auto [command, o] =
        add(program, "status", "Show what your agent is doing and which agents it can reach",
            "tacit status --json");
    command->callback([o = o] { status(*o); });
  }
}

}  // namespace tacit::cli
