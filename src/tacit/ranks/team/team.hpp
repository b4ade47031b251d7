// Ranks are processes that work for one party, possibly on several machines. Only rank 0, the leader,
// communicates with users and other parties. The others hold rows and compute.
//
// Threads: one thread at a time uses a Team.
// Errors: Error for a rank that is lost.
// Stopping: a wait for another rank ends when its message arrives or the rank is lost.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace tacit {

/// One rank's view of the team. Only one thread at a time may use it.
class Team {
 public:
  virtual ~Team() = default;
  virtual std::size_t rank() const = 0;
  virtual std::size_t size() const = 0;
  bool leads() const { return rank() == 0; }

  /// Sends bytes without waiting.
  virtual void send(std::size_t to, std::string bytes) = 0;
  /// Returns the next message from a rank, in the order of sending. Throws Error, naming the rank, if it has
  /// ended.
  virtual std::string receive(std::size_t from) = 0;
  /// Waits until all messages are on their way, so that long work may follow. Throws as receive does.
  virtual void flush() = 0;

  /// Called on any thread as soon as a rank is known to have ended unexpectedly.
  using Lost = std::function<void(const std::string& words)>;
  virtual void when_lost(const Lost& /*tell*/) {}

  /// Sends rank 0's bytes to all ranks. Every rank calls it; the same holds for the next three.
  void broadcast(std::string& bytes);
  /// At rank 0, returns the bytes of all ranks, by rank; empty on other ranks.
  std::vector<std::string> gather(std::string own);
  /// Returns the bytes of all ranks, by rank, on every rank.
  std::vector<std::string> share(std::string own);
  /// Sends to[r] to each rank r. Returns the bytes received from each rank.
  std::vector<std::string> exchange(std::vector<std::string> to);

  /// Returns the number of bytes that this rank has sent.
  std::uint64_t sent() const { return sent_; }

 protected:
  std::uint64_t sent_ = 0;
};

}  // namespace tacit
