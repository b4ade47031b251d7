#include "tacit/agent/work.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "tacit/agent/requests.pb.h"
#include "tacit/base/error.hpp"
#include "tacit/base/files.hpp"
#include "tacit/base/parallel.hpp"
#include "tacit/identity/charter_terms.hpp"
#include "tacit/identity/encoding.hpp"

namespace tacit {
namespace {

template <class Message>
Message parsed(const std::string& body) {
  Message message;
  if (!message.ParseFromString(body))
    throw InputError("the request cannot be read; do all agents run the same version?");
  return message;
}

Matrix points_of(const requests::Predict& body, std::size_t inputs) {
  const auto rows = static_cast<Index>(body.points()), columns = static_cast<Index>(inputs);
  return Eigen::Map<const Matrix>(body.values().data(), rows, columns);
}

void check_points(const requests::Predict& body, const Terms& terms) {
  const std::size_t inputs = width(terms.inputs);
  if (body.points() < 1 || body.points() > terms.limits.points)
    throw InputError(
        fmt::format("{} points are asked for, and the charter allows 1 to {} (protocol.most_points)",
                    body.points(), terms.limits.points));
  if (static_cast<std::uint64_t>(body.values_size()) != body.points() * inputs)
    throw InputError(fmt::format("points must have {} inputs each", inputs));
  if (!std::all_of(body.values().begin(), body.values().end(), [](double x) { return std::isfinite(x); }))
    throw InputError("points must be finite numbers");
}

void add(const Matrix& from, google::protobuf::RepeatedField<double>& to) {
  to.Add(from.data(), from.data() + from.size());
}

std::string trial_text(const ExactTuning& tuning) {
  const Trial& last = tuning.trials.back();
  return fmt::format("tuning, evaluation {}: summed log likelihood {:.4f}, kernel {}, noise {:.4g}",
                     tuning.trials.size(), last.likelihood, last.priors[0].kernel.text(),
                     last.priors[0].noise);
}

std::string utc_now() {
  const auto now = std::chrono::time_point_cast<std::chrono::milliseconds>(std::chrono::system_clock::now());
  const auto seconds = std::chrono::floor<std::chrono::seconds>(now);
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z",
                     fmt::gmtime(std::chrono::system_clock::to_time_t(seconds)), (now - seconds).count());
}

}  // namespace

std::string random_hex_name() {
  std::array<std::byte, 16> name{};
  Prg::from_os().fill(name);
  return hex(name);
}

Work::Work(WorkMaterial material, Policy& policy)
    : material_(std::move(material)),
      terms_(terms_of(material_.charter)),
      charter_hash_(hex(charter_hash(material_.charter))),
      policy_(policy) {
  if (!std::filesystem::exists(model_file())) return;
  const std::string text = read_whole(model_file());
  model_ = model_from(model_file().string(), text, charter_hash_);
  check_plausible(*model_, terms_);
}

std::optional<FittedModel> Work::model() const {
  const std::lock_guard lock(guard_);
  return model_;
}

// While a run is under way.
class Work::Busy {
 public:
  Busy(Work& work, const std::string& ask, const std::string& kind) : work_(work) {
    const std::lock_guard lock(work_.guard_);
    work_.doing_ = {ask, kind};
    work_.changed_.notify_all();
  }
  ~Busy() {
    const std::lock_guard lock(work_.guard_);
    work_.doing_.reset();
    work_.changed_.notify_all();
  }
  Busy(const Busy&) = delete;

 private:
  Work& work_;
};

std::optional<Work::Doing> Work::doing() const {
  const std::lock_guard lock(guard_);
  return doing_;
}

void Work::say(const std::string& words) {
  const std::lock_guard lock(guard_);
  if (doing_) doing_->words = words;
  changed_.notify_all();
}

void Work::wait(const std::function<bool(const std::optional<Doing>&)>& enough) const {
  std::unique_lock lock(guard_);
  changed_.wait(lock, [&] { return enough(doing_); });
}

void Work::nudge() const {
  const std::lock_guard lock(guard_);
  changed_.notify_all();
}

void Work::keep(const FittedModel& model) {
  write_whole(model_file(), to_text(model), 0600);
  const std::lock_guard lock(guard_);
  model_ = model;
}

FittedModel Work::held() const {
  const auto model = this->model();
  if (!model) throw InputError("there is no fitted model yet; run tacit fit first");
  return *model;
}

Quorum Work::quorum() const {
  const bool everybody = terms_.protocol.sums == SumProtocol::consensus;
  return {.everybody = everybody, .fewest = std::max(policy_.fewest(), terms_.protocol.fewest)};
}

Request Work::fit(const std::string& ask) const {
  requests::Fit body;
  body.set_ask(ask);
  const auto before = model();
  body.set_version(before ? before->version + 1 : 1);
  body.set_fit(random_hex_name());
  body.set_fitted_at(utc_now());
  return {to_string(RequestKind::fit), body.SerializeAsString()};
}

Request Work::predict(const std::string& ask, const Matrix& points) const {
  requests::Predict body;
  body.set_ask(ask);
  body.set_model(to_text(held()));
  body.set_points(static_cast<std::uint64_t>(points.rows()));
  add(points, *body.mutable_values());
  check_points(body, terms_);
  return {to_string(RequestKind::predict), body.SerializeAsString()};
}

Request Work::evaluate(const std::string& ask) const {
  requests::Evaluate body;
  body.set_ask(ask);
  body.set_model(to_text(held()));
  return {to_string(RequestKind::evaluate), body.SerializeAsString()};
}

