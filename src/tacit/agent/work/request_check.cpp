#include "tacit/agent/work/request_check.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tacit/agent/model/rosters.hpp"
#include "tacit/identity/encoding.hpp"

namespace tacit {
namespace {

// A fit may skip versions, because agents that were away do not know the highest. The limit keeps a request
// from using up all versions.
constexpr std::uint64_t most_skipped = std::uint64_t{1} << 32;

[[noreturn]] void refuse(ReasonCode code, const std::string& words, std::uint64_t detail = 0) {
  throw Refused({code, detail}, words);
}

}  // namespace

RequestCheck::RequestCheck(const Charter& charter, const Terms& terms, AgentId self, const Policy& policy,
                           const ModelStore& models, const Ledger& ledger, std::string rows,
                           std::string only_home)
    : charter_(charter),
      terms_(terms),
      self_(self),
      policy_(policy),
      models_(models),
      ledger_(ledger),
      rows_(std::move(rows)),
      only_home_(std::move(only_home)) {}

void RequestCheck::check_able() const {
  for (const std::string& why : {only_home_, ledger_.state().unusable})
    if (!why.empty())
      refuse(ReasonCode::undecided, fmt::format("this agent does not take part in runs: {}", why));
}

void RequestCheck::check_opened() const {
  if (const auto objection = policy_.objection_opened(ledger_.opened_on(rows_)))
    throw Refused(objection->reason, objection->words);
}

std::size_t most_request_bytes(const Charter& charter) {
  return charter.protocol.points * width(charter.inputs) * 9 + (std::size_t{256} << 10) +
         256 * charter.agents.size();
}

std::size_t RequestCheck::fewest() const {
  if (terms_.protocol.sums == SumProtocol::consensus) return charter_.agents.size();
  return std::max({policy_.fewest(), terms_.protocol.fewest, charter_.protocol.collusion + 2});
}

std::vector<AgentId> RequestCheck::roster_without(const std::vector<std::string>& names) const {
  for (const std::string& name : names) {
    if (!charter_.find(name) || std::count(names.begin(), names.end(), name) > 1)
      refuse(ReasonCode::malformed, fmt::format("the charter has no agent called {}, or it is named twice",
                                                in_quotes(name.substr(0, 40))));
    if (const auto objection = policy_.objection_without(name))
      throw Refused(objection->reason, objection->words);
  }
  std::vector<AgentId> roster;
  for (AgentId i = 0; i < charter_.agents.size(); ++i)
    if (std::find(names.begin(), names.end(), charter_.name_of(i)) == names.end()) roster.push_back(i);
  if (roster.size() < fewest())
    refuse(ReasonCode::too_few,
           fmt::format(
               "without {}, the fit would use the data of {} agents; charter and policy of {} require {}",
               listed(names), roster.size(), charter_.name_of(self_), fewest()),
           fewest());
  return roster;
}

CheckedRequest RequestCheck::check(const RunDescription& run) const {
  check_able();
  if (run.request.body.size() > most_request_bytes(charter_))
    refuse(ReasonCode::malformed, "the request is larger than the charter allows");
  if (!std::binary_search(run.roster.begin(), run.roster.end(), self_) ||
      !std::binary_search(run.roster.begin(), run.roster.end(), run.originator))
    refuse(ReasonCode::no_part, "this agent or the asker is not in the roster");
  CheckedRequest request;
  if (const auto* known = dynamic_cast<const CheckedRequest*>(run.request.decoded.get())) {
    request.typed = known->typed;
    request.model = known->model;
  } else {
    request.typed = std::make_shared<const TypedRequest>(decoded(run.request, terms_));
  }
  const TypedRequest& typed = *request.typed;
  if (const AskedModel* about = typed.about())
    check_model(run, *about, request);
  else
    check_fit(run, std::get<FitRequest>(typed.what));
  if (const auto objection =
          policy_.objection(charter_.name_of(run.originator), typed.kind(), typed.amount()))
    throw Refused(objection->reason, objection->words);
  return request;
}

void RequestCheck::check_fit(const RunDescription& run, const FitRequest& fit) const {
  if (fit.automatic && !charter_.protocol.refits)
    refuse(ReasonCode::may_not_ask,
           fmt::format("{} requested a fit automatically, which the charter does not allow "
                       "(protocol.agents_may_refit)",
                       charter_.name_of(run.originator)));
  if (run.roster != roster_without(fit.without))
    refuse(ReasonCode::other_roster, "the roster must be all members except those excluded by name");
  check_opened();
  const std::uint64_t highest = models_.highest();
  if (fit.version <= highest)
    refuse(ReasonCode::version_taken,
           fmt::format("the fit would create version {}, but this agent has already signed version {}",
                       fit.version, highest),
           highest);
  if (fit.version - highest > most_skipped)
    refuse(ReasonCode::malformed, "the fit would skip too many versions");
}

void RequestCheck::check_model(const RunDescription& run, const AskedModel& about,
                               CheckedRequest& request) const {
  const auto held = models_.held();
  if (held && held->sealed.digest == about.digest)
    request.model = std::shared_ptr<const SealedModel>(held, &held->sealed);
  else
    take_over(run, about, held.get(), request);
  if (request.model->model.roster != run.roster)
    refuse(ReasonCode::other_roster, "the roster of the request differs from the roster of the model");
  if (run.roster.size() < fewest())
    refuse(ReasonCode::too_few,
           fmt::format("the model was fitted to the data of {} agents; charter and policy require {}",
                       run.roster.size(), fewest()),
           fewest());
  const bool changed = request.taken_over ? models_.rows_differ(*request.model) : held->rows_changed;
  if (changed)
    refuse(
        ReasonCode::rows_changed,
        fmt::format(
            "the rows of {} differ from those of the model, or cannot be compared with them. The agent takes "
            "part only in a new fit; run tacit fit",
            charter_.name_of(self_)));
}

// The model is in the request, and this agent may adopt it.
void RequestCheck::take_over(const RunDescription& run, const AskedModel& about, const HeldModel* held,
                             CheckedRequest& request) const {
  request.taken_over = true;
  if (request.model) return check_version(run, *request.model, held);  // an earlier check has read it
  SealedModel asked;
  const auto taking = [&](auto&& step) {
    try {
      step();
    } catch (const InputError& e) {
      refuse(
          ReasonCode::no_model,
          fmt::format("this agent does not hold the model of the request and cannot use the copy in it: {}",
                      e.what()));
    }
  };
  taking([&] {
    asked = sealed_from_bytes(about.copy, charter_, terms_);
    if (asked.digest != about.digest) throw InputError("it differs from the model that the request names");
  });
  check_version(run, asked, held);
  taking([&] {
    asked.model.pooled = models_.pooled_of(asked.model);
    check_plausible(asked.model, terms_);
  });
  request.model = std::make_shared<const SealedModel>(std::move(asked));
}

void RequestCheck::check_version(const RunDescription& run, const SealedModel& asked,
                                 const HeldModel* held) const {
  const std::uint64_t mine = held ? held->sealed.model.version : 0;
  const auto signed_then = models_.signed_as(asked.model.version);
  if ((held && mine == asked.model.version) || (signed_then && *signed_then != asked.digest))
    refuse(
        ReasonCode::no_model,
        fmt::format("{} sent a model of version {} that its whole roster has sealed, but that is not the one "
                    "that this agent signed. A member has signed two models, or two agents use the same keys",
                    charter_.name_of(run.originator), asked.model.version));
  if (mine > asked.model.version)
    refuse(ReasonCode::newer_model,
           fmt::format("{} holds a newer model (version {}, fitted {}) than that of the request (version {}, "
                       "fitted {}); run tacit fit",
                       charter_.name_of(self_), mine, held->sealed.model.fitted_at, asked.model.version,
                       asked.model.fitted_at),
           mine);
}

}  // namespace tacit
