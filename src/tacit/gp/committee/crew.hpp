// "Map experts, add up": one party's rows, split among experts, and whatever is added up over them. Where the
// rows are and who computes is the crew's affair; what comes out is the same to the bit, as sums are formed
// in an order that depends on the number of experts alone.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "tacit/gp/committee/row_reader.hpp"
#include "tacit/gp/committee/row_split.hpp"
#include "tacit/gp/expert/expert.hpp"

namespace tacit {

class SavedWriter;

/// x ↦ (x − shift) / scale, column by column.
struct Scaling {
  Vector shift, scale;
  Matrix standard(const Matrix& original) const;
  Matrix original(const Matrix& standard) const;
};

/// What rows are counted in before anything else is done with them.
struct RowUnits {
  Scaling inputs, outputs;
};

/// An expert's rows.
struct Block {
  std::size_t expert;  ///< which one it is
  const Matrix& inputs;
  const Matrix& outputs;
  std::span<const Index> rows;  ///< which of the party's they are, ascending
};

/// Experts are added up in that many lanes, fewer where there are fewer experts. It bounds how many processes
/// can share one party's experts.
inline constexpr std::size_t most_lanes = 64;

/// Numbers that add up over experts; of jitters, the largest counts.
struct ExpertSums {
  std::vector<double> sums;
  double jitter = 0;
};

/// What is asked of every expert. A value: another process that reads what it writes (job_file.hpp) can do it
/// as well.
class Job {
 public:
  /// The sum over some experts, one after the other.
  class Part {
   public:
    virtual ~Part() = default;
    virtual void add(const Block& block) = 0;
    virtual ExpertSums sum() const = 0;
  };

  virtual ~Job() = default;
  virtual std::unique_ptr<Part> part() const = 0;
  /// How many parts there may be at a time.
  virtual std::size_t most_parts() const { return most_lanes; }
  /// What kind it is.
  virtual std::string_view kind() const = 0;
  /// All else that is to be known of it.
  virtual void write(SavedWriter& out) const = 0;
};

/// A job that adds numbers of its own to so many sums.
class SumJob : public Job {
 public:
  std::unique_ptr<Part> part() const final;

 protected:
  explicit SumJob(std::size_t sums) : sums_(sums) {}
  virtual void add(const Block& block, ExpertSums& all) const = 0;

 private:
  std::size_t sums_;
};

class Crew {
 public:
  virtual ~Crew() = default;
  virtual std::size_t experts() const = 0;
  virtual std::size_t rows() const = 0;
  virtual Index inputs() const = 0;   ///< columns
  virtual Index outputs() const = 0;  ///< columns

  /// The job done by all experts and added up: in stretches of neighbouring experts, each in order, then
  /// stretch by stretch of a lane, then lane by lane. What a job throws is thrown, of several the first
  /// expert's.
  virtual ExpertSums add_up(const Job& job) const;

  /// The sums of some of the lanes, one after the other.
  virtual std::vector<ExpertSums> lanes(const Job& job, std::size_t first, std::size_t end) const = 0;

  /// The same rows in other units, which are those of the party's data else.
  virtual std::shared_ptr<const Crew> in_units(std::shared_ptr<const RowUnits> units) const = 0;

  /// The experts themselves, for callers that ask them more than once; none where the rows are not here.
  /// Calls fit(block) for each.
  using FitOne = std::function<Expert(const Block&)>;
  virtual std::vector<Expert> fit(const FitOne& fit_one) const = 0;
  /// What these take: 8 bytes for every row and every row of its expert.
  virtual std::size_t factor_bytes() const = 0;
};

/// Rows in this process, worked on by `threads` threads. Holds references. BLAS should use one thread.
std::shared_ptr<const Crew> crew_of_threads(const Matrix& inputs, const Matrix& outputs,
                                            const CommitteeOptions& options, unsigned threads);

/// Rows from wherever they are, read expert by expert.
std::shared_ptr<const Crew> crew_of_threads(std::shared_ptr<const RowReader> source,
                                            const CommitteeOptions& options, unsigned threads);

/// How many lanes that many experts make.
inline std::size_t lane_count(std::size_t experts) { return std::min(experts, most_lanes); }

/// The first expert of a lane.
inline std::size_t lane_start(std::size_t experts, std::size_t lane) {
  return experts * lane / lane_count(experts);
}

/// In how many stretches a lane's experts are added up, so that a process with few lanes has work for all of
/// its cores. A lane of few experts is one stretch, as each takes memory and time of its own.
inline std::size_t stretch_count(std::size_t experts_of_lane) {
  return std::clamp<std::size_t>(experts_of_lane / 8, 1, 16);
}

/// Adds the sums of a lane, or of a stretch, to those of the ones before, of which there may be none.
void add_lane(ExpertSums& total, const ExpertSums& lane);

}  // namespace tacit
