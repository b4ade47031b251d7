// Helpers for tests of the consortium: an exact sum without secrecy, and random rows.
#pragma once

#include <cmath>
#include <cstring>
#include <random>

#include "tacit/base/error.hpp"
#include "tacit/consortium/secure_sum.hpp"
#include "tacit/gp/matrix.hpp"
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

}  // namespace tacit::testing
