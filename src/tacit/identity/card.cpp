#include "tacit/identity/card.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>

#include "tacit/base/system/files.hpp"
#include "tacit/base/system/release.hpp"
#include "tacit/identity/encoding.hpp"
#include "tacit/identity/toml_table.hpp"

namespace tacit {
namespace {

bool plain(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

Digest signed_text(const Card& card, const Fingerprint& fingerprint) {
  const auto bytes = [](std::string_view text) { return std::as_bytes(std::span(text)); };
  return digest_of(
      {bytes("tacit card 1"), bytes(card.name), card.identity, fingerprint, bytes(card.address)});
}

}  // namespace

void check_name(const std::string& name, const std::string& where) {
  const bool good = !name.empty() && name.size() <= 40 && plain(name.front()) && plain(name.back()) &&
                    std::all_of(name.begin(), name.end(), [](char c) { return plain(c) || c == '-'; });
  if (!good)
    throw InputError(
        fmt::format("{}: {} is not a valid agent name; use 1 to 40 characters from a-z, 0-9 and -, such as "
                    "aachen-2",
                    where, in_quotes(name.substr(0, 60))));
}

std::pair<std::string, std::string> host_and_port(const std::string& address) {
  const std::size_t colon = address.rfind(':');
  if (colon == std::string::npos) return {address, ""};
  std::string host = address.substr(0, colon);
  if (host.size() > 2 && host.front() == '[' && host.back() == ']') host = host.substr(1, host.size() - 2);
  return {host, address.substr(colon + 1)};
}

void check_address(const std::string& address, const std::string& where) {
  const auto [host, port] = host_and_port(address);
  unsigned number = 0;
  const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), number);
  const bool v6 = address.starts_with('[');
  const bool good_host =
      !host.empty() && host.size() <= 253 && std::all_of(host.begin(), host.end(), [&](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '.' || c == '_' ||
               (v6 && (c == ':' || c == '%'));
      });
  if (!good_host || port.empty() || error != std::errc() || end != port.data() + port.size() || number < 1 ||
      number > 65535)
    throw InputError(
        fmt::format("{}: {} is not a valid address; write host:port, such as 10.0.0.7:7500 or [fd00::7]:7500",
                    where, in_quotes(address.substr(0, 80))));
}

void sign(Card& card, const Identity& identity) {
  card.signature =
      identity.sign(signed_text(card, fingerprint_of(card.certificate, "the card of " + card.name)));
}

std::string to_toml(const Card& card) {
  return fmt::format(
      "# The card of the Tacit agent {0}. All of it is public. Give it to the other parties, and compare "
      "identity and\n"
      "# fingerprint with them over another channel, such as the telephone.\n"
      "card = 1\n"
      "name = {1}\n"
      "identity = \"{2}\"\n"
      "fingerprint = \"{3}\"\n"
      "address = {4}   # where the others reach this agent\n"
      "signature = \"{5}\"\n"
      "certificate = \"\"\"\n{6}\"\"\"\n",
      card.name, in_quotes(card.name), hex(card.identity),
      hex(fingerprint_of(card.certificate, "the certificate")), in_quotes(card.address), hex(card.signature),
      card.certificate);
}

Card parse_card(const std::string& file, std::string_view text) {
  const TomlTable root = TomlTable::parse(file, text);
  if (!root.has("card"))
    throw InputError(file + ": this file is not a card. Create a card (card.toml) with tacit keygen.");
  check_format(file, root.count("card", 1, 1'000'000), 1);
  Card card;
  card.name = root.text("name");
  check_name(card.name, root.where("name"));
  if (!from_hex(root.text("identity"), card.identity))
    throw root.wrong("identity", "this must be 64 hexadecimal digits");
  card.address = root.text("address");
  if (!card.address.empty()) check_address(card.address, root.where("address"));
  card.certificate = root.text("certificate");
  const std::string where = file + ", certificate";
  const Fingerprint fingerprint = fingerprint_of(card.certificate, where);
  check_certificate(card.certificate, card.name, where);
  Fingerprint stated;
  if (!from_hex(root.text("fingerprint"), stated) || stated != fingerprint)
    throw root.wrong("fingerprint", "this is not the fingerprint of the certificate below");
  if (!from_hex(root.text("signature"), card.signature) ||
      !verify(card.identity, signed_text(card, fingerprint), card.signature))
    throw root.wrong("signature",
                     "the signature is invalid, so the card was changed; ask its owner for a new copy");
  root.done();
  return card;
}

Card read_card(const std::filesystem::path& file) {
  return parse_card(file.string(), read_whole(file, 1 << 20));
}

}  // namespace tacit
