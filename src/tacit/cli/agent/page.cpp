// tacit page: prints the link to an agent's page.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "tacit/agent/control/control.hpp"
#include "tacit/agent/daemon/agent_config.hpp"
#include "tacit/base/error.hpp"
#include "tacit/cli/agent/which_agent.hpp"
#include "tacit/cli/options/commands.hpp"
#include "tacit/cli/options/console.hpp"
#include "tacit/page/page_server.hpp"
#include "tacit/page/page_token.hpp"

namespace tacit::cli {
namespace {

struct PageCommand {
  std::string agent;
  bool renew = false, json = false;
};

// The address of the page's server. Throws Error if the running agent has none.
std::string bound_address(const std::string& agent, const control::StatusReply& status) {
  const auto& servers = status.servers();
  const auto page = std::ranges::find(servers, "page.listen", &control::LocalServer::field);
  if (page == servers.end())
    throw Error(fmt::format(
        "{}: the running agent has no page yet; run tacit agent reload, because [page] is new in agent.toml",
        agent));
  if (page->address().empty()) throw Error(fmt::format("{}: there is no page: {}", agent, page->fault()));
  return page->address();
}

void page(const PageCommand& o, Console& console) {
  const AgentConfig config = read_agent_config(o.agent);
  if (!config.page)
    throw Error(
        fmt::format("{}: this agent has no page; add a section [page] with listen = \"127.0.0.1:8741\" at "
                    "the end of its agent.toml, then run tacit agent reload",
                    o.agent));
  const std::string address = bound_address(o.agent, ControlClient(config.control).status());
  const PageToken token(config.state);
  if (o.renew) token.renew();
  const std::string link = page_address(address) + "#token=" + token.read();
  if (o.json) return console.answer({{"link", link}});
  fmt::print("{}\n", link);
  std::fflush(stdout);
  console.note(
      "Open this link in a browser on this machine. The link gives all your rights on the agent to anyone "
      "who has it; tacit page --new revokes it.");
}

}  // namespace

void add_page(CLI::App& program, Console& console) {
  CLI::App* command = program.add_subcommand("page", "Print the link to your agent's page in a browser");
  auto o = std::make_shared<PageCommand>();
  o->agent = usual_agent();
  add_which_agent(*command, o->agent, "The agent: its agent.toml, or the folder of that file");
  command->add_flag("--new", o->renew, "Create a new link; earlier links stop working");
  command->add_flag("--json", o->json, "Print one JSON object on standard output");
  command->footer(
      "The page needs a section [page] in agent.toml, with listen = \"127.0.0.1:8741\". Only this machine "
      "can open the page.\n"
      "From another machine, use ssh with the same port on both sides, then open the link there:\n"
      "  ssh -L 8741:127.0.0.1:8741 hospital-1.example\n\n"
      "Example:\n"
      "  tacit page --agent hospital-1");
  command->callback([o, &console] { page(*o, console); });
}

}  // namespace tacit::cli
