#include "tacit/identity/keys.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>

#include "tacit/base/error.hpp"
#include "tacit/base/system/files.hpp"
#include "tacit/identity/encoding.hpp"

namespace tacit {
namespace {

namespace fs = std::filesystem;

constexpr const char* identity_file = "identity.key";
constexpr const char* tls_file = "tls.key";
constexpr const char* card_file = "card.toml";
constexpr std::size_t seed_digits = 64;
constexpr std::string_view keys_cure = "create an agent's keys with tacit keygen";

void make_folder(const fs::path& folder) {
  std::error_code error;
  const fs::path parent = folder.parent_path();
  if (!parent.empty()) fs::create_directories(parent, error);
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
    throw Error(fmt::format("{}: cannot create the folder: {}", folder.string(), std::strerror(errno)));
  struct stat info {};
  if (::stat(folder.c_str(), &info) != 0 || !S_ISDIR(info.st_mode))
    throw InputError(fmt::format("{}: this is not a folder; give a folder for the keys", folder.string()));
  if (info.st_mode & 077)
    throw InputError(
        fmt::format("{0}: other users can open this folder (mode {1:o}); run chmod 700 {0}, or give another "
                    "folder",
                    folder.string(), info.st_mode & 0777));
}

SecretText digits_of(std::span<const std::byte> seed) {
  SecretText text(2 * seed.size() + 1);
  sodium_bin2hex(text.data(), text.size(), reinterpret_cast<const unsigned char*>(seed.data()), seed.size());
  text.back() = '\n';
  return text;
}

std::string_view view(const SecretText& text) { return {text.data(), text.size()}; }

}  // namespace

AgentKeys make_keys(const fs::path& folder, const std::string& name, const std::string& address) {
  check_name(name, "`name`");
  if (!address.empty()) check_address(address, "`address`");
  make_folder(folder);
  for (const char* file : {identity_file, tls_file, card_file})
    if (fs::exists(fs::symlink_status(folder / file)))
      throw InputError(
          fmt::format("{}: this file already exists, and keys are never overwritten; give another folder",
                      (folder / file).string()));
  LockedVector<std::byte> seed(32);
  Prg randomness = Prg::from_os();
  randomness.fill(seed);
  Identity identity{Identity::Seed(seed)};
  TlsKeys tls = make_tls_keys(name);
  Card card{name, identity.public_key(), std::move(tls.certificate), address, {}};
  sign(card, identity);
  write_whole(folder / identity_file, view(digits_of(seed)), 0600);
  write_whole(folder / tls_file, view(tls.key), 0600);
  write_whole(folder / card_file, to_toml(card));
  return {std::move(identity), std::move(tls.key), std::move(card)};
}

AgentKeys load_keys(const fs::path& folder) {
  struct stat info {};
  if (::stat(folder.c_str(), &info) != 0 || !S_ISDIR(info.st_mode))
    throw InputError(
        fmt::format("{}: this folder does not exist; create keys with tacit keygen", folder.string()));
  if (info.st_mode & 022)
    throw InputError(
        fmt::format("{0}: other users can write to this key folder (mode {1:o}); run chmod 700 {0}",
                    folder.string(), info.st_mode & 0777));
  const SecretText digits = read_secret(folder / identity_file, keys_cure);
  LockedVector<std::byte> seed(32);
  if (digits.size() < seed_digits || !from_hex({digits.data(), seed_digits}, seed))
    throw InputError(
        fmt::format("{}: this is not an identity key from tacit keygen; restore the file, or create new keys",
                    (folder / identity_file).string()));
  Identity identity{Identity::Seed(seed)};
  SecretText key = read_secret(folder / tls_file, keys_cure);
  Card card = read_card(folder / card_file);
  if (card.identity != identity.public_key())
    throw InputError(
        fmt::format("{}: the card does not match the identity in this folder; restore the files that belong "
                    "together",
                    (folder / card_file).string()));
  TlsKeys tls{std::move(key), card.certificate};
  check_key_matches(tls, (folder / tls_file).string());
  return {std::move(identity), std::move(tls.key), std::move(card)};
}

}  // namespace tacit
