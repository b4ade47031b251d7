// Makes the next charter of a consortium from the present one: members join and leave, keys are replaced,
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
  std::vector<CharterAgent> replace;  ///< members with new keys; an empty address keeps the old one
  std::vector<std::pair<std::string, std::string>> addresses;  ///< new addresses of members, by name
  std::vector<std::pair<std::string, std::string>> links;      ///< further links, by name
  ProposedColumns columns;  ///< new columns, or present ones with other ranges
  std::vector<std::string> drop_columns;
  /// Fields of the file and their values, as {"timeouts.gather", "30"}. An empty value removes an optional
  /// field.
  std::vector<std::pair<std::string, std::string>> settings;
};

/// The next charter: numbered, with the hash of its predecessor, and without signatures. If members join or
/// leave, bounds that meant "all" or "all but two" keep that meaning. Throws InputError for an unknown name,
/// an unknown field or an invalid result.
Charter amended(const Charter& present, const Amendment& changes);

/// One sentence for each change between two charters, for the members that will sign the second.
std::vector<std::string> changes_in_words(const Charter& before, const Charter& after);

/// True if the second charter names the first as its predecessor.
bool follows(const Charter& after, const Charter& before);

}  // namespace tacit
