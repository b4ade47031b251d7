// What a fit or a prediction needs to know of the agreement, typed. A charter becomes terms in one function
// (charter/terms.hpp); simulations make theirs from the data at hand.
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

/// A column that every agent's data have: numbers in a public range, dates, or one of some levels.
struct Column {
  std::string name;
  double low = 0, high = 0;
  std::vector<std::string> levels;  ///< none for numbers
  /// For dates: the public day, 2020-01-31, that all agents count days from; low and high are such counts.
  std::string start = {};
  /// For a part of a date, such as admitted.weekday: the column of dates, admitted.
  std::string part_of = {};

  bool categorical() const { return !levels.empty(); }
  bool is_date() const { return !start.empty(); }
  friend bool operator==(const Column&, const Column&) = default;
};

/// Makes it a column of dates, from the start of `low` to the end of `high`. All three are days as parse_day
/// reads them.
void set_days(Column& column, const std::string& start, const std::string& low, const std::string& high);

/// A value of a column of numbers as people write it; of dates, the day.
std::string value_text(const Column& column, double value);
/// "0 to 120", or "2018-01-01 to 2030-12-31".
std::string range_text(const Column& column);

/// Numbers that the model gets of these columns: a categorical one gives a zero or one for each level.
std::size_t width(const std::vector<Column>& columns);

/// Public points through which the pooled part of a model is learnt.
struct LandmarkTerms {
  /// None asks for as many as landmark_ceiling allows for the rows at hand; 0 is the paper's model.
  std::optional<std::size_t> count = 0;
  Matrix listed = {};          ///< these instead of drawn ones, in the data's units, as many as `count`
  std::uint64_t seed = 1;      ///< of the draw
  bool above_ceiling = false;  ///< all agree to open more than the ceiling allows

  bool any() const { return !count || *count > 0; }
};

struct ModelTerms {
  Prior start;  ///< of every target: where tuning starts, or what is used without it
  Fusion fusion = Fusion::poe;
  CommitteeOptions committee;  ///< how an agent with many rows splits them among experts
  bool standardise = false;    ///< in private; the prior is in standardised units then
  LandmarkTerms landmarks = {};
};

/// Without a search the model stays at its start.
struct TuningTerms {
  std::optional<ExactTuneOptions> search;  ///< over secure sums; who asks is not part of the terms
  /// The search is on the likelihood of all rows through landmarks, which opens their sums in every trial,
  /// instead of the sum of the experts' likelihoods.
  bool on_landmarks = false;
  /// Given where every agent keeps hyperparameters of its own: the range that each signal lies in.
  std::optional<std::pair<double, double>> own_signals = {};
};

struct ProtocolTerms {
  SumProtocol sums = SumProtocol::exact;
  std::size_t fewest = 3;                ///< an answer needs at least this many agents
  std::optional<std::size_t> collusion;  ///< exact: how many may collude; as ExactRequest has it when absent
  PlanRequest consensus;  ///< iterations and modulus count for predictions only; other sums are planned
  /// The unit of exact sums, or L_z of the consensus, in predictions; planned when absent.
  std::optional<double> unit;
};

struct Limits {
  std::size_t rows = 0;    ///< the most rows an agent brings
  std::size_t points = 0;  ///< the most points in one request; 0 is no limit
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

/// Throws InputError for a kernel or a search for its numbers that cannot be used.
void check_model(const Terms& terms);

/// Throws InputError for terms that cannot be used or do not go together, the model's too.
void check(const Terms& terms);

/// Throws InputError when the terms' numbers leave no room for the sums that fit and predict take, from the
/// model's start. What tuning tries later may still need more.
void check_numbers(const Terms& terms);

}  // namespace tacit
