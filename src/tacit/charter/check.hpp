// Checks a charter: network, collusion bound, model, addresses and signatures. Knows no files and no rows.
#pragma once

#include <string>
#include <vector>

#include "tacit/charter/bounds/privacy.hpp"
#include "tacit/charter/charter.hpp"
#include "tacit/charter/opened.hpp"

namespace tacit {

struct CharterReport {
  std::vector<std::string> problems;  ///< why no agent should start with it; empty if it is sound
  std::vector<std::string> notes;     ///< what it means, in plain sentences
  CharterSignatures signatures;       ///< not among the problems, because members check before they sign
};

CharterReport check_charter(const Charter& charter);

/// What network and protocol withstand, in the largest run that the charter allows. check_charter() judges by
/// the same numbers. `opened` is what the charter's terms open. Throws InputError for an unusable network.
Privacy charter_privacy(const Charter& charter, const Opened& opened);

/// Throws InputError with the first problem and the charter's file, unless the charter is sound.
void require_sound(const CharterReport& report, const std::string& file);

/// As above, and requires a valid signature of every member. Every agent calls it when it starts.
void require_signed_and_sound(const Charter& charter, const std::string& file);

}  // namespace tacit
