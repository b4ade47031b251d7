#include "tacit/agent/control/metrics.hpp"

#include <fmt/format.h>
#include <httplib.h>

#include <mutex>

namespace tacit {
namespace {

constexpr const char* format = "text/plain; version=0.0.4; charset=utf-8";

// Escapes the value of a label, which is in quotes.
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

}  // namespace

std::string metrics_text(const MetricsSample& sample) {
  Page page;
  page.metric("tacit_info", "gauge", "Name of this agent, and its release of Tacit.")
      .value({{"version", sample.release}, {"agent", sample.agent}}, 1);
  page.metric("tacit_up_seconds", "gauge", "Seconds since the agent started.").value({}, sample.up_seconds);
  const auto of_peers = [&](const char* name, const char* type, const char* help, auto number) {
    page.metric(name, type, help);
    for (const NeighbourStatus& one : sample.node.neighbours) page.value({{"peer", one.name}}, number(one));
  };
  of_peers("tacit_link_up", "gauge", "1 if the link to this neighbour is up, otherwise 0.",
           [](const NeighbourStatus& one) { return one.up ? 1 : 0; });
  of_peers("tacit_link_refused", "gauge",
           "1 if the two agents refuse each other because charters or releases differ, otherwise 0.",
           [](const NeighbourStatus& one) { return one.refusal.empty() ? 0 : 1; });
  of_peers("tacit_link_streams_total", "counter", "How often the link came up.",
           [](const NeighbourStatus& one) { return one.streams; });
  of_peers("tacit_bytes_sent_total", "counter", "Bytes sent to this neighbour.",
           [](const NeighbourStatus& one) { return one.bytes_sent; });
  of_peers("tacit_bytes_received_total", "counter", "Bytes received from this neighbour.",
           [](const NeighbourStatus& one) { return one.bytes_received; });
  page.metric("tacit_round_trip_seconds", "gauge",
              "Round-trip time of the last ping; absent before the first ping.");
  for (const NeighbourStatus& one : sample.node.neighbours)
    if (one.round_trip > 0) page.value({{"peer", one.name}}, one.round_trip);
  page.metric("tacit_runs_total", "counter",
              "Requests of all askers that ended, except those that this agent refused.");
  for (const auto& [kind, one] : sample.requests)
    page.value({{"kind", kind}, {"outcome", "done"}}, one.done)
        .value({{"kind", kind}, {"outcome", "failed"}}, one.failed)
        .value({{"kind", kind}, {"outcome", "withdrawn"}}, one.withdrawn);
  page.metric("tacit_run_seconds", "summary", "Duration of the runs at this agent.");
  for (const auto& [kind, one] : sample.requests)
    page.value({{"kind", kind}}, one.seconds, "_sum").value({{"kind", kind}}, one.runs, "_count");
  page.metric("tacit_requests_refused_total", "counter", "Requests that this agent refused before any run.");
  for (const auto& [kind, one] : sample.requests)
    page.value({{"kind", kind}, {"asked_by", "home"}}, one.refused_home)
        .value({{"kind", kind}, {"asked_by", "peer"}}, one.refused_peers);
  page.metric("tacit_requests_waiting", "gauge", "Requests of this agent that wait for their turn.")
      .value({}, sample.node.waiting);
  page.metric("tacit_model_version", "gauge", "Version of the agent's model; 0 if there is none.")
      .value({}, sample.model_version);
  return page.text();
}

// Shared with handlers. A handler may outlive the agent's other parts and must not access them.
struct MetricsServer::State {
  std::mutex guard;
  std::function<std::string()> text;  // empty once the server is destroyed

  void answer(httplib::Response& response) {
    const std::lock_guard lock(guard);
    if (text)
      response.set_content(text(), format);
    else
      response.status = 503;
  }
};

MetricsServer::MetricsServer(const std::string& listen, std::function<std::string()> text, const LogSink& log)
    : state_(std::make_shared<State>()) {
  state_->text = std::move(text);
  http_ = std::make_unique<LocalHttp>(
      LocalHttpOptions{
          .field = "metrics.listen", .listen = listen, .limit = std::chrono::seconds(2), .log = log},
      [this](httplib::Server& server) {
        server.set_pre_routing_handler([](const httplib::Request& request, httplib::Response& response) {
          if (asks_for_this_machine(request)) return httplib::Server::HandlerResponse::Unhandled;
          response.status = 403;
          return httplib::Server::HandlerResponse::Handled;
        });
        server.Get("/metrics", [state = state_](const httplib::Request&, httplib::Response& response) {
          state->answer(response);
        });
      });
}

MetricsServer::~MetricsServer() {
  const std::lock_guard lock(state_->guard);
  state_->text = nullptr;
}

int MetricsServer::port() const { return http_->port(); }

std::string MetricsServer::address() const { return http_->address(); }

}  // namespace tacit
