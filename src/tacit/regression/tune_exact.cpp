#include "tacit/regression/tune_exact.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <random>

#include "tacit/base/error.hpp"
#include "tacit/gp/kernel/bounds.hpp"

namespace tacit {
namespace {

constexpr double step = 0x1p-28;        // published logarithms are whole multiples of it
constexpr double trial_unit = 0x1p-40;  // 2048 of these fit in half a step: no sum's error tips the rounding

using Point = std::vector<double>;  // Prior::logarithms() of the first output, then of the next; or of all

double on_grid(double log) { return step * std::round(log / step); }

Point logarithms(const Priors& all, bool shared) {
  Point point;
  for (std::size_t k = 0; k < (shared ? 1 : all.size()); ++k)
    for (double log : all[k].logarithms()) point.push_back(on_grid(log));
  return point;
}

// The priors at a point, with the kernels of the given ones.
Priors priors_at(const Priors& form, const Point& point, bool shared) {
  Priors all;
  std::span<const double> rest = point;
  for (const Prior& prior : form) {
    const std::size_t size = prior.kernel.parameters() + 1;
    all.push_back(prior.at(rest.first(size)));
    if (!shared) rest = rest.subspan(size);
  }
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
  Search(const ExactTuneOptions& options, const Priors& start, double rows)
      : options_(options),
        rows_(rows),
        start_(logarithms(start, options.shared)),
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

Values answer(const Likelihood& mine) {
  Values values{mine.value};
  values.insert(values.end(), mine.slopes.begin(), mine.slopes.end());
  return values;
}

}  // namespace

void check(const ExactTuneOptions& options, const Priors& start) {
  if (!(options.box_low > 0) || !(options.box_high > options.box_low) || !std::isfinite(options.box_high))
    throw InputError(fmt::format("the box (--tune-box) needs 0 < low < high, not {},{}", options.box_low,
                                 options.box_high));
  if (options.limits.most_evaluations == 0)
    throw InputError("tuning with 0 evaluations does nothing; use --tune none instead");
  for (const Prior& prior : start) {
    const std::vector<std::string> names = prior.names();
    for (std::size_t k = 0; k < names.size(); ++k)
      if (const double value = std::exp(prior.logarithms()[k]);
          !(value >= options.box_low * (1 - 1e-12) && value <= options.box_high * (1 + 1e-12)))
        throw InputError(
            fmt::format("tuning would start with {} = {:g}, outside the box [{:g}, {:g}]; move the start or "
                        "widen --tune-box",
                        names[k], value, options.box_low, options.box_high));
  }
}

SumShape trial_sum(const Priors& start, const ExactTuneOptions& options) {
  const double bound =
      std::max({std::abs(std::log(options.box_low)), std::abs(std::log(options.box_high)),
                static_cast<double>(options.restarts), static_cast<double>(EndOf::too_many_evaluations)});
  return {logarithms(start, options.shared).size() + 2, {bound + 1, trial_unit}};
}

SumShape likelihood_sum(const TuneFacts& facts, const ExactTuneOptions& options, const Priors& trial) {
  const double n = static_cast<double>(facts.rows);
  double value = 0, slope = n, slopes = 0;
  for (const Prior& prior : trial) {
    const KernelBounds kernel =
        kernel_bounds(prior.kernel, static_cast<Index>(facts.inputs), facts.input_max);
    const double noise = prior.noise * prior.noise, ratio = kernel.high / noise;
    // yᵀ(K + σ²I)⁻¹y ≤ |y|²/σ². σ²ᴺ ≤ |K + σ²I| ≤ (k + σ²)ᴺ, from the eigenvalues and their mean.
    const double fit = n * facts.output_max * facts.output_max / noise;
    const double volume = std::max(std::abs(std::log(noise)), std::abs(std::log(noise * (1 + ratio))));
    value += (fit + n * (volume + std::log(2 * std::numbers::pi))) / 2;
    // dK/d(log θ) has entries of at most s, so a norm of at most sN and a nuclear norm of √N times that. The
    // slope in log σ_ε is below max(fit, N).
    double steepest = 0;
    for (double s : kernel.slopes) steepest = std::max(steepest, s);
    slope = std::max({slope, fit, n * steepest / noise * (fit + std::sqrt(n)) / 2});
    slopes += slope;  // shared priors add up over outputs
  }
  const double most = std::max(value, options.shared ? slopes : slope);
  return {1 + logarithms(trial, options.shared).size(),
          {std::exp2(std::ceil(std::log2(most) + 1e-6)), 0x1p-30}};
}

Task<ExactTuning> tune_exactly(Channel& net, const SecureSum& secure_sum, const TuneFacts& facts,
                               const ExactTuneOptions& options, const LocalExperts& mine, Priors start,
                               std::function<void(const ExactTuning&)> watch) {
  for (Prior& prior : start) prior = checked_prior(prior, static_cast<Index>(facts.inputs));
  if (options.originator >= net.neighbourhood().agents)
    throw InputError(fmt::format("agent {} cannot be the originator: there are {} agents, numbered from 0",
                                 options.originator, net.neighbourhood().agents));
  std::optional<Search> search;
  if (net.self() == options.originator)
    search.emplace(options, start, static_cast<double>(net.neighbourhood().agents * facts.rows));
  const SumShape published = trial_sum(start, options);
  ExactTuning result;
  while (true) {
    Values said = search ? encode(search->next()) : Values(published.dimension);
    const Notice notice = decode(co_await secure_sum.sum(net, std::move(said), published.range));
    if (notice.end) {
      const auto tried = std::find_if(result.trials.begin(), result.trials.end(), [&](const Trial& trial) {
        return logarithms(trial.priors, options.shared) == notice.point;
      });
      if (tried == result.trials.end())
        throw Error("tuning ended at a point that was never tried; the sums have not converged");
      result.best = *tried;
      result.end = *notice.end;
      co_return result;
    }
    Priors trial = priors_at(start, notice.point, options.shared);
    const SumRange range = likelihood_sum(facts, options, trial).range;
    const Values total = co_await secure_sum.sum(net, answer(mine.likelihood(trial, options.shared)), range);
    result.trials.push_back({notice.search, std::move(trial), total[0]});
    if (!search) continue;
    search->tell(total);
    if (watch) watch(result);
  }
}

}  // namespace tacit
