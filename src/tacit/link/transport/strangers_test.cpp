// Connections from peers that are not in the charter or that violate the protocol: the agent refuses them,
// logs each once, and continues to work.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <random>

#include "tacit/base/system/descriptors.hpp"
#include "tacit/graph/generators.hpp"
#include "tacit/identity/encoding.hpp"
#include "tacit/link/node/hostile_testing.hpp"
#include "tacit/link/node/process_testing.hpp"
#include "tacit/link/node/proxy_testing.hpp"
#include "tacit/link/transport/frame.hpp"

namespace tacit {
namespace {

using namespace testing;

// A TLS client that shows a certificate. True if it could send and then received an answer.
bool tls_works(const std::string& address, const TlsKeys* keys, int highest_version) {
  SSL_CTX* context = SSL_CTX_new(TLS_client_method());
  SSL_CTX_set_max_proto_version(context, highest_version);
  const unsigned char protocols[] = "\x02h2";
  SSL_CTX_set_alpn_protos(context, protocols, 3);
  if (keys) {
    BIO* key = BIO_new_mem_buf(keys->key.data(), static_cast<int>(keys->key.size()));
    EVP_PKEY* secret = PEM_read_bio_PrivateKey(key, nullptr, nullptr, nullptr);
    BIO* text = BIO_new_mem_buf(keys->certificate.data(), static_cast<int>(keys->certificate.size()));
    X509* certificate = PEM_read_bio_X509(text, nullptr, nullptr, nullptr);
    SSL_CTX_use_certificate(context, certificate);
    SSL_CTX_use_PrivateKey(context, secret);
    X509_free(certificate);
    EVP_PKEY_free(secret);
    BIO_free(key);
    BIO_free(text);
  }
  SSL* ssl = SSL_new(context);
  const int handle = connect_to(address);
  timeval patience{5, 0};
  setsockopt(handle, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  SSL_set_fd(ssl, handle);
  bool works = false;
  if (SSL_connect(ssl) == 1) {  // in TLS 1.3 the server decides after that, so wait for its HTTP/2 settings
    const char preface[] = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0";
    SSL_write(ssl, preface, sizeof preface - 1);
    char answer[64];
    works = SSL_read(ssl, answer, sizeof answer) > 0;
  }
  SSL_free(ssl);
  SSL_CTX_free(context);
  close(handle);
  return works;
}

struct Strangers : ::testing::Test {
  TestNetwork network{complete_graph(3)};
  void SetUp() override {
    signal(SIGPIPE, SIG_IGN);
    network.start(adding(3));
    network.wait_for_links();
  }
  void TearDown() override {  // the agents still work
    network.wait_for_links();
    EXPECT_EQ(sum_in(network[1].ask({"add", ""}, network.everybody()).get()), 111);
  }
};

TEST(Knocking, GarbageAndHalfHellosAndPortScansLeaveNothingBehind) {
#ifdef TACIT_SANITIZED
  GTEST_SKIP() << "sanitizers keep freed memory, so a bound on it is meaningless";
#endif
  ProcessNetwork network(complete_graph(3));
  ASSERT_TRUE(network.linked());
  std::mt19937_64 random(1);
  const auto resident_after = [&](int times) {
    std::vector<int> open;
    for (int k = 0; k < times; ++k) {
      const int handle = connect_to(network.network().address(0));
      EXPECT_GE(handle, 0);
      std::string bytes;
      if (k % 3 == 0) bytes = std::string("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 11);  // a TLS hello
      if (k % 3 == 1)
        for (std::size_t n = random() % 3000; n > 0; --n) bytes += static_cast<char>(random());
      send(handle, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      shutdown(handle, SHUT_WR);
      open.push_back(handle);
      if (open.size() < 50 && k + 1 < times) continue;
      for (const int one : open) {  // until the agent has closed it
        char piece[256];
        while (recv(one, piece, sizeof piece, 0) > 0) continue;
        close(one);
      }
      open.clear();
    }
    return network[0].resident_bytes();
  };
  const std::size_t before = resident_after(2000);  // includes what is allocated only once
  EXPECT_LT(resident_after(4000), before + (8u << 20));
  network[1].tell("ask");
  EXPECT_EQ(network[1].hear().value_or("nothing"), "done 111");
}

// gRPC 1.51 never accepts again after it has run out of descriptors.
TEST(Knocking, AFloodOfIdleConnectionsDoesNotKeepMembersOut) {
  raise_descriptor_limit();  // of this process, the stranger
  if (descriptor_limit() < 4096) GTEST_SKIP() << "a flood needs 4,096 descriptors (ulimit -n)";
  ProcessNetwork network(complete_graph(3));
  ASSERT_TRUE(network.linked());
  network[0].limit_descriptors(1024);
  const NodeOptions options = network.network().options(1);
  const TlsKeys member{options.private_key, options.everybody[1].certificate};
  const std::string& address = network.network().address(0);
  {
    std::vector<Descriptor> idle;
    for (int k = 0; k < 1100; ++k) idle.emplace_back(connect_to(address));
    EXPECT_TRUE(tls_works(address, &member, TLS1_3_VERSION)) << "during the flood";
  }
  EXPECT_TRUE(tls_works(address, &member, TLS1_3_VERSION)) << "after the flood";
  network[1].kill();
  network.start(1);
  ASSERT_TRUE(network.linked());
  network[1].tell("ask");
  EXPECT_EQ(network[1].hear().value_or("nothing"), "done 111");
}

TEST_F(Strangers, AHelloThatNeverEndsIsDroppedAfterAWhile) {
  const int handle = connect_to(network.address(0));
  ASSERT_EQ(send(handle, "\x16\x03\x01\x02", 4, MSG_NOSIGNAL), 4);
  timeval patience{30, 0};
  setsockopt(handle, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  char byte = 0;
  EXPECT_EQ(recv(handle, &byte, 1, 0), 0) << "closed by the agent, after timeouts.handshake";
  close(handle);
}

TEST_F(Strangers, AnUnknownCertificateIsRefusedAndLoggedOnce) {
  const TlsKeys unknown = make_tls_keys("agent-1");  // a known name is not enough
  for (int k = 0; k < 5; ++k) EXPECT_FALSE(tls_works(network.address(0), &unknown, TLS1_3_VERSION));
  EXPECT_FALSE(tls_works(network.address(0), nullptr, TLS1_3_VERSION));
  EXPECT_EQ(network.logged(0, "certificate that is not in the charter, " +
                                  hex(fingerprint_of(unknown.certificate, "test"))),
            1u)
      << network.log_of(0);
}

TEST_F(Strangers, OnlyTls13IsSpoken) {
  const NodeOptions options = network.options(1);
  const TlsKeys known{options.private_key, options.everybody[1].certificate};
  EXPECT_TRUE(tls_works(network.address(0), &known, TLS1_3_VERSION));
  EXPECT_FALSE(tls_works(network.address(0), &known, TLS1_2_VERSION));
}

TEST_F(Strangers, AKnownCertificateWithAnotherAgentsNameIsRefused) {
  Hostile rogue(network.options(1), 0);
  wire::Hello hello = rogue.hello();
  hello.set_agent(2);
  hello.set_name("agent-2");
  rogue.say(hello);
  EXPECT_TRUE(
      rogue.is_refused("the peer with the certificate of agent 1 (agent-1) claims to be agent 2 (agent-2)"));
  EXPECT_EQ(network.logged(0, "the certificate of agent 1"), 1u);
}

TEST_F(Strangers, AnotherVersionIsRefusedByName) {
  Hostile rogue(network.options(1), 0);
  wire::Hello hello = rogue.hello();
  hello.set_version(7);
  rogue.say(hello);
  EXPECT_TRUE(rogue.is_refused(fmt::format(
      "agent 0 (agent-0) runs an older Tacit (wire {}) than agent 1 (agent-1) (wire 7): upgrade agent-0",
      wire_version)));
}

TEST_F(Strangers, TooLargeAMessageClosesTheStreamAndNothingElse) {
  network.stop(1);
  {
    Hostile rogue(network.options(1), 0);
    rogue.say(rogue.hello());
    ASSERT_TRUE(rogue.is_used());
    wire::Header header;
    header.set_sequence(1);
    *header.mutable_message() = to_wire(random_name(), {});
    rogue.say(header, std::string(most_message_bytes + (1u << 20), 'x'));
    EXPECT_TRUE(rogue.is_closed());
  }
  network.start(1, adding(3));
}

TEST_F(Strangers, AStreamPlayedAgainAndOneWithHolesAreSeenThrough) {
  network.stop(1);
  {
    Hostile rogue(network.options(1), 0);
    rogue.say(rogue.hello());
    ASSERT_TRUE(rogue.is_used());
    wire::Header header;
    header.mutable_cancel()->set_run(to_field(random_name()));
    for (int repeat = 0; repeat < 3; ++repeat)
      for (std::uint64_t number = 1; number <= 10; ++number) {
        header.set_sequence(number);
        rogue.say(header);
      }
    header.set_sequence(12);
    rogue.say(header);
    EXPECT_TRUE(rogue.is_closed());
  }
  EXPECT_EQ(network.logged(0, "agent 1 (agent-1): skipped frame 11; stream closed"), 1u) << network.log_of(0);
  network.start(1, adding(3));
}

TEST_F(Strangers, AStrangerThatSendsNothingOrNonsenseIsCutOff) {
  network.stop(1);
  {
    Hostile rogue(network.options(1), 0);
    wire::Header header;
    header.set_sequence(1);
    header.mutable_quit()->set_run("short");
    rogue.say(header);
    EXPECT_TRUE(rogue.is_closed());
  }
  EXPECT_EQ(network.logged(0, "agent 1 (agent-1): did not start with a hello"), 1u) << network.log_of(0);
  {
    Hostile silent(network.options(1), 0);
    EXPECT_TRUE(silent.is_closed());
  }
  network.start(1, adding(3));
}

TEST(Charters, ThatDifferAreRefusedOnBothSidesNamingTheFirstField) {
  TestNetwork network(complete_graph(3));
  network.start(0, adding(3));
  NodeOptions other = network.options(1);
  other.agreement.fields[1].second = "0..120";
  other.agreement.hash[0] = std::byte{1};
  network.start(1, adding(3), other);
  const std::string there = "the first field that differs is columns.age: ours 0..100, theirs 0..120";
  const std::string back = "the first field that differs is columns.age: ours 0..120, theirs 0..100";
  EXPECT_TRUE(network.wait_for_log(0, there));
  EXPECT_TRUE(network.wait_for_log(1, back));
  EXPECT_EQ(network.logged(0, there), 1u) << network.log_of(0);
  EXPECT_EQ(network.logged(1, back), 1u) << network.log_of(1);
  EXPECT_TRUE(says(network[0].status().neighbours[0].refusal, "columns.age"));
}

}  // namespace
}  // namespace tacit
