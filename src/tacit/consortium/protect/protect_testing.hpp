// Helpers for tests of the protected fit: openings without noise, and openings with given totals.
#pragma once

#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "tacit/consortium/protect/own_rows.hpp"
#include "tacit/consortium/protect/protected_run.hpp"
#include "tacit/gp/answers_testing.hpp"
#include "tacit/gp/kernel/kernel.hpp"

namespace tacit::testing {

/// Runs a task that waits for nothing.
template <class T>
T finished(Task<T> task) {
  task.handle().resume();
  return task.result();
}

/// The terms of one opening.
struct RecordedOpening {
  std::string name;
  std::vector<Values> terms;
};

/// One agent alone: totals are its own terms without noise, or those of an earlier run. Records all terms.
class RecordingRun final : public ProtectedRun {
 public:
  explicit RecordingRun(const ProtectedFacts& facts, std::vector<Values> given = {})
      : ProtectedRun(facts), given_(std::move(given)) {}

  double noise_of(const Opening&) const override { return 0; }
  Task<OpenedSum> sum(const Opening& opening, const KeyTerms& mine) override {
    RecordedOpening record{opening.name, {}};
    Values own(opening.dimension);
    for (std::size_t key = 0; key < mine.count; ++key) {
      Values term(opening.dimension);
      mine.write(key, term);
      for (std::size_t k = 0; k < own.size(); ++k) own[k] += term[k];
      record.terms.push_back(std::move(term));
    }
    Values total = given_.empty() ? own : given_.at(openings.size());
    openings.push_back(std::move(record));
    totals.push_back(total);
    requests.push_back(opening);
    charge(opening, opening.rho, 0);
    co_return OpenedSum{std::move(total), std::move(own), 0};
  }

  std::vector<RecordedOpening> openings;
  std::vector<Opening> requests;
  std::vector<Values> totals;

 private:
  std::vector<Values> given_;
};

inline Case protect_answer(const std::string& name) {
  for (const Case& one : read_answers("../consortium/protect/protect_answers.csv"))
    if (one.name == name) return one;
  throw std::runtime_error("there are no known answers for " + name);
}

/// Rows of a smooth function of three inputs in [-2, 2] with noise.
inline Samples smooth_rows(Index rows, unsigned seed, double shift = 0, double frequency = 1.5) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform(-2, 2);
  std::normal_distribution<double> normal;
  Samples s{Matrix(rows, 3), Matrix(rows, 1)};
  for (Index r = 0; r < rows; ++r) {
    for (Index k = 0; k < 3; ++k) s.inputs(r, k) = uniform(random);
    s.inputs(r, 0) += shift;
    s.outputs(r, 0) = 10 + 5 * (std::sin(frequency * s.inputs(r, 0)) +
                                std::cos(s.inputs(r, 1)) * s.inputs(r, 2) / 2 + 0.2 * normal(random));
  }
  return s;
}

inline std::vector<std::uint64_t> slots_of(const Samples& rows, std::uint64_t first = 0) {
  std::vector<std::uint64_t> slots;
  for (Index r = 0; r < rows.inputs.rows(); ++r) slots.push_back(first + static_cast<std::uint64_t>(r));
  return slots;
}

inline OwnRows own_rows(const Samples& rows, std::size_t most = 100'000) {
  constexpr std::byte secret[32] = {};
  return OwnRows(rows, slots_of(rows), secret, most);
}

}  // namespace tacit::testing
