// Map and reduce over experts: one party's rows, split among experts, and sums over them. A crew decides
// where the rows are and which threads or processes compute. The results are identical to the bit for every
// crew, because the order of summation depends only on the number of experts.
//
// Threads: any number of threads may use a crew; a Job::Part belongs to one thread.
// Errors: what the job throws, and what reading the rows throws.
// Stopping: with StoppableWork (base/stop.hpp) a crew throws Stopped between experts.
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

/// The map x ↦ (x − shift) / scale, column by column.
struct Scaling {
  Vector shift, scale;
  /// Returns the rows in standard units.
  Matrix standard(const Matrix& original) const;
  /// Returns the rows in original units.
  Matrix original(const Matrix& standard) const;
};

/// The units to which rows are converted when they are read.
struct RowUnits {
  Scaling inputs, outputs;
};

/// The rows of one expert.
struct Block {
  std::size_t expert;  ///< the number of the expert
  const Matrix& inputs;
  const Matrix& outputs;
  std::span<const Index> rows;  ///< their numbers among the party's rows, ascending
};

/// The largest number of lanes. Experts are divided into lanes, each of which is summed separately. This
/// limits how many processes can share one party's experts.
inline constexpr std::size_t most_lanes = 64;

/// Numbers that are summed over experts, and the largest jitter.
struct ExpertSums {
  std::vector<double> sums;
  double jitter = 0;
};
using AddedUp [[deprecated("use ExpertSums")]] = ExpertSums;

/// A computation for every expert. It can be serialised, so that another process can read and run it
/// (job_file.hpp).
class Job {
 public:
  /// The sum over a sequence of experts.
  class Part {
   public:
    virtual ~Part() = default;
    virtual void add(const Block& block) = 0;
    virtual ExpertSums sum() const = 0;
  };

  virtual ~Job() = default;
  virtual std::unique_ptr<Part> part() const = 0;
  /// Returns the most parts that may exist at a time, which limits memory.
  virtual std::size_t most_parts() const { return most_lanes; }
  /// Returns the name of the kind of job.
  virtual std::string_view kind() const = 0;
  /// Writes everything but the kind.
  virtual void write(SavedWriter& out) const = 0;
};

/// A job whose parts are a fixed number of sums, to which add() adds the numbers of an expert.
class SumJob : public Job {
 public:
  std::unique_ptr<Part> part() const final;

 protected:
  explicit SumJob(std::size_t sums) : sums_(sums) {}
  virtual void add(const Block& block, ExpertSums& all) const = 0;

 private:
  std::size_t sums_;
};

/// The experts of one party's rows, and the threads or processes that compute them.
class Crew {
 public:
  virtual ~Crew() = default;
  virtual std::size_t experts() const = 0;
  virtual std::size_t rows() const = 0;
  virtual Index inputs() const = 0;   ///< columns
  virtual Index outputs() const = 0;  ///< columns

  /// Runs the job for all experts and returns the sum. A lane is divided into stretches of neighbouring
  /// experts. The sum over a stretch is formed in order, then the stretches of a lane are summed, then the
  /// lanes. Rethrows what the job throws; if it throws for several experts, the exception for the first one.
  virtual ExpertSums add_up(const Job& job) const;

  /// Returns the sums of lanes first, ..., end - 1.
  virtual std::vector<ExpertSums> lanes(const Job& job, std::size_t first, std::size_t end) const = 0;

  /// Returns a crew of the same rows in other units. By default, rows are in the units of the party's data.
  virtual std::shared_ptr<const Crew> in_units(std::shared_ptr<const RowUnits> units) const = 0;

  /// Returns the experts, for callers that need them more than once: make(block) for each block. The result
  /// is empty if the rows are not in this process.
  using MakeExpert = std::function<Expert(const Block&)>;
  virtual std::vector<Expert> make_experts(const MakeExpert& make) const = 0;
  [[deprecated("call make_experts")]] std::vector<Expert> fit(const MakeExpert& make) const {
    return make_experts(make);
  }
  /// Returns the memory of these experts: for each expert, 8 bytes times the square of its rows.
  virtual std::size_t factor_bytes() const = 0;
};

/// Returns a crew of rows in this process, which computes with `threads` threads. It holds references to the
/// matrices. BLAS should use one thread (BlasThreads).
std::shared_ptr<const Crew> crew_of_threads(const Matrix& inputs, const Matrix& outputs,
                                            const CommitteeOptions& options, unsigned threads);

/// Returns a crew of rows from any source, which are read expert by expert.
std::shared_ptr<const Crew> crew_of_threads(std::shared_ptr<const RowReader> source,
                                            const CommitteeOptions& options, unsigned threads);

/// Returns the number of lanes for this number of experts.
inline std::size_t lane_count(std::size_t experts) { return std::min(experts, most_lanes); }

/// Returns the number of the first expert of a lane.
inline std::size_t lane_start(std::size_t experts, std::size_t lane) {
  return experts * lane / lane_count(experts);
}

/// Returns the number of stretches of a lane with this many experts. Several stretches give a process with
/// few lanes work for all its cores. A lane of few experts is one stretch, because each stretch costs memory
/// and time.
inline std::size_t stretch_count(std::size_t experts_of_lane) {
  return std::clamp<std::size_t>(experts_of_lane / 8, 1, 16);
}

/// Adds the sums of a lane or stretch to the total of the previous ones. An empty total is replaced.
void add_lane(ExpertSums& total, const ExpertSums& lane);

}  // namespace tacit
