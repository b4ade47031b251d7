// A card: what an agent gives to the others so that they can add it to a charter. All of it is public.
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
  Signature signature{};    ///< by the identity, so that nobody can swap the certificate
};

/// Names are for people, certificates and logs: 1 to 40 of a-z, 0-9 and '-', starting and ending with a
/// letter or digit. Throws InputError that starts with `where` and says what is allowed.
void check_name(const std::string& name, const std::string& where);

/// "host:port" or "[v6]:port" with a port from 1 to 65535. Throws InputError, `where` first.
void check_address(const std::string& address, const std::string& where);
/// The two parts of a checked address; brackets are taken off.
std::pair<std::string, std::string> host_and_port(const std::string& address);

/// Signs what the card says.
void sign(Card& card, const Identity& identity);

/// TOML, with comments for people. Reading throws InputError, naming file, line and field, for a card that is
/// incomplete, whose certificate is not for its name, or whose signature does not hold.
std::string to_toml(const Card& card);
Card read_card(const std::filesystem::path& file);
Card parse_card(const std::string& file, std::string_view text);

}  // namespace tacit
