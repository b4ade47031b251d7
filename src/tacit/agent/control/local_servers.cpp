#include "tacit/agent/control/local_servers.hpp"

#include <fmt/format.h>

#include <condition_variable>
#include <stop_token>
#include <thread>
#include <utility>

#include "tacit/base/error.hpp"

namespace tacit {

// One server, and the thread that tries to open it.
class LocalServers::Patient {
 public:
  Patient(std::string field, Open open, const LogSink& log, std::chrono::milliseconds again)
      : field_(std::move(field)), open_(std::move(open)), log_(log), again_(again) {
    if (!try_to_open()) thread_ = std::jthread([this](const std::stop_token& stop) { keep_trying(stop); });
  }

  void report(control::StatusReply& reply) const {
    const std::lock_guard lock(guard_);
    control::LocalServer& one = *reply.add_servers();
    one.set_field(field_);
    if (server_) return one.set_address(server_->address());
    one.set_fault(fault_);
    reply.add_notes(fault_);
  }

 private:
  bool try_to_open() {
    try {
      std::shared_ptr<LocalServer> server = open_();
      const std::lock_guard lock(guard_);
      server_ = std::move(server);
      return true;
    } catch (const std::exception& e) {  // also of the system: on the thread it would end the agent
      const std::string fault =
          fmt::format("{}. The agent runs without this server and tries again every {} s", e.what(),
                      std::chrono::duration<double>(again_).count());
      const std::lock_guard lock(guard_);
      if (fault != fault_) log_(LogLevel::error, fault);
      fault_ = fault;
      return false;
    }
  }

  void keep_trying(const std::stop_token& stop) {
    std::unique_lock lock(waiting_);
    do changed_.wait_for(lock, stop, again_, [] { return false; });
    while (!stop.stop_requested() && !try_to_open());
  }

  const std::string field_;
  const Open open_;
  const LogSink& log_;
  const std::chrono::milliseconds again_;
  mutable std::mutex guard_;
  std::shared_ptr<LocalServer> server_;
  std::string fault_;
  std::mutex waiting_;
  std::condition_variable_any changed_;
  std::jthread thread_;  // last: it ends before the rest is destroyed
};

LocalServers::LocalServers(LogSink log, std::chrono::milliseconds again)
    : log_(std::move(log)), again_(again) {}

LocalServers::~LocalServers() = default;

void LocalServers::add(const std::string& field, Open open) {
  auto one = std::make_unique<Patient>(field, std::move(open), log_, again_);
  const std::lock_guard lock(guard_);
  all_.push_back(std::move(one));
}

void LocalServers::close() {
  decltype(all_) all;
  {
    const std::lock_guard lock(guard_);
    all.swap(all_);
  }
}

void LocalServers::report(control::StatusReply& reply) const {
  const std::lock_guard lock(guard_);
  for (const auto& one : all_) one->report(reply);
}

}  // namespace tacit
