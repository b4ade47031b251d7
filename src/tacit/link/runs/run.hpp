// A run as agents agree on it: who asks for what, and which agents take part. Knows no protocol.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tacit/base/types.hpp"
#include "tacit/link/runs/reason.hpp"

namespace tacit {

/// A request as the program has decoded it. Only the program knows its type. It stays at this agent.
struct DecodedRequest {
  virtual ~DecodedRequest() = default;
};

/// What the originator asks for. Only the program understands the body. It is signed, so all agents of the
/// roster receive the same.
struct Request {
  std::string kind;  ///< "fit", "predict", "evaluate"
  std::string body;
  /// Of an own request, and of a run that starts. It is kept from consent to the end of the run.
  std::shared_ptr<const DecodedRequest> decoded = {};
};

struct RunDescription {
  std::array<std::byte, 16> name{};  ///< random
  AgentId originator = 0;
  std::uint64_t number = 0;  ///< of the originator's runs, strictly increasing
  std::uint64_t ticket = 0;  ///< the time of the request; the lower ticket has priority
  Request request;
  std::vector<AgentId> roster;  ///< the agents that take part, ascending; announced and agreed to
};

/// The answer of an agent's owner, or of the owner's policy, to an announced run.
struct Consent {
  std::optional<Reason> refusal = {};                  ///< none means consent
  std::string log = {};                                ///< for the agent's own log and its own users
  std::shared_ptr<const DecodedRequest> decoded = {};  ///< for Request::decoded when the run starts
};

/// The outcome of a run at this agent.
struct RunOutcome {
  bool done = false;
  bool bad_input = false;              ///< if not done: the request or data caused it, not the network
  std::string error = {};              ///< if not done
  std::string result = {};             ///< what the program returned
  std::optional<Reason> refusal = {};  ///< if an agent refused: the reason of the first that did
  AgentId refused_by = 0;
  std::vector<AgentId> away = {};  ///< agents of the roster that did not answer
  bool began = false;              ///< the run began here; false if it failed before
  bool withdrawn = false;          ///< if not done: its asker withdrew it
  double seconds = 0;              ///< duration of the run here
  std::uint64_t opened = 0;        ///< numbers that the run opened to all its agents
};

}  // namespace tacit
