// TLS certificates of agents. They are self-signed and pinned by the charter, without a certificate
// authority.
#pragma once

#include <string>

#include "tacit/secrecy/secret_file.hpp"
#include "tacit/secrecy/signature.hpp"

namespace tacit {

struct TlsKeys {
  SecretText key;  ///< ECDSA on P-256, PEM (PKCS #8)
  /// PEM. Subject and DNS name are the agent's name. The certificate cannot sign other certificates.
  std::string certificate;
};

/// Creates new keys. The certificate is valid for thirty years, starting one day ago because clocks may
/// differ.
TlsKeys make_tls_keys(const std::string& name);

/// SHA-256 of the certificate in DER, as TLS transmits it. Throws InputError, starting with `where`, unless
/// the text is exactly one certificate in PEM.
using Fingerprint = Digest;
Fingerprint fingerprint_of(const std::string& certificate, const std::string& where);

/// Throws InputError unless the certificate is for the agent of this name and is valid today.
void check_certificate(const std::string& certificate, const std::string& name, const std::string& where);

/// Throws InputError unless the key belongs to the certificate.
void check_key_matches(const TlsKeys& keys, const std::string& where);

}  // namespace tacit
