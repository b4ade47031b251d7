#include "tacit/agent/metrics.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <httplib.h>

#include <condition_variable>
#include <mutex>
#include <semaphore>
#include <thread>

#include "tacit/base/error.hpp"
#include "tacit/identity/card.hpp"

namespace tacit {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t workers = 2;
constexpr std::ptrdiff_t most_connections = 16;  // taken at once; others wait with the system
constexpr auto patience = 2s;                    // for a client to go on
constexpr const char* format = "text/plain; version=0.0.4; charset=utf-8";

// Values of labels are in quotes.
std::string escaped(const std::string& value) {
  std::string text;
  for (const char c : value) {
    if (c == '\\' || c == '"') text += '\\';
    text += c == '\n' ? std::string("\\n") : std::string(1, c);
  }
  return text;
}

class Page {
 public:
  Page& metric(const char* name, const char* type, const char* help) {
    name_ = name;
    text_ += fmt::format("# HELP {} {}\n# TYPE {} {}\n", name, help, name, type);
    return *this;
  }
  using Labels = std::initializer_list<std::pair<const char*, std::string>>;
  template <class Number>
  Page& value(Labels labels, Number number, const char* suffix = "") {
    std::string inside;
    for (const auto& [key, word] : labels)
      inside += fmt::format("{}{}=\"{}\"", inside.empty() ? "" : ",", key, escaped(word));
    text_ += fmt::format("{}{}{} {}\n", name_, suffix, inside.empty() ? "" : fmt::format("{{{}}}", inside),
                         number);
    return *this;
  }
  const std::string& text() const { return text_; }

 private:
  std::string name_, text_;
};

// Waits when too many connections are open, on the thread that accepts them.
class FewAtOnce final : public httplib::TaskQueue {
 public:
  void enqueue(std::function<void()> job) override {
    room_.acquire();
    pool_.enqueue([this, job = std::move(job)] {
      job();
      room_.release();
    });
  }
  void shutdown() override { pool_.shutdown(); }

 private:
  std::counting_semaphore<most_connections> room_{most_connections};
  httplib::ThreadPool pool_{workers};
};

// A page of some web site must not read this through the browser of somebody on this machine: the name that
// the browser asked for is in the request.
bool asks_for_this_machine(const httplib::Request& request) {
  const std::string host = request.get_header_value("Host");
  const bool bare_v6 = !host.empty() && host.front() == '[' && host.back() == ']';
  return is_loopback(bare_v6 ? host.substr(1, host.size() - 2) : host_and_port(host).first);
}

}  // namespace

bool is_loopback(const std::string& host) {
  in_addr v4{};
  in6_addr v6{};
  if (host == "localhost") return true;
  if (::inet_pton(AF_INET, host.c_str(), &v4) == 1) return (ntohl(v4.s_addr) >> 24) == 127;
  return ::inet_pton(AF_INET6, host.c_str(), &v6) == 1 && IN6_IS_ADDR_LOOPBACK(&v6);
}

