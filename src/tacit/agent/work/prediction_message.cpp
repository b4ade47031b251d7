#include "tacit/agent/work/prediction_message.hpp"

#include "tacit/base/error.hpp"

namespace tacit {

requests::Predicted message_of(const Prediction& found, const std::vector<Column>& targets) {
  requests::Predicted message;
  for (const Column& column : targets) message.add_targets(column.name);
  message.set_points(static_cast<std::uint64_t>(found.mean.rows()));
  const auto put = [](const Matrix& from, auto& to) { to.Add(from.data(), from.data() + from.size()); };
  put(found.mean, *message.mutable_mean());
  put(found.latent_variance, *message.mutable_latent_variance());
  put(found.observed_variance, *message.mutable_observed_variance());
  return message;
}

Prediction prediction_of(const requests::Predicted& message) {
  const auto points = static_cast<Index>(message.points()),
             targets = static_cast<Index>(message.targets_size());
  const auto matrix = [&](const auto& field) -> Matrix {
    if (field.size() != points * targets)
      throw Error("the agent's answer is incomplete; check that both run the same release");
    return Eigen::Map<const Matrix>(field.data(), points, targets);
  };
  return {matrix(message.mean()), matrix(message.latent_variance()), matrix(message.observed_variance())};
}

}  // namespace tacit
