// Is a charter sound: network, collusion bound, model, addresses, signatures?
#pragma once

#include <string>
#include <vector>

#include "tacit/charter/bounds/privacy.hpp"
#include "tacit/charter/charter.hpp"

namespace tacit {

struct CharterReport {
  std::vector<std::string> problems;  ///< why no agent should start with it; empty when it is sound
  std::vector<std::string> notes;     ///< what it means, in plain words
  CharterSignatures signatures;       ///< not among the problems: signing comes after checking
};

CharterReport check_charter(const Charter& charter);

/// What the network and the protocol withstand, for a run of one number per agent. Throws InputError for a
/// network that cannot be used.
Privacy charter_privacy(const Charter& charter);

/// Throws InputError with the first problem, naming the charter's file.
void require_sound(const CharterReport& report, const std::string& file);

/// The same, and with those whose signature is missing or void: what an agent does when it starts.
void require_signed_and_sound(const Charter& charter, const std::string& file);

}  // namespace tacit
