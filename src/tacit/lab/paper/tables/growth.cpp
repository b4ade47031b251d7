#include "tacit/lab/paper/tables/growth.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tacit/base/error.hpp"
#include "tacit/lab/paper/tables/rivals.hpp"

namespace tacit {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();
// M parties with the first rows of each party's share.
Parties cut(const DataSet& data, std::size_t agents, std::size_t rows, std::uint64_t seed) {
  Parties parties = deal(data, agents, seed);
  for (Samples& one : parties.agents)
    one = {one.inputs.topRows(static_cast<Index>(rows)).eval(),
           one.outputs.topRows(static_cast<Index>(rows)).eval()};
  return parties;
}

struct Sizes {
  std::size_t agents, rows;
};

using Method = std::function<Rival::Outcome(const Parties&)>;

// Returns nothing if the method stopped or refused; `growth` then states the reason.
std::optional<TableDraw> drawn(const Method& method, const Parties& parties, Growth& growth) try {
  const Rival::Outcome outcome = method(parties);
  if (outcome.stopped)
    growth.stopped = fmt::format("over {:g} s{}", growth_limit_seconds,
                                 outcome.stopped->before_the_total() ? " of preparation" : "");
  return outcome.draw;
} catch (const Error& refused) {  // the other methods continue
  growth.stopped = refused.what();
  growth.refused = true;
  return std::nullopt;
}

Growth measured(const DataSet& data, std::string name, bool with_agents, const std::vector<Sizes>& sizes,
                const Method& method, const ReproduceSettings& settings) {
  Growth growth{.data = data.name, .method = std::move(name), .with_agents = with_agents};
  std::vector<double> x, y;
  for (const Sizes& size : sizes) {
    const std::optional<TableDraw> draw =
        drawn(method, cut(data, size.agents, size.rows, settings.seed), growth);
    if (settings.progress) ++settings.progress->done;
    growth.points.push_back(
        {size.agents, size.rows, draw ? draw->total_work() : none, draw ? draw->total_longest() : none});
    if (!draw) break;  // larger sizes take longer or do not fit either
    x.push_back(static_cast<double>(with_agents ? size.agents : size.rows));
    y.push_back(draw->total_longest());
  }
  growth.exponent = fitted_exponent(x, y);
  return growth;
}

}  // namespace

double fitted_exponent(const std::vector<double>& x, const std::vector<double>& y) {
  if (x.size() < 2) return none;
  double mean_x = 0, mean_y = 0, both = 0, squares = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    mean_x += std::log(x[k]) / static_cast<double>(x.size());
    mean_y += std::log(y[k]) / static_cast<double>(x.size());
  }
  for (std::size_t k = 0; k < x.size(); ++k) {
    both += (std::log(x[k]) - mean_x) * (std::log(y[k]) - mean_y);
    squares += (std::log(x[k]) - mean_x) * (std::log(x[k]) - mean_x);
  }
  return both / squares;
}

std::vector<Growth> measure_growth(const DataSet& all, const OutputHyperparameters& shared,
                                   const ReproduceSettings& settings) {
  if (!settings.shares && !settings.ckks) return {};
  const DataSet data = first_output(all);
  const OutputHyperparameters first{shared[0]};
  std::vector<Sizes> more_agents, more_rows;
  for (const std::size_t agents : {5, 10, 20, 40}) more_agents.push_back({agents, 8});
  for (const std::size_t rows : {5, 10, 20, 35, 80, 160})
    if (rows <= data.train_rows / 10) more_rows.push_back({10, rows});

  std::vector<std::pair<std::string, Method>> methods;
  for (const char* name : {"as in the paper", "protocol exact"})
    methods.emplace_back(name, [&, name](const Parties& parties) -> Rival::Outcome {
      return {.draw = draw_once(parties, {parties.agents.size(), 4}, variant_named(name), first, settings,
                                settings.seed)};
    });
  for (const Rival& rival : rivals(settings))
    methods.emplace_back(rival.name, [&, rival](const Parties& parties) {
      return rival.run(parties, first, settings, settings.seed, growth_limit_seconds);
    });

  if (settings.progress)
    settings.progress->begin("growth", methods.size() * (more_agents.size() + more_rows.size()));
  std::vector<Growth> growths;
  for (const auto& [name, method] : methods) {
    growths.push_back(measured(data, name, true, more_agents, method, settings));
    growths.push_back(measured(data, name, false, more_rows, method, settings));
  }
  return growths;
}

}  // namespace tacit
