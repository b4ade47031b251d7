// A run as agents agree on it: who asks for what, and who takes part.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tacit/base/types.hpp"
#include "tacit/link/runs/reason.hpp"

namespace tacit {

/// What somebody asks for. Only the program understands the body. It is signed, and everybody gets the same.
struct Request {
  std::string kind;  ///< "fit", "predict", "evaluate"
  std::string body;
};

struct Run {
  std::array<std::byte, 16> name{};  ///< random
  AgentId originator = 0;
  std::uint64_t number = 0;  ///< of the originator's runs, always growing
  std::uint64_t ticket = 0;  ///< the time of the request; the lower goes first
  Request request;
  std::vector<AgentId> roster;  ///< who takes part, ascending: part of what is announced and agreed to
};

/// What an agent's owner answers to an announced run.
struct Consent {
  std::optional<Reason> refusal = {};  ///< none is consent
  std::string log = {};                ///< for the agent's own log, and for its own people when they ask
};

/// The outcome of a run at this agent.
struct RunOutcome {
  bool done = false;
  bool bad_input = false;              ///< when not done: it was the request or data, not the network
  std::string error = {};              ///< when not done
  std::string result = {};             ///< what the program gave
  std::optional<Reason> refusal = {};  ///< when an agent refused: the first that did, and why
  AgentId refused_by = 0;
  std::vector<AgentId> away = {};  ///< when agents of the roster were not there: which
  bool began = false;              ///< it was a run here; else it ended before
  bool withdrawn = false;          ///< when not done: its asker has withdrawn it
  double seconds = 0;              ///< that the run took here
  std::uint64_t opened = 0;        ///< numbers that everybody got to see in it
};

}  // namespace tacit
