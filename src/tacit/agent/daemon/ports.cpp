#include "tacit/agent/daemon/ports.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <tuple>

#include "tacit/agent/control/control.hpp"
#include "tacit/base/error.hpp"
#include "tacit/base/system/listen_fault.hpp"
#include "tacit/identity/card.hpp"

namespace tacit {
namespace {

// An address as the servers bind it.
struct Place {
  explicit Place(const std::string& address) {
    std::tie(host, port) = host_and_port(address);
    if (host == "localhost") host = "127.0.0.1";
  }
  // Whether only one of the two can be open. A wildcard stands for all addresses of the machine.
  bool conflicts_with(const Place& other) const {
    const auto wildcard = [](const std::string& name) {
      return name.empty() || name == "0.0.0.0" || name == "::";
    };
    return port == other.port && (host == other.host || wildcard(host) || wildcard(other.host));
  }

  std::string host, port;
};

// What the running agent with this control socket has open.
std::vector<Place> open_places(const AgentConfig& config) {
  std::vector<Place> places;
  if (!std::filesystem::exists(config.control)) return places;
  try {
    const control::StatusReply status = ControlClient(config.control).status();
    places.emplace_back(status.listen());
    for (const control::LocalServer& one : status.servers())
      if (!one.address().empty()) places.emplace_back(one.address());
  } catch (const Error&) {  // it does not run
  }
  return places;
}

}  // namespace

std::vector<Finding> port_findings(const AgentConfig& config) {
  std::vector<std::pair<const char*, std::string>> wanted{{"listen", config.listen}};
  if (config.metrics) wanted.emplace_back("metrics.listen", *config.metrics);
  if (config.page) wanted.emplace_back("page.listen", *config.page);
  std::vector<Finding> findings;
  std::optional<std::vector<Place>> own;
  std::vector<Place> seen;
  for (const auto& [field, address] : wanted) {
    const Place place(address);
    const auto conflicts = [&](const Place& other) { return place.conflicts_with(other); };
    const bool twice = std::ranges::any_of(seen, conflicts);
    seen.push_back(place);
    const std::string fault = twice ? "another field of agent.toml has the same port; choose another port"
                                    : listen_fault(place.host, place.port);
    if (!fault.empty() && !twice && !own) own = open_places(config);
    const bool open = !twice && own && std::ranges::any_of(*own, conflicts);
    const std::string text = fault.empty() ? fmt::format("{}: {} can be opened", field, address)
                             : open        ? fmt::format("{}: this agent has {} open", field, address)
                                    : fmt::format("{}: cannot listen on {}: {}", field, address, fault);
    findings.push_back({fault.empty() || open ? Finding::Kind::good : Finding::Kind::error, text, text});
  }
  return findings;
}

}  // namespace tacit
