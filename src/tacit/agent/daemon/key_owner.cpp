#include "tacit/agent/daemon/key_owner.hpp"

#include <fmt/format.h>

#include <future>
#include <utility>
#include <vector>

#include "tacit/base/error.hpp"
#include "tacit/base/system/files.hpp"
#include "tacit/base/system/listen_fault.hpp"
#include "tacit/identity/card.hpp"

namespace tacit {
namespace {

namespace fs = std::filesystem;

fs::path member_file(const fs::path& state) { return state / "member"; }

// Whether an agent of this machine that listens there is reached at this address.
bool reached_at(const std::string& listen, const std::string& address) {
  if (listen == address) return true;
  const auto [host, port] = host_and_port(address);
  return !host.empty() && port == host_and_port(listen).second && is_of_this_machine(host);
}

// The member whose address the agent has, if it is not `self`. The own address may be that of a gateway.
std::string member_at(const std::string& listen, const Charter& charter, AgentId self) {
  if (reached_at(listen, charter.agents[self].address)) return "";
  std::vector<std::pair<std::string, std::future<bool>>> tries;
  for (const CharterAgent& one : charter.agents)
    if (one.name != charter.name_of(self))
      tries.emplace_back(one.name, std::async(std::launch::async, reached_at, listen, one.address));
  std::string found;
  for (auto& [name, is_there] : tries)
    if (is_there.get() && found.empty()) found = name;
  return found;
}

std::string member_of(const fs::path& state) {
  if (!fs::exists(member_file(state))) return "";
  std::string name = read_whole(member_file(state), 100);
  while (!name.empty() && name.back() == '\n') name.pop_back();
  return name;
}

}  // namespace

void check_key_owner(const AgentConfig& config, const Charter& charter, AgentId self) {
  const std::string& name = charter.name_of(self);
  const std::string keys =
      fmt::format("identity: the keys in {} are those of {}", config.identity.string(), name);
  if (config.name && *config.name != name)
    throw InputError(fmt::format(
        "{0}, but agent.toml is that of {1} (name); set identity to the keys of {1}, or correct name", keys,
        *config.name));
  const std::string before = member_of(config.state);
  if (before == name) return;  // they are its keys, wherever it listens
  if (!before.empty())
    throw InputError(
        fmt::format("{0}, but the state folder {1} belongs to {2}; set identity to the keys of {2}, or state "
                    "to a folder for {3}",
                    keys, config.state.string(), before, name));
  if (const std::string other = member_at(config.listen, charter, self); !other.empty())
    throw InputError(fmt::format(
        "{0}, but this agent listens on {1}, the address of {2} in the charter; set identity to the "
        "keys of {2}, or correct listen",
        keys, config.listen, other));
}

void record_member(const fs::path& state, const std::string& name) {
  if (member_of(state) != name) write_whole(member_file(state), name + '\n', 0600);
}

}  // namespace tacit
