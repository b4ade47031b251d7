#include "tacit/consortium/tune/tune_exact.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>
#include <optional>
#include <random>

#include "tacit/base/error.hpp"
#include "tacit/base/rounded.hpp"
#include "tacit/protocol/run/statement.hpp"

namespace tacit {
namespace {

constexpr double step = 0x1p-28;  // published logarithms are multiples of it

using Point =
    std::vector<double>;  // Prior::logarithms() of the first output, then of the next; or of the shared prior

double on_grid(double log) { return step * std::round(log / step); }

Point logarithms(const Priors& all, bool shared) {
  Point point;
  for (std::size_t k = 0; k < (shared ? 1 : all.size()); ++k)
    for (double log : all[k].logarithms()) point.push_back(on_grid(log));
  return point;
}

// Returns the priors at a point, with the kernels of `form`.
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

// Rounds the numbers of a model, which must be equal at all agents.
Prior rounded(const Prior& prior) {
  std::vector<double> numbers = prior.kernel.numbers();
  for (double& number : numbers) number = tacit::rounded(number);
  return {prior.kernel.with(numbers), tacit::rounded(prior.noise)};
}

// What the originator publishes: a trial of a search or, if `end` is set, the result.
struct Notice {
  Point point;
  std::size_t search = 0;
  std::optional<EndOf> end = {};
};

// On the wire as integers, so that all agents read the same.
std::vector<std::byte> encode(const Notice& notice) {
  std::vector<std::int64_t> numbers;
  for (const double log : notice.point) numbers.push_back(std::llround(log / step));
  numbers.push_back(static_cast<std::int64_t>(notice.search));
  numbers.push_back(notice.end ? static_cast<std::int64_t>(*notice.end) : 0);
  const auto bytes = std::as_bytes(std::span(numbers));
  return {bytes.begin(), bytes.end()};
}

Notice decode(AgentId originator, std::span<const std::byte> bytes, std::size_t size) {
  std::vector<std::int64_t> numbers(size + 2);
  if (bytes.size() != numbers.size() * sizeof(std::int64_t))
    throw Misbehaviour(originator,
                       fmt::format("agent {} published a trial of {} bytes", originator, bytes.size()));
  std::memcpy(numbers.data(), bytes.data(), bytes.size());
  Notice notice;
  for (std::size_t k = 0; k < size; ++k) notice.point.push_back(step * static_cast<double>(numbers[k]));
  notice.search = static_cast<std::size_t>(numbers[size]);
  if (numbers[size + 1]) notice.end = static_cast<EndOf>(numbers[size + 1]);
  return notice;
}

// The lower limits by coordinate.
Point lows(const ExactTuneOptions& options, const Priors& start) {
  Point all;
  for (std::size_t k = 0; k < (options.shared ? 1 : start.size()); ++k)
    for (const auto& [low, high] : search_box(options, start[k]))
      all.push_back(step * std::ceil(std::log(low) / step));
  return all;
}

double high(const ExactTuneOptions& options) { return step * std::floor(std::log(options.box_high) / step); }

// Runs all searches one after the other and keeps the best point so far. Agents with the same totals compute
// the same points.
class Search {
 public:
  Search(const ExactTuneOptions& options, const Priors& start, double rows)
      : options_(options),
        rows_(rows),
        start_(logarithms(start, options.shared)),
        low_(lows(options, start)),
        high_(start_.size(), high(options)),
        random_(options.seed) {
    for (std::size_t k = 0; k < start_.size(); ++k) start_[k] = std::clamp(start_[k], low_[k], high_[k]);
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

  /// Takes the requested point as it was published: on another machine its last digit may differ.
  void take(const Notice& published) { asked_ = published; }

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
  // Uses the likelihood per row: the first step is as long as the slope, and the slope of many rows would
  // leave the box.
  void climb(const Point& from) {
    MaximiserLimits limits = options_.limits;
    limits.value_tolerance /= rows_;
    climb_.emplace(from, low_, high_, limits);
  }

  Point elsewhere() {
    Point point = start_;
    for (std::size_t k = 0; k < point.size(); ++k) {  // the same draws with every standard library
      const double share = static_cast<double>(random_() >> 11) * 0x1p-53;
      point[k] = on_grid(std::clamp(point[k] + (2 * share - 1) * std::numbers::ln10, low_[k], high_[k]));
    }
    return point;
  }

  const ExactTuneOptions& options_;
  double rows_;  // an upper bound on the rows of all agents
  Point start_, low_, high_;
  std::mt19937_64 random_;
  std::optional<Maximiser> climb_;
  std::size_t search_ = 0;
  Notice asked_, best_;
  double best_value_ = 0;
};

// The originator's published trial must equal the one that this agent has computed, up to one step of the
// grid.
void check_same(AgentId originator, const Notice& published, const Notice& own) {
  bool same = published.search == own.search && published.end == own.end;
  for (std::size_t k = 0; k < own.point.size(); ++k)
    same = same && std::abs(published.point[k] - own.point[k]) < 1.5 * step;
  if (!same)
    throw Misbehaviour(originator, fmt::format("agent {} published a trial that does not follow from the "
                                               "totals, so its search is not the agreed one",
                                               originator));
}

// With a protocol whose totals differ between agents, the originator's search is used. It must stay in the
// box and within the number of trials.
void check_allowed(AgentId originator, const Notice& published, const ExactTuneOptions& options,
                   const Point& low, std::size_t trials) {
  bool allowed = published.search <= options.restarts &&
                 (published.end || trials < (options.restarts + 1) * options.limits.most_evaluations);
  for (std::size_t k = 0; k < low.size(); ++k)
    allowed = allowed && published.point[k] >= low[k] && published.point[k] <= high(options);
  if (!allowed)
    throw Misbehaviour(
        originator,
        fmt::format("agent {} published a trial outside the box, or more trials than agreed", originator));
}

}  // namespace

std::vector<std::pair<double, double>> search_box(const ExactTuneOptions& options, const Prior& prior) {
  std::vector<std::pair<double, double>> box;
  const std::vector<std::string> names = prior.names();
  for (std::size_t n = 0; n < names.size(); ++n) {
    const bool noise = n + 1 == names.size();
    const bool lengthscale = names[n].find(".lengthscale") != std::string::npos;
    const double own = noise ? options.noise_low : lengthscale ? options.lengthscale_low : 0;
    box.emplace_back(std::max(options.box_low, own), options.box_high);
  }
  return box;
}

void check(const ExactTuneOptions& options, const Priors& start) {
  if (!(options.box_low > 0) || !(options.box_high > options.box_low) || !std::isfinite(options.box_high))
    throw InputError(fmt::format("the box (`tune_box`) needs 0 < low < high, not {},{}", options.box_low,
                                 options.box_high));
  for (const auto& [floor, name] :
       {std::pair(options.noise_low, "`noise_floor`"), {options.lengthscale_low, "`lengthscale_floor`"}})
    if (!(floor >= 0 && floor < options.box_high))
      throw InputError(fmt::format("{} must be at least 0 and below the upper end {:g} of the box, not {:g}",
                                   name, options.box_high, floor));
  if (options.limits.most_evaluations == 0)
    throw InputError("tuning with 0 evaluations does nothing; use `tune=none` instead");
  for (const Prior& prior : start) {
    const std::vector<std::string> names = prior.names();
    for (std::size_t k = 0; k < names.size(); ++k)
      if (const double value = std::exp(prior.logarithms()[k]);
          !(value >= options.box_low * (1 - 1e-12) && value <= options.box_high * (1 + 1e-12)))
        throw InputError(
            fmt::format("tuning would start with {} = {:g}, outside the box [{:g}, {:g}]; move the start or "
                        "widen `tune_box`",
                        names[k], value, options.box_low, options.box_high));
  }
}

Task<ExactTuning> tune_exactly(Run& net, const SecureSum& secure_sum, const Objective& objective,
                               const ExactTuneOptions& options, Priors start,
                               std::function<void(const ExactTuning&)> watch) {
  const TuneFacts& facts = objective.facts();
  for (Prior& prior : start) prior = checked_prior(prior, static_cast<Index>(facts.inputs));
  if (options.originator >= net.neighbourhood().agents)
    throw InputError(fmt::format("agent {} cannot be the originator: there are {} agents, numbered from 0",
                                 options.originator, net.neighbourhood().agents));
  // If all agents hold the same totals, each runs the search. Otherwise only the originator does.
  std::optional<Search> search;
  if (secure_sum.same_for_all() || net.self() == options.originator)
    search.emplace(options, start, static_cast<double>(net.neighbourhood().agents * facts.rows));
  const Point low = lows(options, start);
  ExactTuning result;
  while (true) {
    const Notice own = search ? search->next() : Notice{};
    std::vector<std::byte> bytes = search ? encode(own) : std::vector<std::byte>();
    bytes = co_await publish(net, options.originator, Step::notice, std::move(bytes));
    net.transcript().fold("trial", bytes);
    const Notice notice = decode(options.originator, bytes, low.size());
    if (search)
      check_same(options.originator, notice, own);
    else
      check_allowed(options.originator, notice, options, low, result.trials.size());
    if (notice.end) {
      const auto tried = std::find_if(result.trials.begin(), result.trials.end(), [&](const Trial& trial) {
        return logarithms(trial.priors, options.shared) == notice.point;
      });
      if (tried == result.trials.end())
        throw Misbehaviour(options.originator, "tuning ended at a point that was never tried");
      result.best = *tried;
      for (Prior& prior : result.best.priors) prior = rounded(prior);
      result.end = *notice.end;
      co_return result;
    }
    Priors trial = priors_at(start, notice.point, options.shared);
    Evaluated found = co_await objective.evaluate(net, secure_sum, options, trial);
    result.trials.push_back({notice.search, std::move(trial), found.total[0], found.own});
    if (search) {
      search->take(notice);
      search->tell(found.total);
    }
    if (watch) watch(result);
  }
}

Task<ExactTuning> tune_exactly(Run& net, const SecureSum& secure_sum, const TuneFacts& facts,
                               const ExactTuneOptions& options, const LocalExperts& mine, Priors start,
                               std::function<void(const ExactTuning&)> watch) {
  const LocalObjective objective(facts, mine);
  Task<ExactTuning> search =
      tune_exactly(net, secure_sum, objective, options, std::move(start), std::move(watch));
  co_return co_await std::move(search);
}

}  // namespace tacit
