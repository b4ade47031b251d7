// Mutually authenticated TLS 1.3 with pinned certificates: there is no certificate authority. An agent is
// whoever holds the key of the certificate that the charter has for it.
#pragma once

#include <grpcpp/security/credentials.h>
#include <grpcpp/security/server_credentials.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tacit/identity/certificate.hpp"

namespace tacit {

/// Called with the fingerprint of a stranger's certificate.
using OnStranger = std::function<void(const std::string& fingerprint)>;

/// For dialling the owner of `pinned`.
std::shared_ptr<grpc::ChannelCredentials> dialling_credentials(const TlsKeys& own, const Fingerprint& pinned,
                                                               OnStranger stranger);
/// For being dialled by the owners of `pinned`.
std::shared_ptr<grpc::ServerCredentials> listening_credentials(const TlsKeys& own,
                                                               std::vector<Fingerprint> pinned,
                                                               OnStranger stranger);

}  // namespace tacit
