#include "tacit/agent/control/local_http.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <httplib.h>

#include <condition_variable>
#include <mutex>
#include <semaphore>
#include <thread>

#include "tacit/base/error.hpp"
#include "tacit/base/listen_fault.hpp"
#include "tacit/identity/card.hpp"

namespace tacit {
namespace {

// Blocks the accepting thread while too many connections are open.
class FewAtOnce final : public httplib::TaskQueue {
 public:
  FewAtOnce(std::size_t workers, std::ptrdiff_t connections) : room_(connections), pool_(workers) {}

  void enqueue(std::function<void()> job) override {
    room_.acquire();
    pool_.enqueue([this, job = std::move(job)] {
      job();
      room_.release();
    });
  }
  void shutdown() override { pool_.shutdown(); }

 private:
  std::counting_semaphore<> room_;
  httplib::ThreadPool pool_;
};

std::string why_not(const std::string& host, const std::string& port) {
  const std::string why = listen_fault(host, port);
  return why.empty() ? "the port was in use until just now; try again" : why;
}

// The usual spelling of a numeric address.
std::string canonical(const std::string& host) {
  in6_addr bytes{};
  char text[INET6_ADDRSTRLEN];
  if (::inet_pton(AF_INET6, host.c_str(), &bytes) != 1) return host;
  return fmt::format("[{}]", ::inet_ntop(AF_INET6, &bytes, text, sizeof text));
}

}  // namespace

bool is_loopback(const std::string& host) {
  in_addr v4{};
  in6_addr v6{};
  if (host == "localhost") return true;
  if (::inet_pton(AF_INET, host.c_str(), &v4) == 1) return (ntohl(v4.s_addr) >> 24) == 127;
  return ::inet_pton(AF_INET6, host.c_str(), &v6) == 1 && IN6_IS_ADDR_LOOPBACK(&v6);
}

bool asks_for_this_machine(const httplib::Request& request) {
  const std::string host = request.get_header_value("Host");
  const bool bare_v6 = !host.empty() && host.front() == '[' && host.back() == ']';
  return is_loopback(bare_v6 ? host.substr(1, host.size() - 2) : host_and_port(host).first);
}

// The limit for clients that hang: a reload must not wait longer.
constexpr auto shutdown_limit = std::chrono::seconds(3);

// Shared with the listening thread, which may outlive the agent's other parts.
struct LocalHttp::State {
  httplib::Server server;
  int port = 0;
  std::string address;
  std::mutex guard;
  std::condition_variable changed;
  bool ended = false;
};

LocalHttp::LocalHttp(const LocalHttpOptions& options, const std::function<void(httplib::Server&)>& routes)
    : state_(std::make_shared<State>()) {
  State& state = *state_;
  httplib::Server& server = state.server;
  server.new_task_queue = [workers = options.workers, connections = options.connections] {
    return new FewAtOnce(workers, connections);
  };
  server.set_keep_alive_max_count(1);
  server.set_keep_alive_timeout(options.patience.count());
  server.set_read_timeout(options.patience);
  server.set_write_timeout(options.patience);
  server.set_payload_max_length(options.most_bytes);
  server.set_socket_options([](int socket) {  // not SO_REUSEPORT: two agents on one port are an error
    const int yes = 1;
    ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  });
  routes(server);
  const auto [host, port] = host_and_port(options.listen);
  const std::string where = host == "localhost" ? "127.0.0.1" : host;
  const int wanted = std::stoi(port);
  state.port = wanted == 0                          ? server.bind_to_any_port(where)
               : server.bind_to_port(where, wanted) ? wanted
                                                    : -1;
  if (state.port < 0)
    throw InputError(
        fmt::format("{}: cannot listen on {}: {}", options.field, options.listen, why_not(where, port)));
  state.address = fmt::format("{}:{}", canonical(where), state.port);
  std::thread([shared = state_] {
    shared->server.listen_after_bind();
    const std::lock_guard lock(shared->guard);
    shared->ended = true;
    shared->changed.notify_all();
  }).detach();
  // stop() has no effect before the server runs.
  while (!server.is_running()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

LocalHttp::~LocalHttp() {
  state_->server.stop();
  std::unique_lock lock(state_->guard);
  state_->changed.wait_for(lock, shutdown_limit, [&] { return state_->ended; });
}

int LocalHttp::port() const { return state_->port; }

std::string LocalHttp::address() const { return state_->address; }

}  // namespace tacit
