// What an agent must be told to talk to the others: who they are, what is agreed on, how long to wait.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "tacit/graph/mask_helpers.hpp"
#include "tacit/identity/certificate.hpp"
#include "tacit/secrecy/signature.hpp"

namespace tacit {

/// Another agent, or this one, as the charter has it.
struct Peer {
  std::string name;         ///< for people; also said in the hello
  std::string address;      ///< host:port to dial; empty for one that cannot be reached and dials itself
  std::string certificate;  ///< PEM, self-signed; exactly this one is accepted
  IdentityKey identity{};   ///< verifies what it signs
};

/// What all agents must have in common. The hash decides; the fields are only for saying what differs.
struct Agreement {
  Digest hash{};
  std::vector<std::pair<std::string, std::string>> fields;  ///< in the charter's canonical order
};

using Milliseconds = std::chrono::milliseconds;

/// How long an agent waits, and for what. A timeout error gives the name of the limit as it is here.
struct Timeouts {
  Milliseconds handshake{5'000};  ///< for a new connection to say who it is
  /// A silent link is pinged after this long, and dropped after twice as long without an answer.
  Milliseconds keepalive{2'000};
  Milliseconds loss{10'000};      ///< without a link for this long, an agent is lost to the current runs
  Milliseconds silence{300'000};  ///< in a run, for a connected agent to send what is waited for
  Milliseconds gather{20'000};    ///< for everybody to answer an announcement; longer than loss
  Milliseconds start{5'000};      ///< then, for an announced run to be started or withdrawn
  Milliseconds queue{600'000};    ///< for a request to get its turn
};

enum class LogLevel { debug, info, warning, error };
/// Called from several threads.
using LogSink = std::function<void(LogLevel, const std::string&)>;

struct NodeOptions {
  AgentId self = 0;
  std::vector<Peer> everybody;  ///< by agent id, helpers after agents
  HelpedGraph graph = HelpedGraph(Graph(1, {}));
  Agreement agreement;
  std::string listen;                  ///< host:port; port 0 takes any free one; empty accepts no connections
  SecretText private_key;              ///< PEM, of this agent's certificate
  const Identity* identity = nullptr;  ///< must outlive the node
  std::filesystem::path journal;       ///< a folder of this agent's own; created if needed
  std::size_t journal_bytes = 16u << 20;  ///< a journal file is put aside at this size; one old file is kept
  std::size_t most_request_bytes = 1u << 20;  ///< of a request's body; an agent that sends more is cut off
  Timeouts timeouts;
  std::string release;  ///< of Tacit, told to neighbours for people to see
  LogSink log = [](LogLevel, const std::string&) {};
};

/// No message may be larger: 64 MiB, eight million values. Part of the wire version.
inline constexpr std::size_t most_message_bytes = 64u << 20;

/// Of the word for what is asked for, as "fit".
inline constexpr std::size_t most_kind_bytes = 32;

}  // namespace tacit
