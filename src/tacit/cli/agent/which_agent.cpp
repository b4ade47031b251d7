#include "tacit/cli/agent/which_agent.hpp"

#include <cstdlib>

#include "tacit/agent/daemon/agent_config.hpp"

namespace tacit::cli {

std::string usual_agent() {
  const char* usual = std::getenv("TACIT_AGENT");
  return usual ? usual : "agent.toml";
}

void add_which_agent(CLI::App& command, std::string& agent, const char* what) {
  command
      .add_option(
          "--agent", agent,
          std::string(what) + ". The environment variable TACIT_AGENT sets the default of all commands")
      ->capture_default_str()
      ->type_name("PATH");
}

AskedAgent asked_agent(const std::string& agent) {
  std::error_code ignored;
  if (std::filesystem::is_socket(agent, ignored)) return {agent};
  AgentConfig config = read_agent_config(agent);
  return {config.control, std::move(config.data.how)};
}

}  // namespace tacit::cli