std::string metrics_text(const MetricsSample& sample) {
  Page page;
  page.metric("tacit_info", "gauge", "Which agent this is, and its release of Tacit.")
      .value({{"version", sample.release}, {"agent", sample.agent}}, 1);
  page.metric("tacit_up_seconds", "gauge", "Since the agent was started.").value({}, sample.up_seconds);
  const auto of_peers = [&](const char* name, const char* type, const char* help, auto number) {
    page.metric(name, type, help);
    for (const NeighbourStatus& one : sample.node.neighbours) page.value({{"peer", one.name}}, number(one));
  };
  of_peers("tacit_link_up", "gauge", "Is there a link to this neighbour?",
           [](const NeighbourStatus& one) { return one.up ? 1 : 0; });
  of_peers("tacit_link_refused", "gauge", "Do the two not talk, as charters or versions differ?",
           [](const NeighbourStatus& one) { return one.refusal.empty() ? 0 : 1; });
  of_peers("tacit_link_streams_total", "counter", "How often a link came up.",
           [](const NeighbourStatus& one) { return one.streams; });
  of_peers("tacit_bytes_sent_total", "counter", "Bytes sent to this neighbour.",
           [](const NeighbourStatus& one) { return one.bytes_sent; });
  of_peers("tacit_bytes_received_total", "counter", "Bytes received from this neighbour.",
           [](const NeighbourStatus& one) { return one.bytes_received; });
  page.metric("tacit_round_trip_seconds", "gauge", "Of the last ping; absent before the first.");
  for (const NeighbourStatus& one : sample.node.neighbours)
    if (one.round_trip > 0) page.value({{"peer", one.name}}, one.round_trip);
  page.metric("tacit_runs_total", "counter",
              "Requests that ended, whoever asked, without those refused here.");
  for (const auto& [kind, one] : sample.requests)
    page.value({{"kind", kind}, {"outcome", "done"}}, one.done)
        .value({{"kind", kind}, {"outcome", "failed"}}, one.failed)
        .value({{"kind", kind}, {"outcome", "withdrawn"}}, one.withdrawn);
  page.metric("tacit_run_seconds", "summary", "What runs took at this agent.");
  for (const auto& [kind, one] : sample.requests)
    page.value({{"kind", kind}}, one.seconds, "_sum").value({{"kind", kind}}, one.runs, "_count");
  page.metric("tacit_requests_refused_total", "counter", "Refused by this agent before any run.");
  for (const auto& [kind, one] : sample.requests)
    page.value({{"kind", kind}, {"asked_by", "home"}}, one.refused_home)
        .value({{"kind", kind}, {"asked_by", "peer"}}, one.refused_peers);
  page.metric("tacit_requests_waiting", "gauge", "Requests of this agent's own that wait for their turn.")
      .value({}, sample.node.waiting);
  page.metric("tacit_model_version", "gauge", "Of the model that the agent holds; 0 for none.")
      .value({}, sample.model_version);
  return page.text();
}

// Shared with the thread that listens: should a client drip bytes for hours, that thread ends later than the
// agent's other parts, and must find nothing of them.
struct MetricsServer::State {
  httplib::Server server;
  int port = 0;
  std::mutex guard;
  std::condition_variable changed;
  std::function<std::string()> text;  // none once the agent has no use for it
  bool ended = false;

  void answer(httplib::Response& response) {
    const std::lock_guard lock(guard);
    if (text)
      response.set_content(text(), format);
    else
      response.status = 503;
  }
};

MetricsServer::MetricsServer(const std::string& listen, std::function<std::string()> text)
    : state_(std::make_shared<State>()) {
  State& state = *state_;
  state.text = std::move(text);
  httplib::Server& server = state.server;
  server.new_task_queue = [] { return new FewAtOnce; };
  server.set_keep_alive_max_count(1);
  server.set_keep_alive_timeout(patience.count());
  server.set_read_timeout(patience);
  server.set_write_timeout(patience);
  server.set_payload_max_length(1024);
  server.set_socket_options([](int socket) {  // not SO_REUSEPORT: two agents on one port is a mistake
    const int yes = 1;
    ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  });
  server.set_pre_routing_handler([](const httplib::Request& request, httplib::Response& response) {
    if (asks_for_this_machine(request)) return httplib::Server::HandlerResponse::Unhandled;
    response.status = 403;
    return httplib::Server::HandlerResponse::Handled;
  });
  server.Get("/metrics",
             [&state](const httplib::Request&, httplib::Response& response) { state.answer(response); });
  const auto [host, port] = host_and_port(listen);
  const std::string where = host == "localhost" ? "127.0.0.1" : host;
  const int wanted = std::stoi(port);
  state.port = wanted == 0                          ? server.bind_to_any_port(where)
               : server.bind_to_port(where, wanted) ? wanted
                                                    : -1;
  if (state.port < 0)
    throw InputError(
        fmt::format("metrics.listen: cannot listen on {}: the address is not this machine's, or is taken; "
                    "name another port",
                    listen));
  std::thread([shared = state_] {
    shared->server.listen_after_bind();
    const std::lock_guard lock(shared->guard);
    shared->ended = true;
    shared->changed.notify_all();
  }).detach();
  // Until it runs, it could not be told to end.
  while (!server.is_running()) std::this_thread::sleep_for(1ms);
}

MetricsServer::~MetricsServer() {
  {
    const std::lock_guard lock(state_->guard);
    state_->text = nullptr;
  }
  state_->server.stop();
  std::unique_lock lock(state_->guard);
  state_->changed.wait_for(lock, 2 * patience, [&] { return state_->ended; });
}

int MetricsServer::port() const { return state_->port; }

}  // namespace tacit
