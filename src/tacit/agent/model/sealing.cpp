#include "tacit/agent/model/sealing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tacit/base/error.hpp"
#include "tacit/consortium/terms/public_facts.hpp"
#include "tacit/protocol/run/statement.hpp"
#include "tacit/secrecy/bytes.hpp"

namespace tacit {
namespace {

constexpr double nearness = 1e-3;

bool near(double a, double b, double scale) { return std::abs(a - b) <= nearness * scale; }
bool near(double a, double b) { return near(a, b, std::max(std::abs(a), std::abs(b))); }

std::vector<std::byte> words_of(const Seal& seal) {
  std::vector<std::byte> bytes(seal.commitment.begin(), seal.commitment.end());
  bytes.insert(bytes.end(), seal.signature.begin(), seal.signature.end());
  return bytes;
}

Seal seal_from(AgentId agent, const std::vector<std::byte>& bytes, const Charter& charter) {
  Seal seal{agent, {}, {}};
  if (bytes.size() != seal.commitment.size() + seal.signature.size())
    throw Misbehaviour(agent, fmt::format("{} sent a message that is not a seal", charter.name_of(agent)));
  const auto middle = bytes.begin() + static_cast<std::ptrdiff_t>(seal.commitment.size());
  std::copy(bytes.begin(), middle, seal.commitment.begin());
  std::copy(middle, bytes.end(), seal.signature.begin());
  return seal;
}

bool near(const Scaling& own, const Scaling& other, const std::vector<ColumnRange>& columns) {
  if (own.shift.size() != other.shift.size() || own.scale.size() != other.scale.size()) return false;
  for (Index k = 0; k < own.shift.size(); ++k) {
    const ColumnRange& column = columns.at(static_cast<std::size_t>(k));
    if (!near(own.shift(k), other.shift(k), column.high - column.low) || !near(own.scale(k), other.scale(k)))
      return false;
  }
  return true;
}

}  // namespace

void check_near(const FittedModel& own, const FittedModel& other, const Terms& terms) {
  const auto differs = [](const char* what) {
    return Error(
        fmt::format("the {} that the originator published differs from this agent's own result", what));
  };
  if (own.priors.size() != other.priors.size()) throw differs("number of targets");
  for (std::size_t k = 0; k < own.priors.size(); ++k) {
    const std::vector<double> a = own.priors[k].kernel.numbers(), b = other.priors[k].kernel.numbers();
    if (own.priors[k].kernel.form() != other.priors[k].kernel.form() ||
        !std::equal(a.begin(), a.end(), b.begin(), b.end(), [](double x, double y) { return near(x, y); }) ||
        !near(own.priors[k].noise, other.priors[k].noise))
      throw differs("prior");
  }
  if (own.standardisation.has_value() != other.standardisation.has_value()) throw differs("standardisation");
  if (own.standardisation) {
    const ColumnFacts facts = column_facts(terms);
    const Standardisation &a = *own.standardisation, &b = *other.standardisation;
    if (a.rows != b.rows || a.constant != b.constant || !near(a.inputs, b.inputs, facts.inputs) ||
        !near(a.outputs, b.outputs, facts.outputs))
      throw differs("standardisation");
  }
  if (own.evaluations != other.evaluations ||
      !near(own.likelihood, other.likelihood, std::max(1.0, std::abs(own.likelihood))))
    throw differs("likelihood");
}

namespace {

// The originator's model, if it is near enough to `own`.
Fitted from_originator(std::span<const std::byte> published, const FittedModel& own, const Charter& charter,
                       const Terms& terms) {
  try {
    const FittedModel theirs = model_from_bytes(
        std::string_view(reinterpret_cast<const char*>(published.data()), published.size()), charter, terms);
    check_plausible(theirs, terms);
    check_near(own, theirs, terms);
    return static_cast<const Fitted&>(theirs);
  } catch (const Error& e) {
    throw Misbehaviour(own.originator, fmt::format("{} published a model that this agent does not accept: {}",
                                                   charter.name_of(own.originator), e.what()));
  }
}

}  // namespace

Task<SealedModel> seal_together(Run& net, const Charter& charter, const Terms& terms,
                                const Identity& identity, ModelStore& models, FittedModel mine) {
  SealedModel sealed;
  sealed.model = std::move(mine);
  if (terms.protocol.sums == SumProtocol::consensus) {
    const std::string text = to_bytes(sealed.model);
    std::vector<std::byte> own(bytes_of(text).begin(), bytes_of(text).end());
    const std::vector<std::byte> published =
        co_await publish(net, sealed.model.originator, Step::notice, std::move(own));
    static_cast<Fitted&>(sealed.model) = from_originator(published, sealed.model, charter, terms);
  }
  check_plausible(sealed.model, terms);
  sealed.digest = digest_of(sealed.model);
  const Digest commitment = models.commit(sealed.model);
  const Seal own = make_seal(sealed.digest, net.self(), commitment, identity);
  std::vector<std::byte> words = words_of(own);
  const Statements all = co_await exchange(net, Step::seal, std::move(words));
  const auto& roster = sealed.model.roster;
  if (all.size() != roster.size())
    throw Error("the roster of the run differs from the roster of its request");
  for (std::size_t k = 0; k < roster.size(); ++k) {
    const Seal seal = seal_from(roster[k], all[k], charter);
    if (!holds(seal, sealed.digest, charter.agents[roster[k]].identity))
      throw Misbehaviour(
          roster[k], fmt::format("{} sealed a different model than this agent", charter.name_of(roster[k])));
    sealed.seals.push_back(seal);
  }
  co_return sealed;
}

Task<void> end_alike(Run& net, const Charter& charter) {
  const Digest mine = net.transcript().now();
  std::vector<std::byte> words(mine.begin(), mine.end());
  const Statements all = co_await exchange(net, Step::seal, words);
  const std::vector<AgentId>& roster = net.gathering().roster;
  for (std::size_t k = 0; k < all.size(); ++k)
    if (all[k] != words)
      throw Misbehaviour(roster.at(k), fmt::format("{} received other totals than this agent",
                                                   charter.name_of(roster.at(k))));
}

}  // namespace tacit
