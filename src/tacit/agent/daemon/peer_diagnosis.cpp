#include "tacit/agent/daemon/peer_diagnosis.hpp"

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <future>
#include <iterator>
#include <thread>
#include <vector>

#include "tacit/agent/daemon/preflight.hpp"
#include "tacit/base/error.hpp"

namespace tacit {
namespace {

using namespace std::chrono_literals;

constexpr auto most_trying = 1000ms;

// On a detached thread, because a name server may take longer than most_trying.
std::future<bool> try_to_reach(const std::string& address) {
  const auto promise = std::make_shared<std::promise<bool>>();
  std::future<bool> there = promise->get_future();
  std::thread([promise, address] { promise->set_value(reachable(address, most_trying)); }).detach();
  return there;
}

// The process that listens on a unix socket, as reported by the kernel, or the error of connect().
struct Listener {
  pid_t process = 0;  // 0 if unknown
  int error = 0;
};

Listener listener_of(const std::filesystem::path& file) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string name = file.string();
  if (name.size() >= sizeof address.sun_path) return {0, ENAMETOOLONG};
  std::memcpy(address.sun_path, name.c_str(), name.size() + 1);
  const int handle = ::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (handle < 0) return {0, errno};
  Listener found;
  if (::connect(handle, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
    found.error = errno == EAGAIN ? 0 : errno;  // the agent listens, but its queue is full
  ucred credentials{};
  socklen_t size = sizeof credentials;
  if (found.error == 0 && ::getsockopt(handle, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0)
    found.process = credentials.pid;
  ::close(handle);
  return found;
}

// Reads the state letter in /proc/PID/stat. It follows the name, which may contain any character.
bool is_stopped(pid_t process) {
  std::ifstream in(fmt::format("/proc/{}/stat", process));
  const std::string text(std::istreambuf_iterator<char>(in), {});
  const std::size_t end = text.rfind(')');
  if (end == std::string::npos || end + 2 >= text.size()) return false;
  return text[end + 2] == 'T' || text[end + 2] == 't';
}

std::string stopped_words(const std::string& socket, pid_t process) {
  return fmt::format("the agent at {} (process {}) is stopped; continue it with kill -CONT {}", socket,
                     process, process);
}

}  // namespace

void diagnose_peers(control::StatusReply& reply) {
  std::vector<std::pair<control::Peer*, std::future<bool>>> tries;
  for (control::Peer& peer : *reply.mutable_peers())
    if (peer.neighbour() && !peer.up() && peer.refusal().empty() && !peer.address().empty())
      tries.emplace_back(&peer, try_to_reach(peer.address()));
  const auto deadline = std::chrono::steady_clock::now() + most_trying;
  for (auto& [peer, there] : tries)
    peer->set_why(
        there.wait_until(deadline) == std::future_status::ready && there.get()
            ? "its machine accepts connections, but the agent does not answer: it is starting, stopped, "
              "hanging or overloaded, or it has another charter without this agent's certificate"
            : "no process listens at its address");
}

void check_listening(const std::filesystem::path& socket) {
  const Listener found = listener_of(socket);
  if (found.error == EACCES || found.error == EPERM)
    throw Error(fmt::format("only the owner of {} may use this agent", socket.string()));
  if (found.error != 0)  // includes a socket file that an agent left behind
    throw Error(fmt::format(
        "no agent listens at {}; start it with tacit agent, or specify its agent.toml with `agent`",
        socket.string()));
  if (found.process > 0 && is_stopped(found.process))
    throw Error(stopped_words(socket.string(), found.process));
}

int process_behind(const std::filesystem::path& socket) { return listener_of(socket).process; }

std::string why_silent(const std::filesystem::path& socket, const std::string& limit) {
  const Listener found = listener_of(socket);
  const std::string name = socket.string();
  if (found.error != 0) return fmt::format("the agent at {} stopped before it answered", name);
  if (found.process <= 0)
    return fmt::format("the agent at {} did not answer within {}: it hangs or is overloaded", name, limit);
  if (is_stopped(found.process)) return stopped_words(name, found.process);
  return fmt::format("the agent at {} (process {}) did not answer within {}: it hangs or is overloaded", name,
                     found.process, limit);
}

}  // namespace tacit
