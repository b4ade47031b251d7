// Agents at work in one process, for tests.
#pragma once

#include <memory>
#include <random>

#include "tacit/agent/agent_data.hpp"
#include "tacit/agent/work.hpp"
#include "tacit/identity/testing.h"
#include "tacit/simulation/simulator.hpp"

namespace tacit::testing {

inline std::string rows_csv(std::size_t rows, unsigned seed) {
  std::mt19937 random(seed);
  std::string text = "age,sex \\ gender,y,other\n";
  for (std::size_t r = 0; r < rows; ++r) {
    const double age = 20 + static_cast<double>(random() % 600) / 10;
    const bool f = random() % 2 == 0;
    const double noise = static_cast<double>(random() % 1000) / 100;
    text += std::to_string(age) + (f ? ",f," : ",m,") + std::to_string(100 + 2 * age + (f ? 20 : 0) + noise) +
            ",x\n";
  }
  return text;
}

/// Four agents with data, in one process: what a network would join is joined by the simulator.
struct WorkingConsortium {
  PaperConsortium paper{4};
  std::vector<std::unique_ptr<Policy>> policies;
  std::vector<std::unique_ptr<Work>> works;
  PolicyRules rules;

  void start() {
    works.clear();
    policies.clear();
    for (AgentId i = 0; i < paper.charter.agents.size(); ++i) {
      const std::string name = paper.charter.name_of(i);
      const auto state = paper.folder.path / (name + "-state");
      std::filesystem::create_directories(state);
      const auto data = read_rows(paper.folder.write(name + ".csv", rows_csv(20, i)), paper.charter);
      const auto held =
          read_rows(paper.folder.write(name + "-held.csv", rows_csv(5, 100 + i)), paper.charter);
      policies.push_back(std::make_unique<Policy>(rules, name, state / "policy.json"));
      works.push_back(std::make_unique<Work>(
          WorkMaterial{paper.charter, i, data.rows, i == 3 ? Samples{} : held.rows, state},
          *policies.back()));
    }
  }

  // As the node does: everybody consents, then everybody runs.
  std::vector<std::string> run(AgentId originator, const Request& request, std::size_t present = 4) {
    tacit::Run all{{}, originator, 1, 1, request, {}};
    for (AgentId i = 0; i < present; ++i) all.present.push_back(i);
    for (const auto& work : works) {
      const Consent consent = work->consent(all);
      if (consent.word != Consent::Word::yes) throw InputError(consent.reason);
    }
    Simulator simulator(paper.charter.graph(),
                        {.threads = 1, .seed = 1, .network = {}, .coalition = {}, .progress = nullptr});
    return simulator.run<std::string>([&](Channel& net) { return works[net.self()]->program(net, all); });
  }
};

}  // namespace tacit::testing
