// The agent's page: a server for browsers on this machine. It uses the same calls as the commands, and
// communicates only with the agent, over its control socket.
#pragma once

#include <memory>
#include <string>

#include "tacit/agent/control/local_http.hpp"
#include "tacit/agent/daemon/agent_config.hpp"
#include "tacit/link/node/node_options.hpp"

namespace tacit {

class PageServer {
 public:
  /// Serves the agent with this configuration, which must have [page]; its control socket must be open.
  /// Creates the token if there is none. Throws InputError if the address is in use.
  PageServer(const AgentConfig& config, const LogSink& log);
  /// Ends the streams in progress; the agent may continue their requests.
  ~PageServer();
  PageServer(const PageServer&) = delete;

  int port() const;

 private:
  struct State;
  std::shared_ptr<State> state_;
  std::unique_ptr<LocalHttp> http_;
};

/// For run_agent: the page, or null without [page].
std::shared_ptr<void> page_beside(const AgentConfig& config, const LogSink& log);

/// The URL for a browser, without the token.
std::string page_address(const std::string& listen);

}  // namespace tacit
