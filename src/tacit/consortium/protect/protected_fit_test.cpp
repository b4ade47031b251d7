#include "tacit/consortium/protect/protected_fit.hpp"

#include <gtest/gtest.h>

#include <mutex>

#include "tacit/base/error.hpp"
#include "tacit/base/system/parallel.hpp"
#include "tacit/consortium/protect/protect_testing.hpp"
#include "tacit/graph/generators.hpp"
#include "tacit/lab/simulator/simulator.hpp"

namespace tacit {
namespace {

constexpr double wave = 2;  // of the parties' function

ProtectedSettings settings_of(double rho = 4) {
  ProtectedSettings settings;
  settings.columns = {{-3, 3}, {-3, 3}, {-3, 3}, {-5, 25}};
  settings.rho = rho;
  settings.landmarks = 50;
  return settings;
}

ProtectedHooks small_basis_only() {
  ProtectedHooks hooks;
  hooks.basis.synthetic = 500;
  return hooks;
}

struct Parties {
  Parties(std::size_t many, Index rows) {
    for (std::size_t i = 0; i < many; ++i)
      mine.push_back(testing::own_rows(testing::smooth_rows(rows, 100 + static_cast<unsigned>(i), 0, wave)));
    facts = {.agents = many, .colluding = std::max<std::size_t>(1, many / 3), .most_rows = 500};
  }

  struct Fits {
    ProtectedFit first;
    std::optional<ProtectedFit> again;
  };
  static Task<Fits> fit(Run& net, ProtectedFacts facts, ProtectedSettings settings, ProtectedHooks hooks,
                        const OwnRows& mine, const OwnRows* later) {
    BoundedRun run(net, facts);
    Fits fits;
    fits.first = co_await protected_fit(run, settings, mine, hooks);
    if (later) fits.again = co_await protected_refit(run, fits.first, 1.5, *later);
    co_return fits;
  }
  std::vector<Fits> run(const ProtectedSettings& settings, const std::vector<OwnRows>* later = nullptr) {
    return Simulator(complete_graph(mine.size())).run<Fits>([&](tacit::Run& net) {
      return fit(net, facts, settings, small_basis_only(), mine[net.self()],
                 later ? &(*later)[net.self()] : nullptr);
    });
  }

