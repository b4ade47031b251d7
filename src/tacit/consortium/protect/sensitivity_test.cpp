// No key changes an opening by more than the noise is planned for.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "tacit/consortium/protect/protect_testing.hpp"
#include "tacit/consortium/protect/protected_fit.hpp"

namespace tacit {
namespace {

double squared_distance(const Values& a, const Values& b) {
  double square = 0;
  for (std::size_t k = 0; k < a.size(); ++k) square += (a[k] - b[k]) * (a[k] - b[k]);
  return square;
}

// The largest change of an opening, as a share of what the opening states: one key replaced, or absent.
double largest_change(const Opening& stated, const std::vector<Values>& terms) {
  double most = 0;
  const Values absent(stated.dimension);
  for (std::size_t i = 0; i < terms.size(); ++i) {
    EXPECT_LE(squared_distance(terms[i], absent), stated.square * (1 + 1e-9)) << stated.name;
    most = std::max(most, squared_distance(terms[i], absent));
    for (std::size_t j = 0; j < i; ++j) most = std::max(most, squared_distance(terms[i], terms[j]));
  }
  return most / stated.change_square.value_or(4 * stated.square);
}

// Rows of a smooth function, of which some are at the corners of the ranges: their terms differ as much as
// terms can. Pairs of rows belong to one key.
TEST(ProtectedOpenings, ChangeByNoMoreThanTheirNoiseIsPlannedFor) {
  Samples rows = testing::smooth_rows(500, 3);
  rows.inputs.row(0) << 2, 2, 2;
  rows.inputs.row(1) << 2, -2, 0;
  rows.inputs.row(2) << -2, -2, -2;
  rows.outputs(0) = 20;
  rows.outputs(1) = 0;
  std::vector<std::uint64_t> slots = testing::slots_of(rows);
  for (std::size_t k = 400; k < slots.size(); k += 2) slots[k + 1] = slots[k];
  constexpr std::byte secret[32] = {};
  testing::RecordingRun run({.agents = 3, .most_rows = 1000});
  ProtectedSettings settings;
  settings.columns = {{-2, 2}, {-2, 2}, {-2, 2}, {0, 20}};
  testing::finished(protected_fit(run, settings, OwnRows(rows, slots, secret, 1000)));
  ASSERT_EQ(run.openings.size(), run.requests.size());
  std::map<std::string, double> most;
  for (std::size_t k = 0; k < run.openings.size(); ++k) {
    const Opening& stated = run.requests[k];
    const double change = largest_change(stated, run.openings[k].terms);
    EXPECT_LE(change, 1 + 1e-9) << stated.name;
    most[stated.name] = std::max(most[stated.name], change);
  }
  EXPECT_GT(most.at("rows"), 0.999);
  EXPECT_GT(most.at("histograms"), 0.999) << "a smaller bound would be exceeded";
  EXPECT_GT(most.at("correlations"), 0.9) << "a smaller bound would be exceeded";
}

}  // namespace
}  // namespace tacit
