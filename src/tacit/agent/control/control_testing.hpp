// An agent with a control socket, for tests. Its consortium is simulated.
#pragma once

#include <atomic>
#include <mutex>
#include <thread>

#include "tacit/agent/control/control.hpp"
#include "tacit/agent/work/run_handler_testing.hpp"

namespace tacit::testing {

class Socket : public ::testing::Test, public WorkingConsortium {
 protected:
  std::filesystem::path socket = paper.folder.path / "control.sock";
  std::mutex guard, one_at_a_time;
  std::atomic<int> now = 0, most = 0;
  std::unique_ptr<ControlServer> server;
  std::atomic<bool> stuck = false;
  std::atomic<int> withdrawals = 0;
  std::function<void(RunOutcome)> waiting;  // while stuck
  RequestCounts counts;
  std::vector<std::string> logged_here;  // with the guard
  std::vector<std::string> lines() {
    const std::lock_guard lock(guard);
    return logged_here;
  }
  std::vector<std::jthread> threads;

  void SetUp() override {
    start();
    listen();
  }
  void TearDown() override {
    server.reset();
    threads.clear();
  }

  void listen() {
    ControlBackend backend;
    backend.ask = [this](const OwnRequest& asking, const auto& answer) {
      const std::lock_guard adding(guard);
      if (stuck) {
        waiting = answer;
        return std::uint64_t{1};
      }
      threads.emplace_back([this, asking, answer] {
        const std::lock_guard lock(one_at_a_time);  // a node has one run at a time
        most = std::max(most.load(), ++now);
        RunOutcome outcome;
        try {
          outcome.result = run(1, asking)[1];
          outcome.done = true;
        } catch (const Refused& e) {
          outcome.error = e.what();
          outcome.refusal = e.reason();
        } catch (const InputError& e) {
          outcome.error = e.what();
          outcome.bad_input = true;
        } catch (const Error& e) {
          outcome.error = e.what();
        }
        --now;
        answer(outcome);
      });
      return std::uint64_t{1};
    };
    backend.withdraw = [this](std::uint64_t number) {
      EXPECT_EQ(number, 1u);
      ++withdrawals;
      const std::lock_guard lock(guard);
      RunOutcome outcome{.error = "withdrawn", .withdrawn = true};
      outcome.began = true;
      outcome.opened = 44;
      if (waiting) waiting(outcome);
      waiting = nullptr;
    };
    backend.log = [this](LogLevel, const std::string& text) {
      const std::lock_guard lock(guard);
      logged_here.push_back(text);
    };
    backend.counts = &counts;
    backend.status = [](control::StatusReply& reply) {
      reply.set_runs_done(7);
      for (auto& peer : *reply.mutable_peers()) peer.set_up(peer.name() != "agent-d");
    };
    server = std::make_unique<ControlServer>(socket, *handlers[1], *policies[1], backend);
  }
};

}  // namespace tacit::testing
