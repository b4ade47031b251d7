#include "tacit/consortium/protect/protected_run.hpp"

#include <algorithm>

namespace tacit {

double ProtectedRun::spent() const {
  double rho = 0;
  for (const Charge& one : charges_) rho += one.rho;
  return rho;
}

void ProtectedRun::charge(const Opening& opening, double rho, double noise) {
  charges_.push_back({opening.name, opening.dimension, rho, noise});
}

BoundedPlan BoundedRun::plan_of(const Opening& opening) const {
  BoundedRequest request;
  request.agents = facts().agents;
  request.dimension = opening.dimension;
  request.most_terms = facts().most_rows;
  request.square = opening.square;
  request.change_square = opening.change_square;
  request.rho = opening.rho;
  request.colluding = facts().colluding;
  request.originator = facts().originator;
  request.tree = facts().tree;
  request.collusion = facts().collusion;
  return make_bounded_plan(request);
}

Task<OpenedSum> BoundedRun::sum(const Opening& opening, const KeyTerms& mine) {
  const BoundedPlan plan = plan_of(opening);
  BoundedTerms terms(plan);
  Values term(opening.dimension);
  for (std::size_t key = 0; key < mine.count; ++key) {
    std::ranges::fill(term, 0.0);
    mine.write(key, term);
    terms.add(term);
  }
  charge(opening, plan.rho, plan.noise());
  BoundedTotal opened = co_await bounded_sum_and_own(net_, plan, std::move(terms));
  co_return OpenedSum{std::move(opened.total), std::move(opened.own), plan.noise()};
}

}  // namespace tacit
