// A convening agent, one of three, without a network. All three have the same identity, so a target can sign
// for all.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "fuzz.hpp"
#include "tacit/link/runs/convening.hpp"

namespace tacit::fuzz {

struct Nowhere final : Convening::Outside {
  Convening::Time now() override { return Convening::Time(std::chrono::milliseconds(++clock)); }
  std::uint64_t calendar() override { return clock; }
  void send(AgentId, wire::Header header, std::string_view) override { (void)header.ByteSizeLong(); }
  std::vector<AgentId> neighbours() override { return {1, 2}; }
  Consent consent(const RunDescription& run) override {
    if (run.request.kind != "no") return {};
    return {.refusal = Reason{ReasonCode::may_not_ask}, .log = "why"};
  }
  std::uint64_t last_of(AgentId) override { return 0; }
  void expect(const Announced&) override {}
  void forget(const RunDescription&, const std::string&) override {}
  // For any messages, a run that starts has its announced roster, which includes this agent.
  void start(const RunDescription& run, const Agreed& agreed) override {
    must(agreed.gathering.roster == run.roster && agreed.gathering.takes_part(0));
  }
  void failed(std::uint64_t, RunOutcome) override {}
  void granted(std::uint64_t, const RunDescription&) override {}
  void log(LogLevel, AgentId, const std::string&) override {}
  std::uint64_t clock = 0;
};

/// Passes on a message from a neighbour as a node does.
inline void receive(Convening& convening, AgentId from, const wire::Header& header, std::string_view payload,
                    const NodeOptions& options) {
  if (header.has_announcement())
    convening.announced(from, std::make_shared<Announced>(announced_in(header, payload, options)));
  else
    convening.heard(from, header);
}

inline const NodeOptions& node_options() {
  static Prg prg = Prg::from_seed(1, "fuzz", 0);
  static const Identity identity(prg);
  static const NodeOptions made = [] {
    NodeOptions fresh;
    for (const char* name : {"a", "b", "c"}) fresh.everybody.push_back({name, "", "", identity.public_key()});
    fresh.graph = Graph(3, {{0, 1}, {1, 2}, {0, 2}});
    fresh.agreement.fields = {{"title", "x"}};
    fresh.identity = &identity;
    return fresh;
  }();
  return made;
}

}  // namespace tacit::fuzz
