#include "tacit/cli/agent/which_agent.hpp"

#include <cstdlib>

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

}  // namespace tacit::cli
