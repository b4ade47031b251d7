#include "tacit/regression/tune_exact.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <random>

#include "tacit/base/error.hpp"
#include "tacit/gp/likelihood.hpp"

namespace tacit {
namespace {

constexpr double step = 0x1p-28;        // published logarithms are whole multiples of it
constexpr double trial_unit = 0x1p-40;  // 2048 of these fit in half a step: no sum's error tips the rounding

using Point = std::vector<double>;  // logarithms: θ_l, θ_s, σ_ε of the first output, then of the next

double on_grid(double log) { return step * std::round(log / step); }

Point logarithms(const OutputHyperparameters& all) {
  Point point;
  for (const Hyperparameters& h : all)
    for (double value : {h.lengthscale, h.signal, h.noise}) point.push_back(on_grid(std::log(value)));
  return point;
}

OutputHyperparameters parameters(const Point& point) {
  OutputHyperparameters all;
  for (std::size_t k = 0; k < point.size(); k += 3)
    all.push_back({std::exp(point[k]), std::exp(point[k + 1]), std::exp(point[k + 2])});
  return all;
}

// What the originator publishes: a trial of a search, or, with an end, the answer.
struct Notice {
  Point point;
  std::size_t search = 0;
  std::optional<EndOf> end = {};
};

Values encode(const Notice& notice) {
  Values values(notice.point.begin(), notice.point.end());
  values.push_back(static_cast<double>(notice.search));
  values.push_back(notice.end ? static_cast<double>(*notice.end) : 0);
  return values;
}

Notice decode(const Values& values) {
  Notice notice;
  for (std::size_t k = 0; k + 2 < values.size(); ++k) notice.point.push_back(on_grid(values[k]));
  notice.search = static_cast<std::size_t>(std::lround(values[values.size() - 2]));
  const long end = std::lround(values.back());
  if (end) notice.end = static_cast<EndOf>(end);
  return notice;
}

// The originator's part: all searches one after the other, and the best point so far.
class Search {
 public:
  Search(const ExactTuneOptions& options, const OutputHyperparameters& start, double rows)
      : options_(options),
        rows_(rows),
        start_(logarithms(start)),
        low_(start_.size(), step * std::ceil(std::log(options.box_low) / step)),
        high_(start_.size(), step * std::floor(std::log(options.box_high) / step)),
        random_(options.seed) {
    for (double& log : start_) log = std::clamp(log, low_[0], high_[0]);
    climb(start_);
  }

  Notice next() {
    while (true) {
      if (auto point = climb_->next()) {
        for (double& log : *point) log = on_grid(log);
        return asked_ = {std::move(*point), search_, {}};
      }
      if (best_.search == search_) best_.end = climb_->end();
      if (search_ == options_.restarts) return best_;
      ++search_;
      climb(elsewhere());
    }
  }

  void tell(const Values& total) {
    Point slope(total.begin() + 1, total.end());
    for (double& part : slope) part /= rows_;
    climb_->tell(total[0] / rows_, std::move(slope));
    if (best_.point.empty() || total[0] > best_value_) {
      best_ = asked_;
      best_value_ = total[0];
    }
  }

 private:
  // On the likelihood per row: the first step is as long as the slope, which for many rows' leaves the box.
  void climb(const Point& from) {
    MaximiserLimits limits = options_.limits;
    limits.value_tolerance /= rows_;
    climb_.emplace(from, low_, high_, limits);
  }

  Point elsewhere() {
    Point point = start_;
    for (double& log : point) {  // the same draw with every standard library
      const double share = static_cast<double>(random_() >> 11) * 0x1p-53;
      log = on_grid(std::clamp(log + (2 * share - 1) * std::numbers::ln10, low_[0], high_[0]));
    }
    return point;
  }

