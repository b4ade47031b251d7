// Metrics for Prometheus over HTTP, only on this machine: links, runs, seconds, bytes, refusals. They contain
// no rows, points or results.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "tacit/agent/control/local_http.hpp"
#include "tacit/agent/control/local_servers.hpp"
#include "tacit/agent/work/request_counts.hpp"
#include "tacit/link/node/node.hpp"

namespace tacit {

struct MetricsSample {
  std::string release, agent;
  double up_seconds = 0;
  NodeStatus node;
  std::map<std::string, RequestCount> requests;  ///< by kind
  std::uint64_t model_version = 0;               ///< 0 if there is none
};

/// The sample in Prometheus' text format, version 0.0.4.
std::string metrics_text(const MetricsSample& sample);

/// Answers GET /metrics.
class MetricsServer : public LocalServer {
 public:
  /// `listen` is a loopback address with a port; port 0 selects a free port. Throws InputError if the port is
  /// in use. `text` is called on the server's threads until this object is destroyed.
  MetricsServer(
      const std::string& listen, std::function<std::string()> text,
      const LogSink& log = [](LogLevel, const std::string&) {});
  ~MetricsServer() override;

  int port() const;
  std::string address() const override;

 private:
  struct State;
  std::shared_ptr<State> state_;
  std::unique_ptr<LocalHttp> http_;
};

}  // namespace tacit
