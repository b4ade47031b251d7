// tacit export: writes the agent's model to a file that predicts without agent and network.
#include <fmt/format.h>

#include <memory>

#include "tacit/agent/control/control.hpp"
#include "tacit/base/error.hpp"
#include "tacit/base/system/files.hpp"
#include "tacit/cli/agent/which_agent.hpp"
#include "tacit/cli/options/commands.hpp"
#include "tacit/cli/options/console.hpp"

namespace tacit::cli {
namespace {

struct ExportCommand {
  std::string agent, out;
  bool with_experts = false, force = false, json = false;
};

void export_model(const ExportCommand& o, Console& console) {
  if (!o.force && std::filesystem::exists(o.out))
    throw InputError(fmt::format("{}: this file already exists; name another file or use --force", o.out));
  ControlClient client(asked_agent(o.agent).socket);
  write_whole(o.out, client.exported(o.with_experts), 0600);
  if (o.json)
    console.answer({{"file", o.out}, {"with_experts", o.with_experts}});
  else
    fmt::print(
        "Wrote {}. To predict without an agent or a network: tacit predict --model {} --input new.csv\n",
        o.out, o.out);
  if (o.with_experts)
    console.note(
        fmt::format("warning: {} contains all rows of this agent, unencrypted; protect it like the data, and "
                    "give it only to people who may see the data",
                    o.out));
}

}  // namespace

void add_export(CLI::App& program, Console& console) {
  CLI::App* command =
      program.add_subcommand("export", "Write your agent's model to a file for use without the agent");
  auto o = std::make_shared<ExportCommand>();
  o->agent = usual_agent();
  add_which_agent(*command, o->agent);
  command->add_option("-o,--out", o->out, "The output file, which only you can read")
      ->required()
      ->type_name("FILE");
  command->add_flag("--with-experts", o->with_experts,
                    "Include this agent's own rows. The file then answers as the agent does at home, and "
                    "contains the rows in readable form");
  command->add_flag("--force", o->force, "Overwrite the file");
  command->add_flag("--json", o->json, "Print one JSON object on standard output");
  command->footer(
      "Without --with-experts, the file contains only the pooled part of the model, which all agents of the "
      "fit have. It\n"
      "contains no rows, and its answers are slightly less certain. A model without landmarks has no pooled "
      "part.\n\n"
      "Example:\n"
      "  tacit export --agent hospital-1 -o model.tacit\n"
      "  tacit predict --model model.tacit --input new_patients.csv");
  command->callback([o, &console] { export_model(*o, console); });
}

}  // namespace tacit::cli
