// Mutually authenticated TLS 1.3 with pinned certificates, without a certificate authority. The holder of the
// key of a certificate in the charter is the agent that the charter lists with it.
#pragma once

#include <grpcpp/security/credentials.h>
#include <grpcpp/security/server_credentials.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tacit/identity/certificate.hpp"

namespace tacit {

/// Called with the fingerprint of a certificate that is not pinned.
using OnStranger = std::function<void(const std::string& fingerprint)>;

/// For connections to the owner of `pinned`.
std::shared_ptr<grpc::ChannelCredentials> dialling_credentials(const TlsKeys& own, const Fingerprint& pinned,
                                                               OnStranger stranger);
/// For connections from the owners of `pinned`.
std::shared_ptr<grpc::ServerCredentials> listening_credentials(const TlsKeys& own,
                                                               std::vector<Fingerprint> pinned,
                                                               OnStranger stranger);

}  // namespace tacit
