// The agent's page: a server for a browser on this machine, on top of the same calls as the commands. It
// talks to the agent over its control socket, and to nobody else.
#pragma once

#include <memory>
#include <string>

#include "tacit/agent/control/local_http.hpp"
#include "tacit/agent/daemon/agent_config.hpp"
#include "tacit/link/node/node_options.hpp"

namespace tacit {

class PageServer {
 public:
  /// Of the agent with this configuration, which must have [page] and whose control socket must be up. Makes
  /// the token when there is none. Throws InputError when the address is taken.
  PageServer(const AgentConfig& config, const LogSink& log);
  /// Ends what is under way here; the agent may go on with it.
  ~PageServer();
  PageServer(const PageServer&) = delete;

  int port() const;

 private:
  struct State;
  std::shared_ptr<State> state_;
  std::unique_ptr<LocalHttp> http_;
};

/// For run_agent: the page, when the configuration wants it.
std::shared_ptr<void> page_beside(const AgentConfig& config, const LogSink& log);

/// What to open in a browser, without the token.
std::string page_address(const std::string& listen);

}  // namespace tacit
