// The parts of the agreement that a fit or a prediction needs, as types. One function converts a charter to
// terms (charter/terms.hpp); simulations make terms from their data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tacit/consortium/predict/local.hpp"
#include "tacit/consortium/secure_sum.hpp"
#include "tacit/consortium/tune/tune_exact.hpp"
#include "tacit/graph/graph.hpp"

namespace tacit {

/// A column of every agent's data: numbers in a public range, dates, or levels.
struct Column {
  std::string name;
  double low = 0, high = 0;
  std::vector<std::string> levels;  ///< empty for numbers
  /// For dates: the public day, such as 2020-01-31, from which all agents count days; low and high are such
  /// counts.
  std::string start = {};
  /// For a part of a date, such as admitted.weekday: the column of the date, admitted.
  std::string part_of = {};

  bool categorical() const { return !levels.empty(); }
  bool is_date() const { return !start.empty(); }
  friend bool operator==(const Column&, const Column&) = default;
};

/// Makes this a column of dates from the beginning of `low` to the end of `high`. All three are days for
/// parse_day.
void set_days(Column& column, const std::string& start, const std::string& low, const std::string& high);

/// Returns a value of a column of numbers as text; for dates, the day.
std::string value_text(const Column& column, double value);
/// Returns a text such as "0 to 120" or "2018-01-01 to 2030-12-31".
std::string range_text(const Column& column);

/// Returns the number of model inputs that these columns give: a categorical column gives one for each level.
std::size_t width(const std::vector<Column>& columns);

/// The public points through which the pooled part of a model is learnt.
struct LandmarkTerms {
  /// If absent, as many as landmark_ceiling allows for the number of rows; 0 is the paper's model.
  std::optional<std::size_t> count = 0;
  Matrix listed = {};          ///< points used instead of drawn ones, in the data's units; `count` of them
  std::uint64_t seed = 1;      ///< of the draw
  bool above_ceiling = false;  ///< all agents consent to open more than the ceiling allows

  bool any() const { return !count || *count > 0; }
};

struct ModelTerms {
  Prior start;  ///< of every target: the start of tuning, or the prior itself without tuning
  Fusion fusion = Fusion::poe;
  CommitteeOptions committee;  ///< how an agent with many rows splits them among experts
  bool standardise = false;    ///< standardise privately; the prior is then in standardised units
  LandmarkTerms landmarks = {};
};

/// Without a search, the model keeps its start.
struct TuningTerms {
  std::optional<ExactTuneOptions> search;  ///< over secure sums; the asker is not part of the terms
  /// Search on the likelihood of all rows through landmarks, which opens their sums in every trial, instead
  /// of on the sum of the experts' likelihoods.
  bool on_landmarks = false;
  /// Set if every agent has its own hyperparameters: the range of each signal.
  std::optional<std::pair<double, double>> own_signals = {};
};

struct ProtocolTerms {
  SumProtocol sums = SumProtocol::exact;
  std::size_t fewest = 3;                ///< a result needs at least this many agents
  std::optional<std::size_t> collusion;  ///< exact: how many agents may collude; default as in ExactRequest
  PlanRequest consensus;  ///< iterations and modulus apply only to predictions; other sums are planned
  /// The unit of exact sums, or L_z of the consensus, in predictions; default: planned.
  std::optional<double> unit;
};

struct Limits {
  std::size_t rows = 0;    ///< the maximum number of rows of an agent
  std::size_t points = 0;  ///< the maximum number of points in a request; 0 means no limit
};

struct Terms {
  Graph graph = Graph(1, {});
  std::vector<Column> inputs, targets;
  ModelTerms model;
  TuningTerms tuning;
  ProtocolTerms protocol;
  Limits limits;

  std::size_t agents() const { return graph.agents(); }
};

/// Throws InputError if the kernel, or the search for its parameters, cannot be used.
void check_model(const Terms& terms);

/// Throws InputError if the terms, including the model's, cannot be used or are not compatible.
void check(const Terms& terms);

/// Throws InputError if the sums of fit and predict, at the model's start, are not possible with the terms'
/// numbers. Later trials of tuning may need larger numbers.
void check_numbers(const Terms& terms);

}  // namespace tacit
