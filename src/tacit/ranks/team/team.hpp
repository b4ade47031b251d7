// Ranks: processes, perhaps on several machines, that work for one party. Rank 0 leads; it alone talks to
// people and to other parties. The others hold rows and compute.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace tacit {

/// One rank's view of them all. One thread at a time may use it.
class Team {
 public:
  virtual ~Team() = default;
  virtual std::size_t rank() const = 0;
  virtual std::size_t size() const = 0;
  bool leads() const { return rank() == 0; }

  /// Does not wait for anybody.
  virtual void send(std::size_t to, std::string bytes) = 0;
  /// What that rank sent, in the order in which it did. Throws Error, naming the rank, when it has ended.
  virtual std::string receive(std::size_t from) = 0;
  /// Waits until all that was sent is on its way, so that long work may follow. Throws as receive does.
  virtual void flush() = 0;

  /// Is called, on any thread, as soon as a rank is known to have ended before its time.
  using Lost = std::function<void(const std::string& words)>;
  virtual void when_lost(const Lost& /*tell*/) {}

  /// Rank 0's bytes, for all. Every rank calls it, as it does the next three.
  void broadcast(std::string& bytes);
  /// At rank 0 everybody's, by rank; nothing elsewhere.
  std::vector<std::string> gather(std::string own);
  /// Everybody's for everybody.
  std::vector<std::string> share(std::string own);
  /// Those for each rank become those from each.
  std::vector<std::string> exchange(std::vector<std::string> to);

  /// Bytes that this rank has sent.
  std::uint64_t sent() const { return sent_; }

 protected:
  std::uint64_t sent_ = 0;
};

}  // namespace tacit
