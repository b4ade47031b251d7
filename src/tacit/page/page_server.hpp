// The agent's page: a server for browsers on this machine. It uses the same calls as the commands, and
// communicates only with the agent, over its control socket.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "tacit/agent/control/local_http.hpp"
#include "tacit/agent/control/local_servers.hpp"
#include "tacit/agent/daemon/agent_config.hpp"
#include "tacit/agent/daemon/served_charter.hpp"
#include "tacit/link/node/node_options.hpp"

namespace tacit {

class PageServer : public LocalServer {
 public:
  /// Serves the agent with this configuration, which must have [page]; its control socket must be open.
  /// Creates a new token if `new_token` or if there is none. Throws Error if the port cannot be opened.
  PageServer(const AgentConfig& config, ServedCharter served, const LogSink& log, bool new_token = false);
  /// Ends the streams in progress; the agent may continue their requests.
  ~PageServer() override;

  int port() const;
  std::string address() const override;

 private:
  struct State;
  std::shared_ptr<State> state_;
  std::unique_ptr<LocalHttp> http_;
};

/// For run_agent. The first page that it opens has a new token, and so has a page whose port was taken
/// before: the program that had the port may have learnt the token. A page that reopens at once, after a
/// reload, keeps it.
std::function<std::shared_ptr<LocalServer>(const AgentConfig&, const ServedCharter&, const LogSink&)>
page_opener();

/// The URL for a browser, without the token, of the server that is bound to this host:port.
std::string page_address(const std::string& bound);

}  // namespace tacit
