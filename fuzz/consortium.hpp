// A charter of three agents with one identity, so that a target can seal models for all of them.
#pragma once

#include "tacit/agent/model/model.hpp"
#include "tacit/agent/model/model.pb.h"
#include "tacit/base/error.hpp"
#include "tacit/charter/terms.hpp"
#include "tacit/identity/encoding.hpp"

namespace tacit::fuzz {

inline const Identity& identity() {
  static Prg prg = Prg::from_seed(1, "fuzz", 0);
  static const Identity one(prg);
  return one;
}

inline const Charter& charter() {
  static const Charter made = [] {
    Charter charter;
    for (const char* name : {"a", "b", "c"})
      charter.agents.push_back({name, "", identity().public_key(), "", {}});
    charter.topology = "complete";
    charter.inputs = {{"age", 0, 120, {}}, {"sex", 0, 0, {"f", "m"}}};
    charter.targets = {{"y", 0, 350, {}}};
    charter.model = usual_model(width(charter.inputs), true);
    charter.model.fusion = Fusion::poe;  // as in the charter of the corpus's models
    charter.model.landmarks.count = 0;
    charter.protocol.points = 100;
    return charter;
  }();
  return made;
}

inline const Terms& terms() {
  static const Terms made = terms_of(charter());
  return made;
}

inline std::string text_of(const Digest& digest) {
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

/// Returns the model with the fields that are checked before the numbers corrected, and with the seals of the
/// whole roster, so that the checks do not stop the fuzzer. Returns "" if the model still cannot be read.
inline std::string sealed_by_all(requests::Model message) {
  message.set_charter(text_of(charter_hash(charter())));
  message.set_transcript(std::string(32, 't'));
  message.set_fit(std::string(32, 'f'));
  message.set_fitted_at("2026-11-16T03:08:54.123Z");
  message.set_originator(0);
  message.clear_roster();
  for (const AgentId agent : {0u, 1u, 2u}) message.add_roster(agent);
  SealedModel sealed;
  try {
    sealed.model = model_from_bytes(message.SerializeAsString(), charter(), terms());
  } catch (const Error&) {
    return "";
  }
  sealed.digest = digest_of(sealed.model);
  for (const AgentId agent : sealed.model.roster)
    sealed.seals.push_back(make_seal(sealed.digest, agent, {}, identity()));
  return to_bytes(sealed);
}

}  // namespace tacit::fuzz
