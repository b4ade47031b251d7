#include "tacit/agent/work/run_handler.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "tacit/agent/daemon/utc.hpp"
#include "tacit/agent/model/model_for_display.hpp"
#include "tacit/agent/model/sealing.hpp"
#include "tacit/agent/rows/snapshot.hpp"
#include "tacit/agent/work/prediction_message.hpp"
#include "tacit/base/error.hpp"
#include "tacit/charter/setting_words.hpp"
#include "tacit/charter/terms.hpp"
#include "tacit/consortium/pool/draw_landmarks.hpp"
#include "tacit/consortium/pool/place_landmarks.hpp"
#include "tacit/consortium/terms/points.hpp"
#include "tacit/identity/encoding.hpp"
#include "tacit/protocol/exact/exact.hpp"

namespace tacit {
namespace {

constexpr std::chrono::seconds longest_seal{10};

// An own request needs no check when it starts, except of what may have changed until then.
OwnRequest own_request(TypedRequest typed, std::shared_ptr<const SealedModel> model,
                       std::vector<AgentId> roster) {
  auto checked = std::make_shared<CheckedRequest>();
  Request request = encoded(typed);
  checked->typed = std::make_shared<const TypedRequest>(std::move(typed));
  checked->model = std::move(model);
  request.decoded = std::move(checked);
  return {std::move(request), std::move(roster)};
}

std::string trial_text(const ExactTuning& tuning) {
  const Trial& last = tuning.trials.back();
  return fmt::format("tuning, evaluation {}: summed log likelihood {:.4f}, kernel {}, noise {:.4g}",
                     tuning.trials.size(), last.likelihood, last.priors[0].kernel.text(),
                     last.priors[0].noise);
}

// A member that reports false likelihoods can steer the search within the charter's bounds. The resulting
// model explains the other members' rows worse, which each agent can check on its own rows.
std::optional<std::string> own_doubts(const ExactTuning& tuning) {
  const double before = tuning.trials.front().own, now = tuning.best.own;
  if (now >= before) return std::nullopt;
  return fmt::format(
      "the fitted model explains this agent's own rows worse than the start of the search (log likelihood "
      "{:.4g} instead of {:.4g}). Either these rows differ from those of the other members, or a member "
      "manipulated the search. Check the noise and the length-scales of the model before using its "
      "predictions",
      now, before);
}

// Calls check_points. The reason code lets the log omit the text, which shows a point.
void check_asked(const Terms& terms, const Matrix& points) {
  try {
    check_points(terms, points);
  } catch (const InputError& e) {
    throw Refused({ReasonCode::outside_agreement}, e.what());
  }
}

// The number of all rows; 0 for a fit that does not open it, without standardising and landmarks.
std::size_t rows_of_all(const Fitted& fitted) {
  return fitted.standardisation ? fitted.standardisation->rows : fitted.pooled ? fitted.pooled->rows : 0;
}

// An agent that does not take part in runs may have no salt for it.
std::string rows_name(const WorkMaterial& material) {
  try {
    return name_of_rows(material.state, *material.data);
  } catch (const Error&) {
    if (material.only_home.empty()) throw;
    return "";
  }
}

std::string in_words(FitStage stage) {
  switch (stage) {
    case FitStage::standardising:
      return "standardising";
    case FitStage::landmarks:
      return "placing landmarks";
    case FitStage::tuning:
      return "tuning";
    case FitStage::pooling:
      return "computing the landmark sums";
  }
  return "";
}

}  // namespace

std::string random_hex_name() {
  std::array<std::byte, 16> name{};
  Prg::from_os().fill(name);
  return hex(name);
}

RunHandler::RunHandler(WorkMaterial material, const Identity& identity, Policy& policy, LogSink log)
    : material_(std::move(material)),
      terms_(terms_of(material_.charter)),
      identity_(identity),
      policy_(policy),
      log_(std::move(log)),
      ledger_(material_.state / "ledger.jsonl", hex(charter_hash(material_.charter)), log_),
      rows_(rows_name(material_)),
      crew_(material_.data->crew(terms_.model.committee)),
      models_(material_.state, material_.charter, terms_, material_.self, *material_.data, material_.holdout,
              log_),
      check_(material_.charter, terms_, material_.self, policy_, models_, ledger_, rows_,
             material_.only_home) {}

// Sets doing_ for the duration of a run.
class RunHandler::Busy {
 public:
  Busy(RunHandler& handler, const std::string& ask, const std::string& kind) : handler_(handler) {
    const std::lock_guard lock(handler_.guard_);
    handler_.doing_ = {ask, kind};
    handler_.changed_.notify_all();
  }
  ~Busy() {
    const std::lock_guard lock(handler_.guard_);
    handler_.doing_.reset();
    handler_.changed_.notify_all();
  }
  Busy(const Busy&) = delete;

