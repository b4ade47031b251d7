#include "tacit/link/transport/tls.hpp"

#include <grpcpp/security/tls_certificate_provider.h>
#include <grpcpp/security/tls_certificate_verifier.h>
#include <grpcpp/security/tls_credentials_options.h>
#include <openssl/crypto.h>

#include <algorithm>
#include <cstdlib>
#include <mutex>

#include "tacit/base/error.hpp"
#include "tacit/identity/encoding.hpp"

namespace tacit {
namespace {

namespace tls = grpc::experimental;

// gRPC 1.51 has no option for the lowest TLS version. It offers TLS 1.3 with its usual suites and TLS 1.2
// with those listed here. The one listed needs a pre-shared key, which no agent has, so TLS 1.2 always fails.
// gRPC reads the variable once.
void allow_only_tls13() {
  static std::once_flag once;
  std::call_once(once, [] { setenv("GRPC_SSL_CIPHER_SUITES", "PSK-AES256-GCM-SHA384", 1); });
}

// Threads of gRPC may still be ending when the program exits. If OpenSSL has already cleaned up, they leak
// memory or crash in it. So it must not clean up at exit. Only the first call counts.
[[maybe_unused]] const int no_cleanup_at_exit = OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT, nullptr);

class OnlyPinned final : public tls::ExternalCertificateVerifier {
 public:
  OnlyPinned(std::vector<Fingerprint> pinned, OnStranger stranger)
      : pinned_(std::move(pinned)), stranger_(std::move(stranger)) {}

  bool Verify(tls::TlsCustomVerificationCheckRequest* request, std::function<void(grpc::Status)>,
              grpc::Status* status) override {
    std::string shown = "none";
    try {
      const auto pem = request->peer_cert();
      const Fingerprint digest = fingerprint_of({pem.data(), pem.size()}, "a peer's certificate");
      if (std::ranges::count(pinned_, digest) > 0) {
        *status = grpc::Status::OK;
        return true;
      }
      shown = hex(digest);
    } catch (const Error&) {  // not even a certificate
    }
    stranger_(shown);
    *status = grpc::Status(grpc::StatusCode::UNAUTHENTICATED, "this certificate is not in the charter");
    return true;
  }
  void Cancel(tls::TlsCustomVerificationCheckRequest*) override {}

 private:
  const std::vector<Fingerprint> pinned_;
  const OnStranger stranger_;
};

template <class Options>
void use_pinned(Options& options, std::vector<Fingerprint> pinned, OnStranger stranger) {
  options.watch_identity_key_cert_pairs();
  options.set_check_call_host(false);  // the certificate identifies the peer, not its name
  options.set_certificate_verifier(
      tls::ExternalCertificateVerifier::Create<OnlyPinned>(std::move(pinned), std::move(stranger)));
}

std::shared_ptr<tls::CertificateProviderInterface> provider_of(const TlsKeys& own) {
  return std::make_shared<tls::StaticDataCertificateProvider>(
      std::vector<tls::IdentityKeyCertPair>{{{own.key.begin(), own.key.end()}, own.certificate}});
}

}  // namespace

std::shared_ptr<grpc::ChannelCredentials> dialling_credentials(const TlsKeys& own, const Fingerprint& pinned,
                                                               OnStranger stranger) {
  allow_only_tls13();
  tls::TlsChannelCredentialsOptions options;
  options.set_certificate_provider(provider_of(own));
  options.set_verify_server_certs(false);  // there is no chain; the verifier accepts exactly one certificate
  use_pinned(options, {pinned}, std::move(stranger));
  return tls::TlsCredentials(options);
}

std::shared_ptr<grpc::ServerCredentials> listening_credentials(const TlsKeys& own,
                                                               std::vector<Fingerprint> pinned,
                                                               OnStranger stranger) {
  allow_only_tls13();
  tls::TlsServerCredentialsOptions options(provider_of(own));
  options.set_cert_request_type(GRPC_SSL_REQUEST_AND_REQUIRE_CLIENT_CERTIFICATE_BUT_DONT_VERIFY);
  use_pinned(options, std::move(pinned), std::move(stranger));
  return tls::TlsServerCredentials(options);
}

}  // namespace tacit
