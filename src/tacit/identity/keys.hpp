// An agent's own keys, in a folder that only its user can open: identity.key, tls.key and card.toml.
#pragma once

#include <filesystem>
#include <string>

#include "tacit/identity/card.hpp"

namespace tacit {

struct AgentKeys {
  Identity identity;
  SecretText tls_key;  ///< PEM
  Card card;
};

/// Creates keys in `folder`, which is created if needed (mode 0700; secrets 0600). Throws InputError and
/// writes no key if one of the files already exists.
AgentKeys make_keys(const std::filesystem::path& folder, const std::string& name, const std::string& address);

/// Throws InputError, with the command to run, if other users can read a secret or write to the folder. Also
/// throws it if secrets and card do not belong together.
AgentKeys load_keys(const std::filesystem::path& folder);

}  // namespace tacit
