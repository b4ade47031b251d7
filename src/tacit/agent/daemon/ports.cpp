#include "tacit/agent/daemon/ports.hpp"

#include <fmt/format.h>

#include <optional>
#include <set>
#include <string>

#include "tacit/agent/control/control.hpp"
#include "tacit/base/error.hpp"
#include "tacit/base/system/listen_fault.hpp"
#include "tacit/identity/card.hpp"

namespace tacit {
namespace {

std::string port_of(const std::string& address) { return host_and_port(address).second; }

// The ports that the running agent with this control socket has open.
std::set<std::string> open_ports(const AgentConfig& config) {
  std::set<std::string> ports;
  if (!std::filesystem::exists(config.control)) return ports;
  try {
    const control::StatusReply status = ControlClient(config.control).status();
    ports.insert(port_of(status.listen()));
    for (const control::LocalServer& one : status.servers())
      if (!one.address().empty()) ports.insert(port_of(one.address()));
  } catch (const Error&) {  // it does not run
  }
  return ports;
}

}  // namespace

std::vector<Finding> port_findings(const AgentConfig& config) {
  std::vector<std::pair<const char*, std::string>> wanted{{"listen", config.listen}};
  if (config.metrics) wanted.emplace_back("metrics.listen", *config.metrics);
  if (config.page) wanted.emplace_back("page.listen", *config.page);
  std::vector<Finding> findings;
  std::optional<std::set<std::string>> own;
  std::set<std::string> seen;
  for (const auto& [field, address] : wanted) {
    const auto [name, port] = host_and_port(address);
    const std::string host = name == "localhost" ? "127.0.0.1" : name;  // as the servers do
    std::string fault = seen.insert(port).second
                            ? listen_fault(host, port)
                            : "another field of agent.toml has the same port; choose another port";
    if (!fault.empty() && !own) own = open_ports(config);
    const bool open = own && own->contains(port);
    const std::string text = fault.empty() ? fmt::format("{}: {} can be opened", field, address)
                             : open        ? fmt::format("{}: this agent has {} open", field, address)
                                    : fmt::format("{}: cannot listen on {}: {}", field, address, fault);
    findings.push_back({fault.empty() || open ? Finding::Kind::good : Finding::Kind::error, text, text});
  }
  return findings;
}

}  // namespace tacit
