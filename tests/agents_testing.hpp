// For tests: runs four agents as real processes, from the command line.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "program_testing.hpp"

namespace tacit::testing {

using Json = nlohmann::json;

// A program that runs until it receives a signal.
class RunningProgram {
 public:
  RunningProgram(std::vector<std::string> arguments, const std::string& out, const std::string& err) {
    arguments.insert(arguments.begin(), TACIT_BINARY_DIR "/tacit");
    std::vector<char*> argv;
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, out.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
    posix_spawn_file_actions_addopen(&files, STDERR_FILENO, err.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
    posix_spawn(&id_, argv[0], &files, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&files);
  }
  ~RunningProgram() {
    if (id_ > 0) end(SIGKILL);
  }
  RunningProgram(const RunningProgram&) = delete;

  bool running() {
    if (id_ > 0 && waitpid(id_, &status_, WNOHANG) == id_) id_ = -1;
    return id_ > 0;
  }
  pid_t process() const { return id_; }
  void send(int signal) const { kill(id_, signal); }
  /// Stops the program. Returns when all its threads have stopped; kill does not wait for that.
  void freeze() const {
    kill(id_, SIGSTOP);
    int status = 0;
    waitpid(id_, &status, WUNTRACED);
  }
  /// Sends the signal, none if it is 0, and waits for the end. Returns the exit code.
  int end(int signal) {
    if (running()) {
      kill(id_, signal);
      waitpid(id_, &status_, 0);
      id_ = -1;
    }
    return WIFEXITED(status_) ? WEXITSTATUS(status_) : 128 + WTERMSIG(status_);
  }

 private:
  pid_t id_ = -1;
  int status_ = 0;
};

template <class Condition>
bool wait_until(Condition&& condition) {
  for (int k = 0; k < 1200; ++k) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  return false;
}

class Consortium : public ::testing::Test {
 protected:
  Folder folder;
  std::vector<std::string> names{"a", "b", "c", "d"};
  std::vector<std::unique_ptr<RunningProgram>> agents;
  std::string policy;
  /// Options of `tacit charter new` besides cards.
  std::vector<std::string> agreed{"--column", "x:-10..10", "--column", "z:0..100:target", "--rows", "1000"};
  std::vector<std::pair<std::string, std::string>>
      changed;  ///< replacements in the charter before it is signed

  std::string at(const std::string& name, const std::string& file) const {
    return folder.path(name + "/" + file);
  }

  void SetUp() override {
    const std::vector<int> ports = free_ports(4);
    std::vector<std::string> make{"charter", "new", "-o", folder.path("charter.toml")};
    make.insert(make.end(), agreed.begin(), agreed.end());
    for (std::size_t i = 0; i < 4; ++i) {
      const std::string address = "127.0.0.1:" + std::to_string(ports[i]);
      ASSERT_EQ(run_tacit({"keygen", folder.path(names[i]), "--address", address}).exit_code, 0);
      make.insert(make.end(), {"--card", at(names[i], "card.toml")});
      std::string rows = "x,z\n";
      for (int k = 0; k < 25; ++k) {
        const double x = -9 + 0.7 * k + 0.1 * static_cast<double>(i);
        rows +=
            std::to_string(x) + "," + std::to_string(50 + 3 * x + (k * 7 + static_cast<int>(i)) % 5) + "\n";
      }
      folder.write(names[i] + "/data.csv", rows);
      folder.write(
          names[i] + "/agent.toml",
          "agent = 1\ncharter = \"../charter.toml\"\nidentity = \".\"\ndata = \"data.csv\"\nlisten = \"" +
              address + "\"\nstate = \"state\"\n[log]\nformat = \"json\"\nlevel = \"debug\"\n" + policy);
    }
    const Output made = run_tacit(make);
    ASSERT_EQ(made.exit_code, 0) << made.err;
    std::string charter = content(folder.path("charter.toml"));
    for (const auto& [from, to] : changed) {
      const std::size_t place = charter.find(from);
      ASSERT_NE(place, std::string::npos) << from;
      charter.replace(place, from.size(), to);
    }
    folder.write("charter.toml", charter);
    for (const std::string& name : names)
      ASSERT_EQ(run_tacit({"charter", "sign", folder.path("charter.toml"), "--identity", folder.path(name)})
                    .exit_code,
                0);
    folder.write("points.csv", "x\n-3\n0\n4.5\n");
    agents.resize(4);
  }

  void start(std::size_t i) {
    agents[i] = std::make_unique<RunningProgram>(
        std::vector<std::string>{"agent", "--config", at(names[i], "agent.toml")}, at(names[i], "out"),
        at(names[i], "log"));
  }
  void start_all() {
    for (std::size_t i = 0; i < 4; ++i) start(i);
    for (std::size_t i = 0; i < 4; ++i)
      ASSERT_TRUE(wait_until([&] { return neighbours_up(i) == 3; })) << log(i);
  }
  long neighbours_up(std::size_t i) {
    const Json all = status(i);
    if (all.is_null()) return -1;
    const Json& peers = all["peers"];
    return std::count_if(peers.begin(), peers.end(), [](const Json& peer) { return peer["up"] == true; });
  }
  /// Returns null if the agent does not answer.
  Json status(const std::string& name) {
    const Output output = run_tacit({"status", "--agent", folder.path(name), "--json"});
    return output.exit_code == 0 ? Json::parse(output.out) : Json();
  }
  Json status(std::size_t i) { return status(names[i]); }
  /// Runs a command for agent i. The asker of a fit has the model first, so this waits until the run has
  /// ended at all agents.
  Output ask(std::size_t i, std::vector<std::string> words) {
    words.insert(words.end(), {"--agent", folder.path(names[i])});
    const Output output = run_tacit(words);
    for (std::size_t other = 0; other < agents.size(); ++other)
      if (words[0] == "fit" && output.exit_code == 0) {
        EXPECT_TRUE(wait_until([&] {
          const Json now = status(other);
          return now.is_null() || now["running"] == "";
        })) << log(other);
      }
    return output;
  }
  std::string log(std::size_t i) const { return content(at(names[i], "log")); }
};

}  // namespace tacit::testing
