// Run handlers of four agents in one process, for tests.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>

#include "tacit/agent/daemon/agent_config.hpp"
#include "tacit/agent/work/requests.pb.h"
#include "tacit/agent/work/run_handler.hpp"
#include "tacit/identity/identity_testing.hpp"
#include "tacit/lab/simulator/simulator.hpp"

namespace tacit::testing {

inline std::string rows_csv(std::size_t rows, unsigned seed, double more_noise = 0) {
  std::mt19937 random(seed);
  std::string text = "age,sex \\ gender,y,other\n";
  for (std::size_t r = 0; r < rows; ++r) {
    const double age = 20 + static_cast<double>(random() % 600) / 10;
    const bool f = random() % 2 == 0;
    const double noise = static_cast<double>(random() % 1000) / 100 +
                         more_noise * (static_cast<double>(random() % 1000) / 500 - 1);
    text += std::to_string(age) + (f ? ",f," : ",m,") + std::to_string(100 + 2 * age + (f ? 20 : 0) + noise) +
            ",x\n";
  }
  return text;
}

/// The configuration of agent-b, with its own files for charter and rows.
inline AgentConfig config_of_b(const PaperConsortium& paper, std::size_t rows) {
  AgentConfig config;
  config.charter = paper.folder.write("charter.toml", to_toml(paper.charter));
  config.identity = paper.folder.path / "agent-b";
  config.data.rows.file = paper.folder.write("b.csv", rows_csv(rows, 3));
  config.listen = "127.0.0.1:7501";
  config.state = paper.folder.path / "state";
  config.control = config.state / "control.sock";
  return config;
}

/// Four agents with data in one process, connected by the simulator instead of a network.
struct WorkingConsortium {
  PaperConsortium paper{4};
  std::vector<std::unique_ptr<Policy>> policies;
  std::vector<std::unique_ptr<RunHandler>> handlers;
  PolicyRules rules;
  std::vector<std::string> log;  ///< of all agents
  std::uint64_t runs = 0;
  unsigned data_seed = 0, held_seed = 100;  ///< another seed gives other rows
  double odd_noise = 0;                     ///< additional noise of agent 3's rows

  void start() {
    handlers.clear();
    policies.clear();
    for (AgentId i = 0; i < paper.charter.agents.size(); ++i) {
      const std::string name = paper.charter.name_of(i);
      const auto state = paper.folder.path / (name + "-state");
      std::filesystem::create_directories(state);
      const auto data =
          read_rows({paper.folder.write(name + ".csv", rows_csv(20, data_seed + i, i == 3 ? odd_noise : 0))},
                    paper.charter);
      const auto held =
          read_rows({paper.folder.write(name + "-held.csv", rows_csv(5, held_seed + i))}, paper.charter);
      policies.push_back(std::make_unique<Policy>(rules, name, state / "policy.json"));
      handlers.push_back(std::make_unique<RunHandler>(
          WorkMaterial{paper.charter, i, rows_here(data.rows), i == 3 ? Samples{} : held.rows, state},
          paper.keys[i].identity, *policies.back(),
          [this](LogLevel, const std::string& text) { log.push_back(text); }));
    }
  }

  std::filesystem::path state(AgentId i, const std::string& file) const {
    return handlers[i]->material().state / file;
  }
  bool logged(const std::string& words) const {
    return std::any_of(log.begin(), log.end(), [&](const std::string& text) { return says(text, words); });
  }

  // As the other agents receive it.
  RunDescription announced(AgentId originator, const OwnRequest& asking) {
    RunDescription run{{}, originator, ++runs, 1, {asking.request.kind, asking.request.body}, asking.roster};
    run.name[0] = static_cast<std::byte>(runs);
    return run;
  }

  // As a node does: all agents consent, then all run.
  std::vector<std::string> run(AgentId originator, const OwnRequest& asking) {
    return go(agreed(originator, asking));
  }
  // The run as each agent keeps it after its consent.
  std::vector<RunDescription> agreed(AgentId originator, const OwnRequest& asking) {
    std::vector<RunDescription> all(handlers.size(), announced(originator, asking));
    all[originator].request = asking.request;
    for (AgentId i = 0; i < handlers.size(); ++i) {
      const Consent consent = handlers[i]->consent(all[i]);
      if (consent.refusal) throw Refused(*consent.refusal, consent.log);
      all[i].request.decoded = consent.decoded;
    }
    return all;
  }
  std::vector<std::string> go(const RunDescription& all) {
    return go(std::vector<RunDescription>(handlers.size(), all));
  }
  std::vector<std::string> go(const std::vector<RunDescription>& all) {
    Simulator simulator(paper.charter.graph(),
                        {.threads = 1, .seed = 1, .network = {}, .coalition = {}, .progress = nullptr});
    return simulator.run<std::string>(
        [&](Run& net) { return handlers[net.self()]->program(net, all[net.self()]); });
  }

  requests::Predicted predict(AgentId originator, const Matrix& points) {
    const auto results = run(originator, handlers[originator]->predict("ask", points));
    for (const std::string& one : results)
      EXPECT_EQ(one, results[0]);  // exact sums: all agents get the same bits
    requests::Predicted predicted;
    predicted.ParseFromString(results[originator]);
    return predicted;
  }

  bool refuses(AgentId who, AgentId originator, const OwnRequest& asking, ReasonCode code,
               const std::string& words) {
    const Consent consent = handlers[who]->consent(announced(originator, asking));
    EXPECT_TRUE(says(consent.log, words)) << consent.log;
    return consent.refusal && consent.refusal->code == code;
  }
};

}  // namespace tacit::testing
