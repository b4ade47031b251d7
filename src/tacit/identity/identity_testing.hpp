// A consortium without running agents, for tests of charters and keys.
#pragma once

#include <string>
#include <vector>

#include "tacit/base/base_testing.hpp"
#include "tacit/charter/charter.hpp"
#include "tacit/charter/terms.hpp"
#include "tacit/identity/keys.hpp"

namespace tacit::testing {

struct PaperConsortium {
  ScratchFolder folder;
  std::vector<AgentKeys> keys;
  Charter charter;

  explicit PaperConsortium(std::size_t agents = 4) {
    for (std::size_t i = 0; i < agents; ++i) {
      const std::string name = "agent-" + std::string(1, static_cast<char>('a' + i));
      keys.push_back(make_keys(folder.path / name, name, "127.0.0.1:" + std::to_string(7500 + i)));
      const Card& card = keys.back().card;
      charter.agents.push_back(
          {name, card.address, card.identity, card.certificate, fingerprint_of(card.certificate, name)});
    }
    charter.title = "A \"test\"";
    charter.topology = "complete";
    charter.inputs = {{"age", 0, 120, {}}, {"sex \\ gender", 0, 0, {"f", "m"}}};
    charter.targets = {{"y", -1.5, 346.25, {}}};
    charter.model = usual_model(width(charter.inputs), true);
    charter.protocol.collusion = agents - 2;
    charter.protocol.fewest = agents;
  }

  void sign_all() {
    for (const AgentKeys& one : keys) charter.signatures[one.card.name] = sign_charter(charter, one.identity);
  }
};

/// The text of the InputError that `work` throws, or "" if it throws none.
template <class Work>
std::string refusal(Work&& work) {
  try {
    work();
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

inline bool says(const std::string& text, const std::string& words) {
  return text.find(words) != std::string::npos;
}

}  // namespace tacit::testing