// The model that a request is about, when this agent holds it or may take it over. The request's copy is
// used, so that all agents of a run have the same bits; by consensus, their own may differ a little.
FittedModel Work::agreed(const std::string& text) const {
  FittedModel asked = model_from("the request", text, charter_hash_);
  check_plausible(asked, terms_);
  const auto mine = model();
  if (mine && mine->fit != asked.fit && mine->fitted_at >= asked.fitted_at)
    throw InputError(
        fmt::format("{} holds a newer model (version {}, fitted {} by {}) than the one asked about (version "
                    "{}, fitted {}); run tacit fit",
                    material_.charter.name_of(material_.self), mine->version, mine->fitted_at,
                    mine->originator, asked.version, asked.fitted_at));
  return asked;
}

void Work::take_over(const FittedModel& model) {
  const auto mine = this->model();
  if (!mine || mine->fit != model.fit) keep(model);
}

Consent Work::consent(const Run& run) const {
  try {
    std::uint64_t amount = 1;
    const RequestKind kind = parse_request_kind(run.request.kind);
    switch (kind) {
      case RequestKind::fit: {
        const auto body = parsed<requests::Fit>(run.request.body);
        if (body.fit().size() != 32 || body.fitted_at().size() != 24) throw InputError("the fit has no name");
        break;
      }
      case RequestKind::predict: {
        const auto body = parsed<requests::Predict>(run.request.body);
        check_points(body, terms_);
        agreed(body.model());
        amount = body.points();
        break;
      }
      case RequestKind::evaluate:
        agreed(parsed<requests::Evaluate>(run.request.body).model());
        break;
    }
    if (const auto why = policy_.objection(material_.charter.name_of(run.originator), kind, amount))
      return {Consent::Word::no, *why};
    return {};
  } catch (const InputError& e) {
    return {Consent::Word::no, e.what()};
  }
}

void Work::check_and_charge(const Run& run, RequestKind kind, std::uint64_t amount) {
  policy_.check_agents(run.present.size());
  policy_.charge(material_.charter.name_of(run.originator), kind, amount);
}

std::shared_ptr<const FittedExperts> Work::experts_of(const FittedModel& model) {
  const std::string text = to_text(model);
  {
    const std::lock_guard lock(guard_);
    if (experts_ && experts_of_ == text) return experts_;
  }
  constexpr std::size_t most_kept_bytes = std::size_t{1} << 30;
  auto fitted = std::make_shared<const FittedExperts>(terms_, model, material_.data, default_threads(),
                                                      most_kept_bytes);
  const std::lock_guard lock(guard_);
  experts_ = fitted;
  experts_of_ = text;
  return fitted;
}

Task<std::string> Work::program(Channel& net, const Run& run) {
  switch (parse_request_kind(run.request.kind)) {
    case RequestKind::fit:
      return fit_program(net, run);
    case RequestKind::predict:
      return predict_program(net, run);
    case RequestKind::evaluate:
      return evaluate_program(net, run);
  }
  throw Error("a request has no kind");
}

Task<std::string> Work::fit_program(Channel& net, const Run& run) {
  const auto body = parsed<requests::Fit>(run.request.body);
  const Busy busy(*this, body.ask(), run.request.kind);
  check_and_charge(run, RequestKind::fit, 1);
  FitWatch watch;
  watch.stage = [this](FitStage stage) {
    say(stage == FitStage::standardising ? "standardising" : "tuning");
  };
  watch.trial = [this](const ExactTuning& so_far) { say(trial_text(so_far)); };
  const Fit found =
      co_await tacit::fit(net, terms_, asked(run), material_.data, std::move(watch), default_threads());
  FittedModel model{found.fitted,  body.version(),   body.fit(),
                    charter_hash_, body.fitted_at(), material_.charter.name_of(run.originator)};
  keep(model);
  requests::Fitted result;
  result.set_model(to_text(model));
  co_return result.SerializeAsString();
}

Task<std::string> Work::predict_program(Channel& net, const Run& run) {
  const auto body = parsed<requests::Predict>(run.request.body);
  const Busy busy(*this, body.ask(), run.request.kind);
  check_points(body, terms_);
  const FittedModel model = agreed(body.model());
  check_and_charge(run, RequestKind::predict, body.points());
  take_over(model);
  const auto experts = experts_of(model);
  const LocalEvidence mine = experts->evidence(points_of(body, width(terms_.inputs)));
  const ConsortiumPosterior found = co_await tacit::predict(net, terms_, asked(run), model, mine);
  if (found.unconverged > 0)
    throw Error(
        "a variance is not positive: the consensus has not converged; the charter's unit may be too coarse");
  requests::Predicted result;
  for (const Column& column : terms_.targets) result.add_targets(column.name);
  result.set_points(body.points());
  add(found.mean, *result.mutable_mean());
  add(found.latent_variance.cwiseSqrt(), *result.mutable_latent_deviation());
  add(found.observed_variance.cwiseSqrt(), *result.mutable_observed_deviation());
  co_return result.SerializeAsString();
}

Task<std::string> Work::evaluate_program(Channel& net, const Run& run) {
  const auto body = parsed<requests::Evaluate>(run.request.body);
  const Busy busy(*this, body.ask(), run.request.kind);
  const FittedModel model = agreed(body.model());
  check_and_charge(run, RequestKind::evaluate, 1);
  take_over(model);
  const Samples& held_out = material_.holdout;
  ConsortiumPosterior predicted;
  if (held_out.inputs.rows() > 0) predicted = experts_of(model)->alone(held_out.inputs);
  const ConsortiumScore score =
      co_await tacit::evaluate(net, terms_, asked(run), model, predicted, held_out.outputs);
  requests::Evaluated result;
  result.set_rows(score.rows);
  result.set_rmse(score.rmse);
  result.set_log_density(score.log_density);
  co_return result.SerializeAsString();
}

}  // namespace tacit
