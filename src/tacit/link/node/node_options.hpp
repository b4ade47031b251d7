// The options of a node: the other agents, the agreement, and how long to wait.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tacit/graph/graph.hpp"
#include "tacit/identity/certificate.hpp"
#include "tacit/link/transport/awake_clock.hpp"
#include "tacit/secrecy/signature.hpp"

namespace tacit {

/// Another agent or this one, as the charter describes it.
struct Peer {
  std::string name;         ///< for people; also sent in the hello
  std::string address;      ///< host:port to dial; empty if it cannot be dialled, and must dial itself
  std::string certificate;  ///< PEM, self-signed; no other certificate is accepted
  IdentityKey identity{};   ///< verifies its signatures
};

/// What all agents must have in common. The hash decides; the fields only serve to report differences.
struct Agreement {
  Digest hash{};
  std::vector<std::pair<std::string, std::string>> fields;  ///< in the charter's canonical order
};

using Milliseconds = std::chrono::milliseconds;

/// How long an agent waits, and for what. A timeout error gives the name of the limit as in this structure.
struct Timeouts {
  Milliseconds handshake{5'000};  ///< for a new connection to complete TLS and hello
  /// A silent link is pinged after this time, and dropped after twice this time without an answer.
  Milliseconds keepalive{2'000};
  Milliseconds loss{10'000};      ///< without a link for this time, an agent is lost to the current runs
  Milliseconds silence{300'000};  ///< in a run, for the next message of a connected agent
  Milliseconds gather{20'000};    ///< for all agents to answer an announcement; longer than loss
  Milliseconds start{5'000};      ///< after gather, for an announced run to be started or withdrawn
  Milliseconds queue{600'000};    ///< for a request to get its turn
};

enum class LogLevel { debug, info, warning, error };
/// Called from several threads.
using LogSink = std::function<void(LogLevel, const std::string&)>;

inline std::uint64_t milliseconds_since_1970() {
  const auto since = std::chrono::system_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(std::chrono::duration_cast<Milliseconds>(since).count());
}

struct NodeOptions {
  AgentId self = 0;
  std::vector<Peer> everybody;  ///< by agent id
  Graph graph = Graph(1, {});
  Agreement agreement;
  std::string listen;                  ///< host:port; port 0 selects a free one; empty accepts no connections
  SecretText private_key;              ///< PEM, of this agent's certificate
  const Identity* identity = nullptr;  ///< must outlive the node
  /// A folder for this agent only; created if needed. Without one, the agent takes part in no run.
  std::filesystem::path journal;
  std::size_t journal_bytes = 16u << 20;  ///< a journal file is rotated at this size; one old file is kept
  std::size_t most_request_bytes = 1u
                                   << 20;  ///< of a request's body; a larger one closes the sender's stream
  Timeouts timeouts;
  std::shared_ptr<AwakeClock> clock = std::make_shared<AwakeClock>();  ///< of all timeouts; never null
  /// Milliseconds since 1970. Orders requests and numbers runs; no wait depends on it.
  std::function<std::uint64_t()> calendar = &milliseconds_since_1970;
  std::string release;  ///< of Tacit, reported to neighbours for display
  LogSink log = [](LogLevel, const std::string&) {};
};

/// The limit of a message: 64 MiB, eight million values. Part of the wire version.
inline constexpr std::size_t most_message_bytes = 64u << 20;

/// The limit of a request's kind, such as "fit".
inline constexpr std::size_t most_kind_bytes = 32;

}  // namespace tacit