  const ExactTuneOptions& options_;
  double rows_;  // of all agents, about
  Point start_, low_, high_;
  std::mt19937_64 random_;
  std::optional<Maximiser> climb_;
  std::size_t search_ = 0;
  Notice asked_, best_;
  double best_value_ = 0;
};

// h_i summed over outputs, then its slopes in the logarithms.
Values local_answer(const Samples& mine, const OutputHyperparameters& trial) {
  Values values{0};
  for (std::size_t k = 0; k < trial.size(); ++k) {
    const Likelihood h =
        log_marginal_likelihood(mine.inputs, mine.outputs.col(static_cast<Index>(k)), trial[k]);
    values[0] += h.value;
    values.push_back(h.d_lengthscale * trial[k].lengthscale);
    values.push_back(h.d_signal * trial[k].signal);
    values.push_back(h.d_noise * trial[k].noise);
  }
  return values;
}

}  // namespace

void check(const ExactTuneOptions& options, const OutputHyperparameters& start) {
  if (!(options.box_low > 0) || !(options.box_high > options.box_low) || !std::isfinite(options.box_high))
    throw InputError(fmt::format("the box (--tune-box) needs 0 < low < high, not {},{}", options.box_low,
                                 options.box_high));
  if (options.limits.most_evaluations == 0)
    throw InputError("tuning with 0 evaluations does nothing; use --tune none instead");
  for (const Hyperparameters& h : start)
    for (double value : {h.lengthscale, h.signal, h.noise})
      if (!(value >= options.box_low && value <= options.box_high))
        throw InputError(fmt::format(
            "tuning would start at {:g}, outside the box [{:g}, {:g}]; move the start or widen --tune-box",
            value, options.box_low, options.box_high));
}

SumShape trial_sum(const TuneFacts& facts, const ExactTuneOptions& options) {
  const double bound =
      std::max({std::abs(std::log(options.box_low)), std::abs(std::log(options.box_high)),
                static_cast<double>(options.restarts), static_cast<double>(EndOf::too_many_evaluations)});
  return {3 * facts.outputs + 2, {bound + 1, trial_unit}};
}

SumShape likelihood_sum(const TuneFacts& facts, const OutputHyperparameters& trial) {
  const double n = static_cast<double>(facts.rows);
  double value = 0, slope = n;
  for (const Hyperparameters& h : trial) {
    const double noise = h.noise * h.noise, ratio = h.signal * h.signal / noise;
    // yᵀ(K + σ²I)⁻¹y ≤ |y|²/σ². σ²ᴺ ≤ |K + σ²I| ≤ (k + σ²)ᴺ, from the eigenvalues and their mean.
    const double fit = n * facts.output_max * facts.output_max / noise;
    const double volume = std::max(std::abs(std::log(noise)), std::abs(std::log(noise * (1 + ratio))));
    value += (fit + n * (volume + std::log(2 * std::numbers::pi))) / 2;
    // dK/d(log θ_l) has entries k d e^{−d/2} ≤ 2k/e, so a norm of at most 2kN/e and a nuclear norm of √N
    // times that. The slopes in log θ_s and log σ_ε are below max(fit, N).
    slope = std::max({slope, fit, n * ratio * (fit + std::sqrt(n)) / std::numbers::e});
  }
  return {1 + 3 * trial.size(), {std::exp2(std::ceil(std::log2(std::max(value, slope)) + 1e-6)), 0x1p-30}};
}

Task<ExactTuning> tune_exactly(Channel& net, const SecureSum& secure_sum, const TuneFacts& facts,
                               const ExactTuneOptions& options, const Samples& mine,
                               OutputHyperparameters start, std::function<void(const ExactTuning&)> watch) {
  if (options.originator >= net.neighbourhood().agents)
    throw InputError(fmt::format("agent {} cannot be the originator: there are {} agents, from 0",
                                 options.originator, net.neighbourhood().agents));
  std::optional<Search> search;
  if (net.self() == options.originator)
    search.emplace(options, start, static_cast<double>(net.neighbourhood().agents * facts.rows));
  const SumShape published = trial_sum(facts, options);
  ExactTuning result;
  while (true) {
    Values said = search ? encode(search->next()) : Values(published.dimension);
    const Notice notice = decode(co_await secure_sum.sum(net, std::move(said), published.range));
    if (notice.end) {
      const auto tried = std::find_if(result.trials.begin(), result.trials.end(), [&](const Trial& trial) {
        return logarithms(trial.hyperparameters) == notice.point;
      });
      if (tried == result.trials.end())
        throw Error("tuning ended at a point that was never tried; the sums have not converged");
      result.best = *tried;
      result.end = *notice.end;
      co_return result;
    }
    OutputHyperparameters trial = parameters(notice.point);
    const SumRange range = likelihood_sum(facts, trial).range;
    const Values total = co_await secure_sum.sum(net, local_answer(mine, trial), range);
    result.trials.push_back({notice.search, std::move(trial), total[0]});
    if (!search) continue;
    search->tell(total);
    if (watch) watch(result);
  }
}

}  // namespace tacit
