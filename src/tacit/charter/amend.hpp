// The next charter of a consortium, made from the present one: members come and go, keys are replaced,
// settings change.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tacit/charter/charter.hpp"
#include "tacit/charter/propose.hpp"

namespace tacit {

struct Amendment {
  std::vector<CharterAgent> add;      ///< new members
  std::vector<std::string> drop;      ///< members that leave, by name
  std::vector<CharterAgent> replace;  ///< members with new keys; no address keeps the old one
  std::vector<std::pair<std::string, std::string>> addresses;  ///< members that are reached elsewhere
  std::vector<std::pair<std::string, std::string>> links;      ///< further links, by names
  ProposedColumns columns;  ///< new ones, or present ones with other ranges
  std::vector<std::string> drop_columns;
  /// Fields of the file and their values, as {"timeouts.gather", "30"}; no value removes a field that may be
  /// absent.
  std::vector<std::pair<std::string, std::string>> settings;
};

/// Numbered, naming its predecessor, signed by nobody. Where members come or go, the bounds that meant
/// "everybody" or "all but two" still do. Throws InputError for what cannot be: an unknown name, a field that
/// does not exist, a charter that is not valid.
Charter amended(const Charter& present, const Amendment& changes);

/// What changes from one charter to another, a sentence each, for whoever is to sign the second.
std::vector<std::string> changes_in_words(const Charter& before, const Charter& after);

/// Does the second name the first as the one before it?
bool follows(const Charter& after, const Charter& before);

}  // namespace tacit
