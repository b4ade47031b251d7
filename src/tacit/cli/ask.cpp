// tacit fit, predict, evaluate and status: these ask your own agent.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <memory>

#include "tacit/agent/agent_config.hpp"
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
  std::string agent, input, output;
  std::vector<std::string> without;
  bool json = false;
};

std::filesystem::path socket_of(const std::string& agent) {
  std::error_code ignored;
  if (std::filesystem::is_socket(agent, ignored)) return agent;
  if (std::filesystem::is_directory(agent, ignored)) return read_agent_config(agent + "/agent.toml").control;
  return read_agent_config(agent).control;
}

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

void predict(const AskCommand& o) {
  ControlClient client(socket_of(o.agent));
  const Samples points = read_points(o.input, client.charter());
  control::Progress answer;
  {
    Line line;
    answer = client.predict(points.inputs, line.words());
  }
  const std::string text = o.json ? predictions_json(answer).dump(2) + '\n' : predictions_csv(answer);
  if (o.output.empty())
    std::cout << text;
  else
    write_whole(o.output, text);
  if (!answer.without().empty()) fmt::print(stderr, "note: {}\n", whose_data(answer));
}

// Scores the consortium's predictions for the user's own rows. Their targets stay here.
void evaluate_openly(const AskCommand& o, ControlClient& client) {
  const Samples rows = read_points(o.input, client.charter());
  if (rows.outputs.rows() == 0)
    throw InputError(
        fmt::format("{}: the target columns are missing; predictions are compared with them", o.input));
  control::Progress answer;
  {
    Line line;
    answer = client.predict(rows.inputs, line.words());
  }
  const PointPredictions found = predictions_of(answer.predicted());
  const Quality score = quality(found.mean, found.observed_deviation.cwiseAbs2(), rows.outputs);
  const auto scored = static_cast<std::uint64_t>(rows.outputs.rows());
  if (o.json)
    return print({{"rows", scored},
                  {"rmse", number(score.rmse)},
                  {"log_density", number(score.log_density)},
                  {"coverage", number(score.coverage)},
                  {"inputs_shown", true}});
  fmt::print(
      "Score    {} of your own: RMSE {:.4g}, mean log density {:.4g}, {:.1f} % within the 95 % interval\n"
      "         ({}; their inputs were shown to these agents, their targets to nobody)\n",
      plural(scored, "row"), score.rmse, score.log_density, 100 * score.coverage, whose_data(answer));
}

void evaluate(const AskCommand& o) {
  ControlClient client(socket_of(o.agent));
  if (!o.input.empty()) return evaluate_openly(o, client);
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
      "         (each agent's own expert, {}; the rows were shown to nobody)\n",
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
    command->callback([o = o] { predict(*o); });
  }
  {
    const auto [command, o] =
        add(program, "evaluate", "Ask how good the model is, on rows that stay private", "tacit evaluate");
    command
        ->add_option("--input", o->input,
                     "Score the rows of this CSV file instead; all agents see their inputs")
        ->type_name("FILE");
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
