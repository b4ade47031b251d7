// Helpers for tests of the consortium: an exact sum without secrecy, random rows, and terms for them.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>

#include "tacit/base/error.hpp"
#include "tacit/consortium/secure_sum.hpp"
#include "tacit/consortium/terms/terms.hpp"
#include "tacit/gp/matrix.hpp"
#include "tacit/graph/generators.hpp"
#include "tacit/lab/study/data_terms.hpp"
#include "tacit/table/rows/samples.hpp"

namespace tacit::testing {

/// A sum on a complete graph: each agent sends its values to all others, rounded to the range's unit, so that
/// all compute the same bits. Refuses values above the bound, as every protocol must.
class PlainSum final : public SecureSum {
 public:
  Task<Values> sum(Run& net, Values mine, SumRange range) const override {
    for (double& value : mine) {
      if (!(std::abs(value) <= range.bound)) throw InputError("a value is above the public bound");
      value = range.unit * std::round(value / range.unit);
    }
    const std::uint32_t run = net.begin_run();
    const std::size_t bytes = mine.size() * sizeof(double);
    for (AgentId to : net.neighbourhood().neighbours) {
      Payload copy = net.buffer(bytes);
      std::memcpy(copy.bytes().data(), mine.data(), bytes);
      net.send(to, tag(run, net.self()), std::move(copy));
    }
    Values total(mine.size());
    for (AgentId i = 0; i <= net.neighbourhood().neighbours.size();
         ++i) {  // in the same order at all agents, for the same rounding
      Values theirs = mine;
      if (i != net.self()) {
        const Payload message = co_await net.receive(i, tag(run, i));
        if (message.size() != bytes) throw Error("the agents sum different numbers of values");
        std::memcpy(theirs.data(), message.bytes().data(), bytes);
      }
      for (std::size_t k = 0; k < total.size(); ++k) total[k] += theirs[k];
    }
    co_return total;
  }

  SumPlan plan(const SumShape&) const override { return ExactPlan{}; }
  bool same_for_all() const override { return true; }

 private:
  static Tag tag(std::uint32_t run, AgentId from) { return {run, 0, from, Step::share}; }
};

inline Samples random_samples(Index rows, Index inputs, Index outputs, std::mt19937_64& random) {
  std::uniform_real_distribution<double> u(-2, 2);
  Samples s{Matrix(rows, inputs), Matrix(rows, outputs)};
  for (double& v : s.inputs.reshaped()) v = u(random);
  for (Index r = 0; r < rows; ++r)
    for (Index k = 0; k < outputs; ++k)
      s.outputs(r, k) = std::sin(s.inputs(r, 0) * static_cast<double>(k + 1)) + 0.2 * u(random);
  return s;
}

/// Agents in a ring, each with its own rows of two inputs and two targets, and terms that fit them.
class RingOfAgents : public ::testing::Test {
 protected:
  /// Agent i has `rows_of_first` + i rows.
  RingOfAgents(Index agents, Index rows_of_first) {
    std::mt19937_64 random(7);
    for (Index i = 0; i < agents; ++i) rows.push_back(random_samples(rows_of_first + i, 2, 2, random));
    points = random_samples(6, 2, 2, random).inputs;
    terms.graph = ring_lattice(static_cast<std::size_t>(agents), 2);
    terms.inputs = input_columns(rows, points);
    terms.targets = target_columns(rows);
    terms.model.start = {se(1., 1.), 0.3};
    terms.model.standardise = true;
    terms.limits.rows = most_rows(rows);
  }

  std::vector<Samples> rows;
  Matrix points;
  Terms terms;
};

}  // namespace tacit::testing
