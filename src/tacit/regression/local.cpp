#include "tacit/regression/local.hpp"

#include <algorithm>

#include "tacit/gp/expert.hpp"

namespace tacit {
namespace {

bool same(const Hyperparameters& a, const Hyperparameters& b) {
  return a.lengthscale == b.lengthscale && a.signal == b.signal && a.noise == b.noise;
}

// Calls visit(first, count, expert) for every run of outputs that can share an expert.
template <class Visit>
void for_each_expert(const Samples& data, const OutputHyperparameters& hyperparameters, Visit&& visit) {
  for (Index first = 0, next = 0; first < data.outputs.cols(); first = next) {
    const Hyperparameters& h = hyperparameters[static_cast<std::size_t>(first)];
    for (next = first + 1;
         next < data.outputs.cols() && same(hyperparameters[static_cast<std::size_t>(next)], h);)
      ++next;
    visit(first, next - first, Expert::fit(data.inputs, data.outputs.middleCols(first, next - first), h));
  }
}

}  // namespace

LocalPrediction predict_alone(const Samples& data, const Matrix& points,
                              const OutputHyperparameters& hyperparameters) {
  LocalPrediction result;
  result.prediction = {Matrix(points.rows(), data.outputs.cols()),
                       Matrix(points.rows(), data.outputs.cols())};
  for_each_expert(data, hyperparameters, [&](Index first, Index count, const Expert& expert) {
    const Posterior posterior = expert.predict(points);
    result.prediction.mean.middleCols(first, count) = posterior.mean;
    result.prediction.variance.middleCols(first, count) = posterior.latent_variance.replicate(1, count);
    result.clamped += posterior.clamped;
    result.jitter = std::max(result.jitter, expert.jitter());
  });
  return result;
}

double local_likelihood(const Samples& data, const OutputHyperparameters& hyperparameters) {
  double sum = 0;
  for_each_expert(data, hyperparameters,
                  [&](Index, Index, const Expert& expert) { sum += expert.log_marginal_likelihood().sum(); });
  return sum;
}

OutputHyperparameters mean_hyperparameters(const std::vector<OutputHyperparameters>& agents) {
  OutputHyperparameters mean =
      agents[0];  // what differs from it is averaged, so that equal values stay exact
  const double share = 1 / static_cast<double>(agents.size());
  for (const auto& agent : agents)
    for (std::size_t k = 0; k < agent.size(); ++k) {
      mean[k].lengthscale += share * (agent[k].lengthscale - agents[0][k].lengthscale);
      mean[k].signal += share * (agent[k].signal - agents[0][k].signal);
      mean[k].noise += share * (agent[k].noise - agents[0][k].noise);
    }
  return mean;
}

}  // namespace tacit
