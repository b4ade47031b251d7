// TLS certificates of agents: self-signed and pinned by the charter; no third party vouches for them.
#pragma once

#include <string>

#include "tacit/secrecy/secret_file.hpp"
#include "tacit/secrecy/signature.hpp"

namespace tacit {

struct TlsKeys {
  SecretText key;  ///< ECDSA on P-256, PEM (PKCS #8)
  /// PEM. Subject and DNS name are the agent's name. It cannot sign other certificates.
  std::string certificate;
};

/// Fresh keys. Certificates are valid from a day ago, so that clocks may differ, for thirty years.
TlsKeys make_tls_keys(const std::string& name);

/// SHA-256 of the certificate as it goes over the wire (DER). Throws InputError, `where` first, when the text
/// is not exactly one certificate in PEM.
using Fingerprint = Digest;
Fingerprint fingerprint_of(const std::string& certificate, const std::string& where);

/// Throws InputError unless the certificate is for the agent of this name and today is within its validity.
void check_certificate(const std::string& certificate, const std::string& name, const std::string& where);

/// Throws InputError unless `key` is that of the certificate.
void check_key_matches(const TlsKeys& keys, const std::string& where);

}  // namespace tacit