  std::vector<OwnRows> mine;
  ProtectedFacts facts;
};

void expect_same(const ProtectedModel& a, const ProtectedModel& b) {
  EXPECT_EQ(a.rows, b.rows);
  EXPECT_EQ(a.copula, b.copula);
  EXPECT_EQ(a.prior, b.prior);
  EXPECT_EQ(a.rounds.directions, b.rounds.directions);
  EXPECT_EQ(a.rounds.weights, b.rounds.weights);
  EXPECT_EQ(a.rounds.mean, b.rounds.mean);
  EXPECT_EQ(a.rounds.information, b.rounds.information);
  EXPECT_EQ(a.rounds.mismatch, b.rounds.mismatch);
  EXPECT_EQ(a.rounds.bounds, b.rounds.bounds);
  EXPECT_EQ(a.rounds.rounds.observed, b.rounds.rounds.observed);
  EXPECT_EQ(a.charges, b.charges);
}

double error_at_home(const ProtectedFit& fit, const OwnRows& mine, std::size_t agents, bool alone) {
  const HomeModel home = at_home(fit, mine, agents);
  const Samples test = testing::smooth_rows(300, 7, 0, wave);
  if (!alone)
    return std::sqrt((answer_at_home(fit, home, test.inputs).mean - test.outputs).squaredNorm() / 300);
  const Scales& scales = fit.model.copula.scales;
  const auto answer = home.answer(scales.standard_inputs(test.inputs.transpose()), HomeCandidate::alone);
  const Vector truth = scales.standard_targets(test.outputs.col(0));
  return std::sqrt((answer.mean - truth).squaredNorm() / 300) * scales.target().spread;
}

TEST(ProtectedFit, BeatsBeingAloneAndGivesAllAgentsTheSameBits) {
  Parties parties(10, 60);
  std::vector<OwnRows> later;
  for (unsigned i = 0; i < 10; ++i) {
    Samples rows = testing::smooth_rows(60, 100 + i, 0, wave);
    const Samples more = testing::smooth_rows(20, 200 + i, 0, wave);
    rows.inputs.conservativeResize(80, 3);
    rows.outputs.conservativeResize(80, 1);
    rows.inputs.bottomRows(20) = more.inputs;
    rows.outputs.bottomRows(20) = more.outputs;
    later.push_back(testing::own_rows(rows));
  }
  ProtectedSettings settings = settings_of();
  settings.landmarks = 120;
  const auto fits = parties.run(settings, &later);
  double home = 0, alone = 0, again = 0;
  for (std::size_t i = 0; i < 10; ++i) {
    expect_same(fits[i].first.model, fits[0].first.model);
    expect_same(fits[i].again->model, fits[0].again->model);
    if (i >= 3) continue;
    home += error_at_home(fits[i].first, parties.mine[i], 10, false) / 3;
    alone += error_at_home(fits[i].first, parties.mine[i], 10, true) / 3;
    again += error_at_home(*fits[i].again, later[i], 10, false) / 3;
  }
  EXPECT_LT(home, 0.95 * alone);
  EXPECT_LT(again, 0.95 * alone);
  const ProtectedModel& model = fits[0].first.model;
  EXPECT_NEAR(model.rows, 600, 30);
  EXPECT_LE(model.charges.size(), most_protected_sums);
  EXPECT_LE(model.spent(), 4);
  EXPECT_GT(model.spent(), 3.98);
  EXPECT_TRUE(model.tuned);
  EXPECT_EQ(fits[0].again->model.charges.size(), 6u);
  EXPECT_LE(fits[0].again->model.spent(), 1.5);
  EXPECT_GT(fits[0].again->model.spent(), 1.49);
}

TEST(ProtectedFit, WorksWithFewRowsAndLittleRho) {
  Parties parties(3, 12);
  parties.mine[2] = testing::own_rows(testing::smooth_rows(0, 1));
  for (const double rho : {4.0, 0.22, 0.03}) {
    const auto fits = parties.run(settings_of(rho));
    const ProtectedModel& model = fits[0].first.model;
    EXPECT_FALSE(model.tuned);
    EXPECT_LE(model.spent(), rho);
    EXPECT_GT(model.spent(), 0.98 * rho);
    EXPECT_TRUE(std::isfinite(error_at_home(fits[1].first, parties.mine[1], 3, false)));
  }
}

TEST(ProtectedFit, RefusesSettingsThatCannotBeUsed) {
  testing::RecordingRun run({.agents = 3, .most_rows = 1000});
  const OwnRows mine = testing::own_rows(testing::smooth_rows(10, 1));
  EXPECT_THROW(testing::finished(protected_fit(run, settings_of(0), mine)), InputError);
  ProtectedSettings settings = settings_of();
  settings.columns.pop_back();
  EXPECT_THROW(testing::finished(protected_fit(run, settings, mine)), InputError);
  EXPECT_TRUE(run.openings.empty());
}

// Whatever the values are, an agent takes part, and its terms are within their bounds.
TEST(ProtectedFit, NoValueMakesAnAgentFail) {
  Samples rows = testing::smooth_rows(420, 31);
  constexpr double largest = std::numeric_limits<double>::max();
  const double wild[] = {largest, -largest, 1e-300, 0, std::numeric_limits<double>::quiet_NaN(), 1e200};
  for (Index r = 0; r < 420; ++r) {
    if (r % 3 == 0) rows.inputs(r, r % 2) = wild[r % 5];
    if (r % 7 == 0) rows.outputs(r, 0) = wild[r % 6];
    if (r > 300) {
      rows.inputs.row(r) = rows.inputs.row(300);  // repeated
      rows.outputs(r, 0) = rows.outputs(300, 0);
    }
  }
  testing::RecordingRun run({.agents = 3, .most_rows = 1000});
  const OwnRows mine = testing::own_rows(rows);
  const ProtectedFit fit = testing::finished(protected_fit(run, settings_of(), mine, small_basis_only()));
  for (std::size_t k = 0; k < run.openings.size(); ++k)
    for (const Values& term : run.openings[k].terms) {
      double square = 0;
      for (const double number : term) square += number * number;
      EXPECT_LE(square, run.requests[k].square * (1 + 1e-9)) << run.openings[k].name;
    }
  EXPECT_TRUE(answer_at_home(fit, at_home(fit, mine, 3), testing::smooth_rows(5, 1).inputs).mean.allFinite());
}

// Two histories see the same totals and differ in some keys. The terms of all other keys must be the same to
// the bit, and so must all openings.
TEST(ProtectedFit, TermsDoNotDependOnOtherRowsInTheLastBit) {
  const Samples rows = testing::smooth_rows(420, 31);
  const auto slots = testing::slots_of(rows);
  constexpr std::byte secret[32] = {};
  const OwnRows all(rows, slots, secret, 500);
  testing::RecordingRun first({.agents = 3, .most_rows = 1000});
  testing::finished(protected_fit(first, settings_of(), all, small_basis_only()));

  // Removes some rows, turns the order of the others round, and corrects one.
  Samples less{Matrix(403, 3), Matrix(403, 1)};
  std::vector<std::uint64_t> less_slots;
  for (Index r = 0; r < 420; ++r) {
    if (r % 25 == 3) continue;
    const Index at = 402 - static_cast<Index>(less_slots.size());
    less.inputs.row(at) = rows.inputs.row(r);
    less.outputs.row(at) = rows.outputs.row(r);
    less_slots.insert(less_slots.begin(), slots[static_cast<std::size_t>(r)]);
  }
  less.outputs(100, 0) = -3;
  const OwnRows fewer(less, less_slots, secret, 500);
  testing::RecordingRun second({.agents = 3, .most_rows = 1000}, first.totals);
  testing::finished(protected_fit(second, settings_of(), fewer, small_basis_only()));

  ASSERT_EQ(first.openings.size(), second.openings.size());
  for (std::size_t k = 0; k < first.openings.size(); ++k) {
    const auto &one = first.openings[k], &other = second.openings[k];
    EXPECT_EQ(one.name, other.name);
    EXPECT_EQ(first.requests[k].square, second.requests[k].square);
    EXPECT_EQ(first.requests[k].rho, second.requests[k].rho);
    if (one.terms.size() < all.keys()) {  // chunks, some of which hold a key that differs
      EXPECT_EQ(one.terms.size(), other.terms.size());
      continue;
    }
    std::size_t matched = 0, changed = 0;
    for (std::size_t key = 0; key < fewer.keys(); ++key) {
      while (all.hash(matched) != fewer.hash(key)) ++matched;
      if (other.terms[key] != one.terms[matched]) ++changed;
    }
    EXPECT_LE(changed, 1u) << one.name << ": only the corrected key";
  }
}

// A chunk without a key that differs has the same term to the bit.
TEST(ProtectedFit, ChunksDoNotDependOnOtherChunks) {
  const Samples rows = testing::smooth_rows(420, 31);
  const auto slots = testing::slots_of(rows);
  constexpr std::byte secret[32] = {};
  const OwnRows all(rows, slots, secret, 500);
  testing::RecordingRun first({.agents = 3, .most_rows = 1000});
  testing::finished(protected_fit(first, settings_of(), all, small_basis_only()));
  const ChunkPlan plan = plan_chunks(420, 3);
  ASSERT_GE(plan.kept, 2u);

  // Removes all keys of the first chunk.
  std::vector<std::uint64_t> kept_slots;
  std::vector<Index> kept;
  for (Index r = 0; r < 420; ++r) {
    const Samples one{rows.inputs.row(r), rows.outputs.row(r)};
    const std::uint64_t slot[] = {slots[static_cast<std::size_t>(r)]};
    if (plan.chunk(OwnRows(one, slot, secret, 1).hash(0)) == 0) continue;
    kept.push_back(r);
    kept_slots.push_back(slot[0]);
  }
  const Samples rest{rows.inputs(kept, Eigen::all), rows.outputs(kept, Eigen::all)};
  const OwnRows fewer(rest, kept_slots, secret, 500);
  testing::RecordingRun second({.agents = 3, .most_rows = 1000}, first.totals);
  testing::finished(protected_fit(second, settings_of(), fewer, small_basis_only()));
  std::size_t steps = 0;
  for (std::size_t k = 0; k < first.openings.size(); ++k) {
    if (!first.openings[k].name.starts_with("tuning")) continue;
    ++steps;
    for (std::size_t chunk = 1; chunk < plan.kept; ++chunk)
      EXPECT_EQ(first.openings[k].terms[chunk], second.openings[k].terms[chunk]);
    for (const double number : second.openings[k].terms[0]) EXPECT_EQ(number, 0) << "an empty chunk";
  }
  EXPECT_EQ(steps, tuning_steps);
}

}  // namespace
}  // namespace tacit
