#include "tacit/identity/certificate.hpp"

#include <fmt/format.h>
#include <openssl/bio.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>

#include <array>
#include <memory>
#include <type_traits>

#include "tacit/base/error.hpp"

namespace tacit {
namespace {

template <auto release>
struct Release {
  template <class T>
  void operator()(T* object) const {
    release(object);
  }
};
using Key = std::unique_ptr<EVP_PKEY, Release<EVP_PKEY_free>>;
using Certificate = std::unique_ptr<X509, Release<X509_free>>;
using Bio = std::unique_ptr<BIO, Release<BIO_free_all>>;
using Extension = std::unique_ptr<X509_EXTENSION, Release<X509_EXTENSION_free>>;

// Checks a call of OpenSSL, which returns 1 or a pointer on success.
template <class T>
T worked(T result, const char* what) {
  bool good = false;
  if constexpr (std::is_pointer_v<T>)
    good = result != nullptr;
  else
    good = result > 0;
  if (good) return result;
  ERR_clear_error();
  throw Error(fmt::format("OpenSSL could not {}", what));
}

void extend(X509* certificate, int kind, const std::string& value) {
  const Extension extension(
      worked(X509V3_EXT_conf_nid(nullptr, nullptr, kind, value.c_str()), "make a certificate's extension"));
  worked(X509_add_ext(certificate, extension.get(), -1), "extend a certificate");
}

template <class Text>
Text written(BIO* bio) {
  const char* data = nullptr;
  const long size = BIO_get_mem_data(bio, &data);
  return Text(data, data + size);
}

Certificate parsed(const std::string& pem, const std::string& where) {
  const Bio bio(worked(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())), "read memory"));
  Certificate certificate(PEM_read_bio_X509(bio.get(), nullptr, nullptr, nullptr));
  const Certificate second(certificate ? PEM_read_bio_X509(bio.get(), nullptr, nullptr, nullptr) : nullptr);
  ERR_clear_error();
  if (!certificate || second)
    throw InputError(where +
                     ": this must be exactly one certificate in PEM format; copy it from the agent's card");
  return certificate;
}

}  // namespace

TlsKeys make_tls_keys(const std::string& name) {
  const Key key(worked(EVP_EC_gen("P-256"), "make a key on P-256"));
  const Certificate certificate(worked(X509_new(), "make a certificate"));
  X509* c = certificate.get();
  worked(X509_set_version(c, 2), "set the certificate's version");
  std::array<unsigned char, 16> serial;
  worked(RAND_bytes(serial.data(), serial.size()), "draw a serial number");
  serial[0] &= 0x7f;
  const std::unique_ptr<BIGNUM, Release<BN_free>> number(
      worked(BN_bin2bn(serial.data(), serial.size(), nullptr), "make a serial number"));
  worked(BN_to_ASN1_INTEGER(number.get(), X509_get_serialNumber(c)), "set the serial number");
  constexpr long day = 24 * 60 * 60;
  worked(X509_gmtime_adj(X509_getm_notBefore(c), -day), "set the validity");
  worked(X509_time_adj_ex(X509_getm_notAfter(c), 30 * 365, 0, nullptr), "set the validity");
  X509_NAME* subject = X509_get_subject_name(c);
  worked(X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_UTF8,
                                    reinterpret_cast<const unsigned char*>(name.c_str()), -1, -1, 0),
         "set the subject");
  worked(X509_set_issuer_name(c, subject), "set the issuer");
  worked(X509_set_pubkey(c, key.get()), "set the public key");
  extend(c, NID_basic_constraints, "critical,CA:FALSE");
  extend(c, NID_key_usage, "critical,digitalSignature");
  extend(c, NID_ext_key_usage, "serverAuth,clientAuth");
  extend(c, NID_subject_alt_name, "DNS:" + name);
  worked(X509_sign(c, key.get(), EVP_sha256()), "sign a certificate");

  // The key's text is written to OpenSSL's secure buffer, which is wiped when it is freed.
  const Bio secret(worked(BIO_new(BIO_s_secmem()), "reserve memory")),
      open(worked(BIO_new(BIO_s_mem()), "reserve memory"));
  worked(PEM_write_bio_PKCS8PrivateKey(secret.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr),
         "write a key");
  worked(PEM_write_bio_X509(open.get(), c), "write a certificate");
  return {written<SecretText>(secret.get()), written<std::string>(open.get())};
}

Fingerprint fingerprint_of(const std::string& certificate, const std::string& where) {
  const Certificate c = parsed(certificate, where);
  Fingerprint fingerprint;
  unsigned size = 0;
  worked(X509_digest(c.get(), EVP_sha256(), reinterpret_cast<unsigned char*>(fingerprint.data()), &size),
         "hash a certificate");
  return fingerprint;
}

void check_certificate(const std::string& certificate, const std::string& name, const std::string& where) {
  const Certificate c = parsed(certificate, where);
  if (X509_check_host(c.get(), name.c_str(), name.size(), 0, nullptr) != 1)
    throw InputError(fmt::format("{}: this certificate is not for an agent named {}", where, name));
  if (X509_cmp_current_time(X509_get0_notBefore(c.get())) > 0)
    throw InputError(fmt::format("{}: this certificate is not valid yet; check this machine's clock", where));
  if (X509_cmp_current_time(X509_get0_notAfter(c.get())) < 0)
    throw InputError(
        fmt::format("{}: this certificate has expired; create new keys with tacit keygen and a new charter, "
                    "or correct this machine's clock",
                    where));
}

void check_key_matches(const TlsKeys& keys, const std::string& where) {
  const Certificate c = parsed(keys.certificate, where);
  const Bio bio(worked(BIO_new_mem_buf(keys.key.data(), static_cast<int>(keys.key.size())), "read memory"));
  const Key key(PEM_read_bio_PrivateKey(bio.get(), nullptr, nullptr, nullptr));
  const bool same = key && X509_check_private_key(c.get(), key.get()) == 1;
  ERR_clear_error();
  if (!same) throw InputError(where + ": the TLS key and the certificate do not belong together");
}

}  // namespace tacit
