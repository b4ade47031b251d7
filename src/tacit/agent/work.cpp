#include "tacit/agent/work.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "tacit/agent/requests.pb.h"
#include "tacit/base/error.hpp"
#include "tacit/base/files.hpp"
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

void check_points(const requests::Predict& body, const Charter& charter) {
  const std::size_t inputs = model_inputs(charter);
  if (body.points() < 1 || body.points() > charter.protocol.points)
    throw InputError(
        fmt::format("{} points are asked for, and the charter allows 1 to {} (protocol.most_points)",
                    body.points(), charter.protocol.points));
  if (static_cast<std::uint64_t>(body.values_size()) != body.points() * inputs)
    throw InputError(fmt::format("points must have {} inputs each", inputs));
  if (!std::all_of(body.values().begin(), body.values().end(), [](double x) { return std::isfinite(x); }))
    throw InputError("points must be finite numbers");
}

void add(const Matrix& from, google::protobuf::RepeatedField<double>& to) {
  to.Add(from.data(), from.data() + from.size());
}

std::string utc_now() {
  const auto now = std::chrono::time_point_cast<std::chrono::milliseconds>(std::chrono::system_clock::now());
  const auto seconds = std::chrono::floor<std::chrono::seconds>(now);
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z",
                     fmt::gmtime(std::chrono::system_clock::to_time_t(seconds)), (now - seconds).count());
}

}  // namespace

std::string random_hex_name() {
  std::array<std::byte, 16> name;
  Prg::from_os().fill(name);
  return hex(name);
}

Work::Work(WorkMaterial material, Policy& policy)
    : material_(std::move(material)), charter_hash_(hex(charter_hash(material_.charter))), policy_(policy) {
  if (!std::filesystem::exists(model_file())) return;
  const std::string text = read_whole(model_file());
  model_ = model_from(model_file().string(), text, charter_hash_);
  check_plausible(*model_, material_.charter);
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
  const bool everybody = material_.charter.protocol.sums == "consensus";
  return {.everybody = everybody, .fewest = std::max(policy_.fewest(), material_.charter.protocol.fewest)};
}

Request Work::fit(const std::string& ask) const {
  requests::Fit body;
  body.set_ask(ask);
  const auto before = model();
  body.set_version(before ? before->version + 1 : 1);
  body.set_fit(random_hex_name());
  body.set_fitted_at(utc_now());
  return {"fit", body.SerializeAsString()};
}

Request Work::predict(const std::string& ask, const Matrix& points) const {
  requests::Predict body;
  body.set_ask(ask);
  body.set_model(to_text(held()));
  body.set_points(static_cast<std::uint64_t>(points.rows()));
  add(points, *body.mutable_values());
  check_points(body, material_.charter);
  return {"predict", body.SerializeAsString()};
}

Request Work::evaluate(const std::string& ask) const {
  requests::Evaluate body;
  body.set_ask(ask);
  body.set_model(to_text(held()));
  return {"evaluate", body.SerializeAsString()};
}

// The model that a request is about, when this agent holds it or may take it over. The request's copy is
// used, so that all agents of a run have the same bits; by consensus, their own may differ a little.
FittedModel Work::agreed(const std::string& text) const {
  FittedModel asked = model_from("the request", text, charter_hash_);
  check_plausible(asked, material_.charter);
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
    if (run.request.kind == "predict") {
      const auto body = parsed<requests::Predict>(run.request.body);
      check_points(body, material_.charter);
      agreed(body.model());
      amount = body.points();
    } else if (run.request.kind == "evaluate") {
      agreed(parsed<requests::Evaluate>(run.request.body).model());
    } else if (run.request.kind == "fit") {
      const auto body = parsed<requests::Fit>(run.request.body);
      if (body.fit().size() != 32 || body.fitted_at().size() != 24) throw InputError("the fit has no name");
    }
    if (const auto why =
            policy_.objection(material_.charter.name_of(run.originator), run.request.kind, amount))
      return {Consent::Word::no, *why};
    return {};
  } catch (const InputError& e) {
    return {Consent::Word::no, e.what()};
  }
}

void Work::check_and_charge(const Run& run, std::uint64_t amount) {
  policy_.check_agents(run.present.size());
  policy_.charge(material_.charter.name_of(run.originator), run.request.kind, amount);
}

Task<std::string> Work::program(Channel& net, const Run& run) {
  if (run.request.kind == "fit") return fit_program(net, run);
  if (run.request.kind == "predict") return predict_program(net, run);
  if (run.request.kind == "evaluate") return evaluate_program(net, run);
  throw InputError(fmt::format("there is no request called {}", run.request.kind));
}

Task<std::string> Work::fit_program(Channel& net, const Run& run) {
  const auto body = parsed<requests::Fit>(run.request.body);
  const Busy busy(*this, body.ask(), run.request.kind);
  check_and_charge(run, 1);
  const Watch watch = [this](const std::string& words) { say(words); };
  FittedModel model =
      co_await fit_together(net, material_.charter, run.originator, quorum().fewest, material_.data, watch);
  model.version = body.version();
  model.fit = body.fit();
  model.fitted_at = body.fitted_at();
  model.originator = material_.charter.name_of(run.originator);
  model.charter = charter_hash_;
  keep(model);
  requests::Fitted result;
  result.set_model(to_text(model));
  co_return result.SerializeAsString();
}

Task<std::string> Work::predict_program(Channel& net, const Run& run) {
  const auto body = parsed<requests::Predict>(run.request.body);
  const Busy busy(*this, body.ask(), run.request.kind);
  check_points(body, material_.charter);
  const FittedModel model = agreed(body.model());
  check_and_charge(run, body.points());
  take_over(model);
  const Matrix points = points_of(body, model_inputs(material_.charter));
  const PointPredictions found = co_await predict_together(net, material_.charter, run.originator,
                                                           quorum().fewest, model, material_.data, points);
  requests::Predicted result;
  for (const CharterColumn& column : material_.charter.targets) result.add_targets(column.name);
  result.set_points(body.points());
  add(found.mean, *result.mutable_mean());
  add(found.latent_deviation, *result.mutable_latent_deviation());
  add(found.observed_deviation, *result.mutable_observed_deviation());
  co_return result.SerializeAsString();
}

Task<std::string> Work::evaluate_program(Channel& net, const Run& run) {
  const auto body = parsed<requests::Evaluate>(run.request.body);
  const Busy busy(*this, body.ask(), run.request.kind);
  const FittedModel model = agreed(body.model());
  check_and_charge(run, 1);
  take_over(model);
  const ConsortiumScore score = co_await evaluate_together(
      net, material_.charter, run.originator, quorum().fewest, model, material_.data, material_.holdout);
  requests::Evaluated result;
  result.set_rows(score.rows);
  result.set_rmse(score.rmse);
  result.set_log_density(score.log_density);
  co_return result.SerializeAsString();
}

}  // namespace tacit
