// The CKKS rival over channels: its sums, its messages, and what it refuses.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tacit/base/base_testing.hpp"
#include "tacit/base/error.hpp"
#include "tacit/lab/rivals/ckks/protocol.hpp"

namespace tacit {
namespace {

using testing::error_of;

constexpr std::size_t party_count = 5;

std::vector<Values> some_values(std::size_t length) {
  std::vector<Values> all(party_count);
  for (std::size_t i = 0; i < party_count; ++i)
    for (std::size_t k = 0; k < length; ++k)
      all[i].push_back(1e4 * std::sin(static_cast<double>(1 + 7 * i + 3 * k)));
  return all;
}

SimulatorOptions options_of(unsigned threads = 2) {
  return {.threads = threads,
          .seed = 3,
          .network = {.latency = 0.2e-3, .bandwidth = 0},
          .coalition = {},
          .progress = nullptr};
}

const Ckks& small_scheme() {  // 32 values in a ciphertext
  static const Ckks scheme({.name = "toy", .log_n = 6, .limbs = 3}, party_count);
  return scheme;
}

// The error of a run that fails because of other agents.
std::string failure_of(const SimulatorOptions& options) {
  return error_of<Error>([&] { run_ckks(small_scheme(), some_values(20), options); });
}

const CkksPhaseCost& of(const CkksRun& run, CkksPhase phase) {
  return run.phases[static_cast<std::size_t>(phase)];
}

TEST(CkksProtocol, SumsAndCountsAsByHand) {
  const std::vector<Values> values = some_values(70);
  const CkksRun run = run_ckks(small_scheme(), values, options_of());
  ASSERT_EQ(run.sums.size(), 70u);
  EXPECT_EQ(run.ciphertexts, 3u);
  EXPECT_LT(run.error, run.bound);
  EXPECT_LT(run.bound, 1e-3);
  EXPECT_LT(run.encoding_error, 1e-10);
  // Key share, common key, ciphertexts, c1 of the sum, parts, result: each is one message between each party
  // and the server.
  EXPECT_EQ(run.cost.rounds, 6u);
  EXPECT_EQ(run.cost.messages, 6 * party_count);
  EXPECT_NEAR(run.cost.network_seconds, 6 * 0.2e-3, 1e-12);
  const std::uint64_t limb = 64 * 8;
  EXPECT_EQ(of(run, CkksPhase::key_generation).bytes, party_count * 3 * limb);
  EXPECT_EQ(of(run, CkksPhase::common_key).bytes, party_count * 3 * limb);
  EXPECT_EQ(of(run, CkksPhase::encryption).bytes, party_count * 3 * 2 * 3 * limb);
  EXPECT_EQ(of(run, CkksPhase::addition).bytes, party_count * 3 * 2 * limb);
  EXPECT_EQ(of(run, CkksPhase::partial_decryption).bytes, party_count * 3 * 2 * limb);
  EXPECT_EQ(of(run, CkksPhase::merging).bytes, party_count * 70 * 8);
  std::uint64_t bytes = 0, messages = 0;
  for (const CkksPhaseCost& phase : run.phases) {
    bytes += phase.bytes;
    messages += phase.messages;
    EXPECT_GE(phase.seconds, phase.longest);
  }
  EXPECT_EQ(run.cost.bytes, bytes);
  EXPECT_EQ(run.cost.messages, messages);
  EXPECT_EQ(run_ckks(small_scheme(), values, options_of(1)).sums,
            run.sums);  // to the bit, on any number of threads
}

TEST(CkksProtocol, LeanParametersCarryAPrediction) {
  const CkksRun run = run_ckks(lean_ckks(), some_values(178), options_of());
  EXPECT_EQ(run.ciphertexts, 1u);
  EXPECT_LT(run.error, run.bound);
  EXPECT_LT(run.bound, 1e-4);
}

TEST(CkksProtocol, UsualParametersCarryASum) {
  const std::vector<Values> all = some_values(178), two(all.begin(), all.begin() + 2);
  const CkksRun run = run_ckks(usual_ckks(), two, options_of(1));
  EXPECT_EQ(run.ciphertexts, 1u);
  EXPECT_LT(run.error, run.bound);
  EXPECT_LT(run.bound, 1e-2);
  const std::uint64_t limb = 65536 * 8;
  EXPECT_EQ(of(run, CkksPhase::encryption).bytes, 2 * 2 * 13 * limb);
  EXPECT_EQ(of(run, CkksPhase::addition).bytes, 2 * 2 * limb);  // two of 13 primes remain
  // The phases cover all work, including packing and unpacking of these long messages, which is a tenth of
  // it.
  double seconds = 0;
  for (const CkksPhaseCost& phase : run.phases) seconds += phase.seconds;
  seconds -= of(run, CkksPhase::common_random).seconds;  // generated only once
  EXPECT_GT(seconds, 0.95 * run.cost.work_seconds);
  EXPECT_LT(seconds, 1.001 * run.cost.work_seconds);
}

TEST(CkksProtocol, StopsAtTheLimit) {
  SimulatorOptions slow = options_of();
  slow.network.latency = 100;  // six rounds take 600 seconds of the virtual clock
  const CkksRun stopped = run_ckks(small_scheme(), some_values(20), slow, 500);
  ASSERT_TRUE(stopped.stopped_after && stopped.stopped_in);
  EXPECT_LT(*stopped.stopped_after, 100);  // known from the start
  EXPECT_EQ(*stopped.stopped_in, CkksPhase::key_generation);
  EXPECT_TRUE(stopped.sums.empty());
  EXPECT_GT(of(stopped, CkksPhase::common_random).seconds, 0);  // completed phases are reported
  EXPECT_FALSE(run_ckks(small_scheme(), some_values(20), slow, 700).stopped_after);
}

TEST(CkksProtocol, RefusesWeakParameters) {
  CkksParameters weak = lean_ckks();
  weak.log_n = 11;
  EXPECT_NE(
      error_of([&] { run_ckks(weak, some_values(4), options_of()); }).find("less than 128 bits of security"),
      std::string::npos);
}

// If one party sends a wrong part of the decryption, the result is noise.
TEST(CkksProtocol, AWrongShareGivesNoise) {
  SimulatorOptions options = options_of(1);
  options.tamper = [](AgentId from, AgentId, const Tag& tag,
                      std::span<const std::byte> bytes) -> std::optional<SimulatorOptions::Instead> {
    if (from != 2 || tag.step != Step::partial) return std::nullopt;
    std::vector<std::byte> other(bytes.begin(), bytes.end());
    std::rotate(other.begin(), other.begin() + 8, other.begin() + 64 * 8);  // the first limb's numbers
    return SimulatorOptions::Instead{{tag, std::move(other)}};
  };
  const CkksRun run = run_ckks(small_scheme(), some_values(20), options);
  EXPECT_GT(run.error, 1e6);
}

TEST(CkksProtocol, AMissingPartyEndsIt) {
  SimulatorOptions options = options_of();
  options.departures = {
      {.agent = 1, .round = static_cast<std::uint32_t>(CkksPhase::partial_decryption), .vanishes_after = 0}};
  EXPECT_NE(failure_of(options).find("never arrived from agent 1"), std::string::npos);
}

TEST(CkksProtocol, BytesThatAreNoPolynomialAreRefused) {
  for (const bool shorter : {true, false}) {
    SimulatorOptions options = options_of(1);
    options.tamper = [shorter](AgentId from, AgentId, const Tag& tag,
                               std::span<const std::byte> bytes) -> std::optional<SimulatorOptions::Instead> {
      if (from != 3 || tag.step != Step::vector) return std::nullopt;
      std::vector<std::byte> other(bytes.begin(), bytes.end());
      if (shorter)
        other.pop_back();
      else
        other[7] = std::byte{0x7F};
      return SimulatorOptions::Instead{{tag, std::move(other)}};
    };
    const std::string error = failure_of(options);
    EXPECT_NE(error.find("agent 3 sent"), std::string::npos) << error;
  }
}

}  // namespace
}  // namespace tacit
