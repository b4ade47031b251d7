// Measures the public-key operations of exact sums on one core.
//   bench_keys
#include <cstdio>
#include <functional>

#include "ratio.hpp"
#include "tacit/secrecy/pairwise.hpp"

using namespace tacit;

int main() {
  Prg randomness = Prg::from_seed(1, "keys", 0);
  const Identity identity(randomness);
  const KeyPair mine(randomness), theirs(randomness);
  const Digest text = digest_of({});
  const Signature signature = identity.sign(text);
  const auto time = [](const char* what, const std::function<void()>& one) {
    constexpr int times = 2000;
    const double seconds = bench::seconds_of([&] {
      for (int k = 0; k < times; ++k) one();
    });
    std::printf("%-40s %7.1f us\n", what, seconds / times * 1e6);
  };
  time("a shared key (X25519)", [&] { (void)mine.agree(theirs.public_key(), pair_name(0, 1)); });
  time("a fresh key (X25519)", [&] { (void)KeyPair(randomness); });
  time("a signature (Ed25519)", [&] { (void)identity.sign(text); });
  time("verifying a signature (Ed25519)", [&] { (void)verify(identity.public_key(), text, signature); });
  time("the agreement key of an identity", [&] { (void)agreement_key(identity.public_key()); });
  return 0;
}
