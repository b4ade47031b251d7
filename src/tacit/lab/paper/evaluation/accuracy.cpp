#include "tacit/lab/paper/evaluation/accuracy.hpp"

#include <cmath>
#include <limits>

#include "tacit/graph/generators.hpp"
#include "tacit/lab/study/study.hpp"
#include "tacit/protocol/consensus/consensus.hpp"

namespace tacit {
namespace {

constexpr std::size_t accuracy_agents = 20;
const std::vector<std::size_t> shown{1,   2,   3,   4,   5,   6,   8,   10,  13,  16, 20,
                                     25,  30,  35,  40,  45,  50,  60,  70,  80,  90, 100,
                                     120, 140, 160, 180, 200, 230, 260, 300, 350, 400};

// Applies the paper's metric to β and γ of Theorem 4 at all test points and outputs.
void set_floors(const Prediction& plain, AccuracyCurve& curve) {
  double mean = 0, variance = 0;
  for (Index k = 0; k < plain.latent_variance.size(); ++k) {
    const double v = plain.latent_variance.data()[k];
    if (!precision_suffices(curve.lz, v)) {
      ++curve.points_without_floor;
      continue;
    }
    const double beta = beta_bound(curve.lz, v, std::abs(plain.mean.data()[k]) / v);
    const double gamma = gamma_bound(curve.lz, v);
    mean += beta * beta;
    variance += gamma * gamma;
  }
  const double points = static_cast<double>(plain.latent_variance.rows());
  const double none = std::numeric_limits<double>::infinity();
  curve.floor_mean = curve.points_without_floor ? none : std::sqrt(mean / points);
  curve.floor_variance = curve.points_without_floor ? none : std::sqrt(variance / points);
}

std::size_t rises(const std::vector<double>& rmse, double floor) {
  std::size_t count = 0;
  for (std::size_t k = 1; k < rmse.size(); ++k) count += rmse[k] > rmse[k - 1] && rmse[k] > floor;
  return count;
}

AccuracyCurve run_curve(const DataSet& data, const PlainResult& plain, PlanRequest request, double lz,
                        const ReproduceSettings& settings) {
  AccuracyCurve curve;
  curve.data = data.name;
  curve.lz = lz;
  curve.iterations = shown;
  request.lz = lz;
  request.iterations = shown.back();
  const Graph graph = ring_lattice(accuracy_agents, 4);
  curve.plan = make_plan(graph, request);
  Simulator simulator(graph, {.threads = settings.used_threads(),
                              .seed = settings.seed,
                              .network = {},
                              .coalition = {},
                              .progress = nullptr});
  const auto averages = simulator.run<std::vector<Values>>([&](Run& net) {
    Values z = contribution(poe_evidence(plain.alone[net.self()]), {});
    for (double& value : z) value *= static_cast<double>(accuracy_agents);  // (init)
    return averages_at(net, curve.plan, std::move(z), shown);
  });
  for (std::size_t k = 0; k < shown.size(); ++k) {
    std::vector<Prediction> predictions;
    for (const auto& agent : averages)
      predictions.push_back(
          fuse(Fusion::poe, from_sums(agent[k], plain.fused.mean.rows(), plain.fused.mean.cols(), {}), {}));
    curve.rmse_mean.push_back(paper_rmse(predictions, &Prediction::mean, plain.fused.mean));
    curve.rmse_variance.push_back(
        paper_rmse(predictions, &Prediction::latent_variance, plain.fused.latent_variance));
  }
  set_floors(plain.fused, curve);
  curve.rises_mean = rises(curve.rmse_mean, curve.floor_mean);
  curve.rises_variance = rises(curve.rmse_variance, curve.floor_variance);
  return curve;
}

}  // namespace

bool AccuracyCurve::reaches_floor() const {
  return rmse_mean.back() <= floor_mean && rmse_variance.back() <= floor_variance;
}

Task<std::vector<Values>> averages_at(Run& net, ConsensusPlan plan, Values z,
                                      std::vector<std::size_t> iterations) {
  // Decoding and encoding preserve a state to the bit, so a run can be divided at any iteration.
  std::vector<Values> seen;
  std::size_t done = 0;
  for (const std::size_t t : iterations) {
    plan.iterations = t - done;
    z = co_await secure_average(net, plan, std::move(z));
    seen.push_back(z);
    done = t;
  }
  co_return seen;
}

std::vector<AccuracyCurve> reproduce_accuracy(const std::vector<DataSet>& data,
                                              const ReproduceSettings& settings) {
  if (settings.progress) settings.progress->begin("accuracy", 4 * data.size());
  const auto advance = [&] {
    if (settings.progress) ++settings.progress->done;
  };
  std::vector<AccuracyCurve> curves;
  for (const DataSet& set : data) {
    const OutputHyperparameters shared = tuned_hyperparameters(set, settings);
    advance();
    const Parties parties = deal(set, accuracy_agents, settings.seed);
    const PlainResult plain = plain_gpr(parties, shared, settings);
    for (const double lz : {1.0, 1e-2, 1e-4}) {
      curves.push_back(run_curve(set, plain, prediction_request(parties, shared), lz, settings));
      advance();
    }
  }
  return curves;
}

}  // namespace tacit
