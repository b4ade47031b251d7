// One agent of three that convenes, with nothing behind it. All three have the same identity, so a target can
// sign for all.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "fuzz.hpp"
#include "tacit/link/convening.hpp"

namespace tacit::fuzz {

struct Nowhere final : Convening::Outside {
  Convening::Time now() override { return Convening::Time(std::chrono::milliseconds(++clock)); }
  std::uint64_t calendar() override { return clock; }
  void send(AgentId, wire::Header header, std::string_view) override { (void)header.ByteSizeLong(); }
  std::vector<AgentId> neighbours() override { return {1, 2}; }
  Consent consent(const Run& run) override {
    return {run.request.kind == "no" ? Consent::Word::no : Consent::Word::yes, "why"};
  }
  std::uint64_t last_of(AgentId) override { return 0; }
  void expect(const Run&) override {}
  void forget(const Run&, const std::string&) override {}
  void start(const Run&) override {}
  void failed(std::uint64_t, const std::string&) override {}
  void granted(std::uint64_t, const Run&) override {}
  void log(LogLevel, const std::string&) override {}
  std::uint64_t clock = 0;
};

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
