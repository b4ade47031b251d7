// A card: the public description of an agent, which the other parties need to add it to a charter.
#pragma once

#include <filesystem>
#include <string>

#include "tacit/identity/certificate.hpp"
#include "tacit/secrecy/signature.hpp"

namespace tacit {

struct Card {
  std::string name;
  IdentityKey identity{};
  std::string certificate;  ///< PEM
  std::string address;      ///< host:port where others reach the agent; empty when not given
  Signature signature{};    ///< by the identity, so that the certificate cannot be replaced
};

/// Names are for people, certificates and logs: 1 to 40 characters from a-z, 0-9 and '-'. The first and last
/// must not be '-'. Throws InputError for any other name; its text starts with `where`.
void check_name(const std::string& name, const std::string& where);

/// "host:port" or "[v6]:port" with a port from 1 to 65535. Throws InputError for any other address; its text
/// starts with `where`.
void check_address(const std::string& address, const std::string& where);
/// The two parts of a checked address, without brackets.
std::pair<std::string, std::string> host_and_port(const std::string& address);

/// Signs all other fields of the card.
void sign(Card& card, const Identity& identity);

/// TOML, with comments for people. Reading throws InputError, naming file, line and field, if the card is
/// incomplete, its certificate is for another name, or its signature is invalid.
std::string to_toml(const Card& card);
Card read_card(const std::filesystem::path& file);
Card parse_card(const std::string& file, std::string_view text);

}  // namespace tacit
