#include "tacit/consortium/secure_sum.hpp"

#include <fmt/format.h>

#include "tacit/base/error.hpp"
#include "tacit/protocol/consensus/consensus.hpp"

namespace tacit {

std::string to_string(SumProtocol protocol) {
  switch (protocol) {
    case SumProtocol::exact:
      return "exact";
    case SumProtocol::tree:
      return "tree";
    case SumProtocol::consensus:
      return "consensus";
  }
  return "";
}

SumProtocol parse_sum_protocol(std::string_view name) {
  if (name == "exact") return SumProtocol::exact;
  if (name == "tree") return SumProtocol::tree;
  if (name == "consensus") return SumProtocol::consensus;
  throw InputError(fmt::format("unknown protocol \"{}\"; use exact, tree or consensus", name));
}

ConsensusSum::ConsensusSum(Graph graph, PlanRequest usual)
    : make_([graph = std::move(graph), usual](const SumShape& shape) {
        PlanRequest request = usual;
        request.dimension = shape.dimension;
        request.value_bound = static_cast<double>(graph.agents()) * shape.range.bound;
        request.lz = shape.range.unit;
        return make_plan(graph, request);
      }) {}

ConsensusSum::ConsensusSum(const ConsensusPlan& plan) : make_([plan](const SumShape&) { return plan; }) {}

const ConsensusPlan& ConsensusSum::followed(const SumShape& shape) const {
  const std::lock_guard lock(guard_);
  auto known = plans_.find(shape);
  if (known == plans_.end()) known = plans_.emplace(shape, make_(shape)).first;
  return known->second;
}

Task<Values> ConsensusSum::sum(Run& net, Values mine, SumRange range) const {
  const ConsensusPlan& plan = followed({mine.size(), range});
  for (double& value : mine) value *= static_cast<double>(plan.agents);
  net.count_opened(mine.size());
  const Values total = co_await secure_average(net, plan, std::move(mine));
  net.fold_content(std::as_bytes(std::span(total)));
  co_return total;
}

ExactPlan ExactSecureSum::followed(const SumShape& shape) const {
  ExactRequest request = usual_;
  request.dimension = shape.dimension;
  request.value_bound = shape.range.bound;
  request.unit = shape.range.unit;
  return make_exact_plan(request);
}

Task<Values> ExactSecureSum::sum(Run& net, Values mine, SumRange range) const {
  const ExactPlan plan = followed({mine.size(), range});
  co_return co_await exact_sum(net, plan, std::move(mine));
}

}  // namespace tacit
