#include "tacit/agent/work/typed_request.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "tacit/agent/daemon/utc.hpp"
#include "tacit/agent/work/requests.pb.h"
#include "tacit/consortium/terms/points.hpp"
#include "tacit/identity/encoding.hpp"
#include "tacit/secrecy/bytes.hpp"

namespace tacit {
namespace {

using namespace std::chrono_literals;

constexpr auto most_ahead = 5min;
constexpr auto most_behind = 24h;
constexpr std::size_t longest_ask = 64;

[[noreturn]] void unsound(ReasonCode code, const std::string& words, std::uint64_t detail = 0) {
  throw Refused({code, detail}, words);
}

template <class Message>
Message parsed(const std::string& body) {
  Message message;
  if (!message.ParseFromString(body) || message.ask().size() > longest_ask)
    unsound(ReasonCode::malformed, "the request cannot be read; check that all agents run the same release");
  return message;
}

AskedModel asked_model(requests::About& about) {
  AskedModel model;
  if (about.digest().size() != model.digest.size())
    unsound(ReasonCode::malformed, "the request does not name a model");
  std::ranges::copy(bytes_of(about.digest()), model.digest.begin());
  model.copy = std::move(*about.mutable_signed_model());
  return model;
}

Matrix points_of(const requests::Predict& body, const Terms& terms) {
  const std::size_t inputs = width(terms.inputs);
  if (body.points() < 1 || body.points() > terms.limits.points ||
      static_cast<std::uint64_t>(body.values_size()) != body.points() * inputs)
    unsound(ReasonCode::outside_agreement,
            fmt::format("a request must have 1 to {} points of {} inputs each", terms.limits.points, inputs));
  Matrix points = Eigen::Map<const Matrix>(body.values().data(), static_cast<Index>(body.points()),
                                           static_cast<Index>(inputs));
  try {
    check_points(terms, points);
  } catch (const InputError&) {  // another party's points must not appear in the log
    unsound(ReasonCode::outside_agreement, "a point is outside the charter's ranges or levels");
  }
  return points;
}

void check_time(const std::string& text) {
  const auto time = parse_utc(text);
  const UtcTime now = utc_now();
  if (!time) unsound(ReasonCode::wrong_time, "the request has no valid time");
  if (*time <= now + most_ahead && *time >= now - most_behind) return;
  const bool ahead = *time > now;
  const auto apart = std::chrono::round<std::chrono::seconds>(ahead ? *time - now : now - *time).count();
  unsound(
      ReasonCode::wrong_time,
      fmt::format("the request's time is {} s {} this machine's clock; requests may be at most five minutes "
                  "ahead and a day behind. Set both clocks right",
                  apart, ahead ? "ahead of" : "behind"),
      static_cast<std::uint64_t>(apart));
}

TypedRequest fit_in(const std::string& body) {
  auto message = parsed<requests::Fit>(body);
  std::array<std::byte, 16> name{};
  if (!from_hex(message.fit(), name)) unsound(ReasonCode::malformed, "the name of the fit is invalid");
  check_time(message.fitted_at());
  return {message.ask(), FitRequest{.version = message.version(),
                                    .fit = message.fit(),
                                    .fitted_at = message.fitted_at(),
                                    .without = {message.without().begin(), message.without().end()},
                                    .automatic = message.automatic()}};
}

TypedRequest predict_in(const std::string& body, const Terms& terms) {
  auto message = parsed<requests::Predict>(body);
  Matrix points = points_of(message, terms);
  return {message.ask(), PredictRequest{asked_model(*message.mutable_about()), std::move(points)}};
}

TypedRequest evaluate_in(const std::string& body) {
  auto message = parsed<requests::Evaluate>(body);
  return {message.ask(), EvaluateRequest{asked_model(*message.mutable_about())}};
}

void put(const AskedModel& model, requests::About& about) {
  about.set_digest(model.digest.data(), model.digest.size());
  about.set_signed_model(model.copy);
}

requests::Fit message_of(const FitRequest& fit) {
  requests::Fit message;
  message.set_version(fit.version);
  message.set_fit(fit.fit);
  message.set_fitted_at(fit.fitted_at);
  for (const std::string& name : fit.without) message.add_without(name);
  message.set_automatic(fit.automatic);
  return message;
}

requests::Predict message_of(const PredictRequest& predict) {
  requests::Predict message;
  put(predict.about, *message.mutable_about());
  message.set_points(static_cast<std::uint64_t>(predict.points.rows()));
  message.mutable_values()->Add(predict.points.data(), predict.points.data() + predict.points.size());
  return message;
}

requests::Evaluate message_of(const EvaluateRequest& evaluate) {
  requests::Evaluate message;
  put(evaluate.about, *message.mutable_about());
  return message;
}

}  // namespace

RequestKind TypedRequest::kind() const {
  if (std::holds_alternative<FitRequest>(what)) return RequestKind::fit;
  return std::holds_alternative<PredictRequest>(what) ? RequestKind::predict : RequestKind::evaluate;
}

std::uint64_t TypedRequest::amount() const { return kind() == RequestKind::predict ? points() : 1; }

std::uint64_t TypedRequest::points() const {
  const auto* const predict = std::get_if<PredictRequest>(&what);
  return predict ? static_cast<std::uint64_t>(predict->points.rows()) : 0;
}

const AskedModel* TypedRequest::about() const {
  if (const auto* const predict = std::get_if<PredictRequest>(&what)) return &predict->about;
  const auto* const evaluate = std::get_if<EvaluateRequest>(&what);
  return evaluate ? &evaluate->about : nullptr;
}

Request encoded(const TypedRequest& request) {
  const auto body = [&](const auto& one) {
    auto message = message_of(one);
    message.set_ask(request.ask);
    return message.SerializeAsString();
  };
  return {to_string(request.kind()), std::visit(body, request.what)};
}

TypedRequest decoded(const Request& request, const Terms& terms) {
  if (request.kind == to_string(RequestKind::fit)) return fit_in(request.body);
  if (request.kind == to_string(RequestKind::predict)) return predict_in(request.body, terms);
  if (request.kind == to_string(RequestKind::evaluate)) return evaluate_in(request.body);
  unsound(ReasonCode::malformed, "the kind of the request is unknown");
}

}  // namespace tacit
