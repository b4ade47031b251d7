#include "tacit/charter/bounds/trajectory.hpp"

#include <algorithm>
#include <deque>
#include <limits>
#include <map>

namespace tacit {
namespace {

Functional row_of(const Observer::Sum& sum, std::size_t width) {
  Functional row(width, 0);
  for (const auto& [agent, weight] : sum) row[agent] = weight;
  return row;
}

// row · A, in units of L_w.
Functional one_round_later(const Observer& observer, const Functional& row) {
  Functional next(row.size(), 0);
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (row[i] == 0) continue;
    for (const auto& [j, weight] : observer.dynamics[i]) next[j] = add(next[j], multiply(row[i], weight));
  }
  return next;
}

// The row space of the observability matrix: o A^t for t < iterations. If a row depends on earlier rows, its
// successors depend on their successors, so it need not be followed.
Span observed(const Observer& observer, std::size_t iterations) {
  Span span(observer.honest.size());
  std::deque<std::pair<Functional, std::size_t>> next;
  for (const Observer::Sum& sum : observer.seen) next.emplace_back(row_of(sum, observer.honest.size()), 0);
  for (; !next.empty(); next.pop_front()) {
    const auto& [row, t] = next.front();
    if (t >= iterations || !span.add(row)) continue;
    next.emplace_back(one_round_later(observer, row), t + 1);
  }
  return span;
}

Combination combination_of(const Observer& observer, const Functional& row) {
  Combination result;
  for (std::size_t k = 0; k < row.size(); ++k) {
    if (row[k] == 0) continue;
    const auto exact = fraction(row[k]);
    // The coalition also knows factors that are not simple fractions; these are reported as NaN.
    const double factor = exact ? static_cast<double>(exact->first) / static_cast<double>(exact->second)
                                : std::numeric_limits<double>::quiet_NaN();
    result.terms.push_back({observer.honest[k], factor});
  }
  return result;
}

std::vector<std::vector<AgentId>> with_equal_factors(const Observer& observer, const Span& known) {
  std::map<Functional, std::vector<AgentId>> by_column;
  for (std::size_t k = 0; k < observer.honest.size(); ++k) {
    Functional column;
    for (const Functional& row : known.rows()) column.push_back(row[k]);
    by_column[column].push_back(observer.honest[k]);
  }
  std::vector<std::vector<AgentId>> groups;
  for (auto& [column, agents] : by_column)
    if (agents.size() > 1) groups.push_back(std::move(agents));
  std::sort(groups.begin(), groups.end());
  return groups;
}

}  // namespace

TrajectoryFindings trajectory_findings(const Observer& observer, bool blinded, std::size_t iterations) {
  const std::size_t n = observer.honest.size();
  Span known = observed(observer, iterations);
  known.add(Functional(n, 1));  // the sum, which all agents are meant to have
  if (blinded) {
    Span immune(n);
    for (const MaskPart& part : observer.parts) {
      Functional row(n, 0);
      for (AgentId k : part) row[k] = 1;
      immune.add(std::move(row));
    }
    known = intersection(known, immune);
  }
  TrajectoryFindings findings;
  findings.rank = observer.coalition.size() + known.rank();
  findings.beyond = known.rank() - 1;
  findings.only_together = with_equal_factors(observer, known);
  if (findings.beyond == 0) return findings;
  for (const Functional& row : known.rows()) {
    Combination found = combination_of(observer, row);
    if (found.terms.size() == 1)
      findings.singled_out.push_back(found.terms.front().agent);
    else
      findings.combinations.push_back(std::move(found));
  }
  return findings;
}

}  // namespace tacit
