// A run as agents agree on it: who asks for what, and who takes part.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tacit/base/types.hpp"

namespace tacit {

/// What somebody asks for. Only the program understands the body. It is signed, and everybody gets the same.
struct Request {
  std::string kind;  ///< "fit", "predict", "evaluate"
  std::string body;
};

/// How many must take part for the originator to start.
struct Quorum {
  bool everybody = false;  ///< every agent and helper of the charter, as the consensus needs
  std::size_t fewest = 3;  ///< else at least this many
};

struct Run {
  std::array<std::byte, 16> name{};  ///< random
  AgentId originator = 0;
  std::uint64_t number = 0;  ///< of the originator's runs, always growing
  std::uint64_t ticket = 0;  ///< the time of the request; the lower goes first
  Request request;
  std::vector<AgentId> present;  ///< ascending; known once it starts
};

/// What an agent's owner answers to an announced run.
struct Consent {
  enum class Word {
    yes,
    no,        ///< and the run fails, with the reason
    sits_out,  ///< the run may go on without this agent
  };
  Word word = Word::yes;
  std::string reason = {};
};

/// The outcome of a run at this agent.
struct RunOutcome {
  bool done = false;
  bool bad_input = false;  ///< when not done: it was the request or data, not the network
  std::string error;       ///< when not done
  std::string result;      ///< what the program gave
  std::vector<AgentId> present;
};

}  // namespace tacit