 private:
  RunHandler& handler_;
};

// This agent's part in a run. The constructor checks the request again, charges the policy and writes the
// ledger, before any data are used.
struct RunHandler::Part {
  Part(RunHandler& handler, Run& net, const RunDescription& run)
      : request(handler.check_.check(run)),
        busy(handler, request.typed->ask, run.request.kind),
        entry(
            handler.ledger_, charged(handler, run, request),
            [&net](LedgerLine& line) {
              line.opened = net.opened();
              line.content = hex(net.content());
            },
            handler.log_) {
    if (request.taken_over) handler.models_.keep(*request.model);
  }

  const CheckedRequest request;
  const Busy busy;
  LedgerEntry entry;

 private:
  static LedgerLine charged(RunHandler& handler, const RunDescription& run, const CheckedRequest& request) {
    const Charter& charter = handler.material_.charter;
    const TypedRequest& typed = *request.typed;
    const auto* const fit = std::get_if<FitRequest>(&typed.what);
    handler.policy_.charge(charter.name_of(run.originator), typed.kind(), typed.amount());
    LedgerLine began;
    began.run = hex(run.name);
    began.asker = charter.name_of(run.originator);
    began.kind = run.request.kind;
    began.points = typed.points();
    for (const AgentId agent : run.roster) began.roster.push_back(charter.name_of(agent));
    began.version = fit ? fit->version : request.model->model.version;
    if (request.model) began.model = hex(request.model->digest);
    if (fit) began.rows = handler.rows_;
    return began;
  }
};

std::optional<RunHandler::Doing> RunHandler::doing() const {
  const std::lock_guard lock(guard_);
  return doing_;
}

void RunHandler::report(const std::string& words, bool sealing) {
  const std::lock_guard lock(guard_);
  if (doing_) {
    doing_->words = words;
    doing_->sealing = sealing;
  }
  changed_.notify_all();
}

void RunHandler::wait(const std::function<bool(const std::optional<Doing>&)>& enough) const {
  std::unique_lock lock(guard_);
  changed_.wait(lock, [&] { return enough(doing_); });
}

void RunHandler::nudge() const {
  const std::lock_guard lock(guard_);
  changed_.notify_all();
}

std::shared_ptr<const HeldModel> RunHandler::fitted() const {
  {
    // Members store a new model one after the other. A user who has seen the fit end elsewhere, and then asks
    // here, expects that model. The time limit keeps a member that withholds its seal from blocking this
    // agent.
    std::unique_lock lock(guard_);
    changed_.wait_for(lock, longest_seal, [&] { return !doing_ || !doing_->sealing; });
  }
  auto held = models_.held();
  if (!held)
    throw InputError(models_.highest() == 0 ? "there is no fitted model yet; run tacit fit first"
                                            : "there is no model for this charter yet; run tacit fit first");
  return held;
}

std::shared_ptr<const SealedModel> RunHandler::usable() const {
  const auto held = fitted();
  if (held->rows_changed)
    throw InputError(
        "this agent's rows differ from those of the model. The agent takes part only in a new fit; run tacit "
        "fit");
  return {held, &held->sealed};
}

OwnRequest RunHandler::fit(const std::string& ask, const std::vector<std::string>& without,
                           std::uint64_t version, bool automatic) const {
  const std::string& self = material_.charter.name_of(material_.self);
  if (std::find(without.begin(), without.end(), self) != without.end())
    throw InputError(fmt::format("{} cannot request a fit without itself", self));
  check_.check_able();
  check_.check_opened();
  FitRequest body{.version = std::max(version, models_.highest() + 1),
                  .fit = random_hex_name(),
                  .fitted_at = to_text(utc_now()),
                  .without = without,
                  .automatic = automatic};
  return own_request({ask, std::move(body)}, nullptr, check_.roster_without(without));
}

OwnRequest RunHandler::predict(const std::string& ask, Matrix points) const {
  check_.check_able();
  auto model = usable();
  check_asked(terms_, points);
  PredictRequest body{{model->digest, to_bytes(*model)}, std::move(points)};
  return own_request({ask, std::move(body)}, model, model->model.roster);
}

OwnRequest RunHandler::evaluate(const std::string& ask) const {
  check_.check_able();
  auto model = usable();
  return own_request({ask, EvaluateRequest{{model->digest, to_bytes(*model)}}}, model, model->model.roster);
}

RunHandler::AtHome RunHandler::predict_at_home(const Matrix& points) {
  const auto held = fitted();
  check_asked(terms_, points);
  const FittedModel& model = held->sealed.model;
  AtHome answer{message_of(experts_of(held->sealed)->at_home(points), terms_.targets), {}, {}};
  if (model.pooled) {
    answer.roster = model.roster;
    answer.notes.emplace_back("answered at home; no other agent was asked");
  } else {
    answer.roster = {material_.self};
    answer.notes.emplace_back(
        "answered at home, from only this agent's own rows, because the model has no landmarks; `together` "
        "asks all agents");
  }
  if (held->rows_changed)
    answer.notes.emplace_back(
        "this agent's rows have changed since the fit; the answer uses the current rows and the other "
        "members' part of the model");
  return answer;
}

PortableModel RunHandler::portable(bool with_experts) const {
  const auto held = fitted();
  const FittedModel& model = held->sealed.model;
  const Charter& charter = material_.charter;
  PortableModel portable;
  portable.title = charter.title;
  portable.charter = hex(model.charter);
  portable.owner = charter.name_of(material_.self);
  portable.fitted_at = model.fitted_at;
  portable.version = model.version;
  for (const AgentId agent : model.roster) portable.roster.push_back(charter.name_of(agent));
  portable.inputs = terms_.inputs;
  portable.targets = terms_.targets;
  portable.fusion = terms_.model.fusion;
  portable.committee = terms_.model.committee;
  portable.fitted = static_cast<const Fitted&>(model);
  if (with_experts) {
    if (!material_.data->here())
      throw InputError(
          "this agent's rows are distributed over ranks, but a model with experts contains all of them; "
          "export it without experts, or start the agent without mpirun");
    portable.rows = *material_.data->here();
  }
  return portable;
}

Consent RunHandler::consent(const RunDescription& run) const {
  try {
    return {.decoded = std::make_shared<const CheckedRequest>(check_.check(run))};
  } catch (const Refused& no) {
    return {.refusal = no.reason(), .log = no.what()};
  }
}

std::shared_ptr<const FittedExperts> RunHandler::experts_of(const SealedModel& sealed) {
  {
    const std::lock_guard lock(guard_);
    if (experts_ && experts_of_ == sealed.digest) return experts_;
  }
  constexpr std::size_t most_kept_bytes = std::size_t{1} << 30;
  auto fitted = std::make_shared<const FittedExperts>(terms_, sealed.model, crew_, most_kept_bytes);
  const std::lock_guard lock(guard_);
  experts_ = fitted;
  experts_of_ = sealed.digest;
  return fitted;
}

bool RunHandler::by_tree() const {
  return terms_.protocol.sums == SumProtocol::tree ||
         (terms_.protocol.sums == SumProtocol::exact && terms_.agents() > most_verified);
}

Task<std::string> RunHandler::program(Run& net, const RunDescription& run) {
  try {
    Part part(*this, net, run);
    const auto of_kind = [&](const auto& request) { return program_of(request, part, net, run); };
    co_return co_await std::visit(of_kind, part.request.typed->what);
  } catch (const InputError& e) {  // the programme does not know that its settings come from a charter
    const std::string text = in_charter_words(e.what());
    if (text == e.what()) throw;
    throw InputError(text);
  }
}

Task<std::string> RunHandler::program_of(const FitRequest& body, Part& part, Run& net,
                                         const RunDescription& run) {
  FitWatch watch;
  watch.stage = [this](FitStage stage) { report(in_words(stage)); };
  watch.trial = [this](const ExactTuning& so_far) { report(trial_text(so_far)); };
  watch.placed = [&](std::size_t rows, std::uint64_t opens) {
    const OpenedCount so_far{ledger_.opened_on(rows_).opened,
                             held_numbers(rows, terms_.inputs.size(), terms_.targets.size())};
    const std::uint64_t mine = net.opened() + opens;
    if (const auto objection = policy_.objection_opened(so_far, mine))
      throw Leaves(objection->reason, objection->words);
    part.entry.opens(mine);
  };
  Fit found;
  try {
    found = co_await tacit::fit_privately(net, terms_, asked(run), crew_, std::move(watch));
  } catch (const TooManyLandmarks& e) {  // the first agent that finds this reports it
    throw Leaves({ReasonCode::too_many_landmarks, e.most()}, e.what());
  }
  report("sealing the model", true);
  if (found.search)
    if (const auto doubts = own_doubts(*found.search)) log_(LogLevel::warning, *doubts);
  FittedModel model;
  static_cast<Fitted&>(model) = found.fitted;
  model.version = body.version;
  model.fit = body.fit;
  model.charter = charter_hash(material_.charter);
  model.fitted_at = body.fitted_at;
  model.originator = run.originator;
  model.roster = run.roster;
  model.transcript = net.transcript().now();
  if (model.pooled) model.pooled_name = name_of(*model.pooled);
  const SealedModel sealed =
      co_await seal_together(net, material_.charter, terms_, identity_, models_, std::move(model));
  models_.keep(sealed);
  part.entry.gave(hex(sealed.digest));
  part.entry.held(held_numbers(rows_of_all(found.fitted), terms_.inputs.size(), terms_.targets.size()));
  part.entry.done();
  requests::Fitted result;
  *result.mutable_model() = shown(sealed, material_.charter);
  co_return result.SerializeAsString();
}

Task<std::string> RunHandler::program_of(const PredictRequest& body, Part& part, Run& net,
                                         const RunDescription& run) {
  const FittedModel& model = part.request.model->model;
  const auto experts = experts_of(*part.request.model);
  const LocalEvidence mine = experts->evidence(body.points);
  const Prediction found = co_await tacit::predict(net, terms_, asked(run), model, mine);
  if (by_tree()) co_await end_alike(net, material_.charter);
  if (unconverged(found) > 0)
    throw Error(
        "a variance is not positive because the consensus has not converged; the charter's unit may be too "
        "coarse");
  part.entry.done();
  co_return message_of(found, terms_.targets).SerializeAsString();
}

Task<std::string> RunHandler::program_of(const EvaluateRequest&, Part& part, Run& net,
                                         const RunDescription& run) {
  const FittedModel& model = part.request.model->model;
  const Samples& held_out = material_.holdout;
  Prediction predicted;
  if (held_out.inputs.rows() > 0) predicted = experts_of(*part.request.model)->at_home(held_out.inputs);
  const ConsortiumScore score =
      co_await tacit::evaluate(net, terms_, asked(run), model, predicted, held_out.outputs);
  if (by_tree()) co_await end_alike(net, material_.charter);
  requests::Evaluated result;
  result.set_rows(score.rows);
  result.set_rmse(score.rmse);
  result.set_log_density(score.log_density);
  part.entry.done();
  co_return result.SerializeAsString();
}

}  // namespace tacit
