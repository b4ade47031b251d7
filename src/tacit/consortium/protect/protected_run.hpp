// All that the protected fit can do with a run: open sums of bounded terms, one a key, with noise. It has no
// access to other sums, so code that takes a ProtectedRun cannot open a raw total (docs/decisions.md).
//
// Threads: one thread at a time uses a ProtectedRun.
// Errors: InputError for openings that cannot be protected; a task throws Error if its sum fails.
// Stopping: as for the run's channel.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tacit/protocol/bounded/bounded_sum.hpp"
#include "tacit/protocol/channel/task.hpp"
#include "tacit/protocol/run/run.hpp"

namespace tacit {

/// Public facts about all openings of a fit.
struct ProtectedFacts {
  std::size_t agents = 0;     ///< M, the agents of the signed roster
  std::size_t colluding = 1;  ///< how many of them may pool what they know
  std::size_t most_rows = 0;  ///< the most keys of an agent
  AgentId originator = 0;
  bool tree = false;                          ///< tree sums (ExactRequest)
  std::optional<std::size_t> collusion = {};  ///< of the masks (ExactRequest)

  /// Returns M/(M - colluding), by which every variance of noise is larger than one agent's that knows none.
  double factor() const { return static_cast<double>(agents) / static_cast<double>(agents - colluding); }
};

/// One opening: a sum of one term for each key.
struct Opening {
  std::string name;           ///< for the record of charges
  std::size_t dimension = 1;  ///< the numbers of a term
  double square = 1;          ///< the largest squared norm of a term
  /// The largest squared norm of the difference of two terms, if it is less than 4 times `square`.
  std::optional<double> change_square = {};
  double rho = 0;
};

/// The terms of one agent.
struct KeyTerms {
  std::size_t count = 0;
  /// Writes the term of a key to zeroed numbers. A term that is not finite or too large counts as zero.
  std::function<void(std::size_t key, std::span<double> term)> write;
};

struct OpenedSum {
  Values total;      ///< equal at all agents
  Values own;        ///< this agent's terms and noise; private
  double noise = 0;  ///< the standard deviation of the noise in each number of the total
};

/// What an opening cost each key.
struct Charge {
  std::string name;
  std::size_t numbers = 0;
  double rho = 0;
  double noise = 0;

  bool operator==(const Charge&) const = default;
};

class ProtectedRun {
 public:
  explicit ProtectedRun(const ProtectedFacts& facts) : facts_(facts) {}
  virtual ~ProtectedRun() = default;
  ProtectedRun(const ProtectedRun&) = delete;

  const ProtectedFacts& facts() const { return facts_; }
  const std::vector<Charge>& charges() const { return charges_; }
  double spent() const;

  /// Returns the noise of such an opening. Opens nothing.
  virtual double noise_of(const Opening& opening) const = 0;
  /// One agent's side. All agents must pass the same opening. References must outlive the task.
  virtual Task<OpenedSum> sum(const Opening& opening, const KeyTerms& mine) = 0;

 protected:
  void charge(const Opening& opening, double rho, double noise);

 private:
  ProtectedFacts facts_;
  std::vector<Charge> charges_;
};

/// The openings of a run, by bounded sums.
class BoundedRun final : public ProtectedRun {
 public:
  /// `net` must outlive this object.
  BoundedRun(Run& net, const ProtectedFacts& facts) : ProtectedRun(facts), net_(net) {}

  double noise_of(const Opening& opening) const override { return plan_of(opening).noise(); }
  Task<OpenedSum> sum(const Opening& opening, const KeyTerms& mine) override;

 private:
  BoundedPlan plan_of(const Opening& opening) const;

  Run& net_;
};

}  // namespace tacit
