#include "tacit/lab/study/study_warnings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "tacit/gp/expert/prior_names.hpp"
#include "tacit/gp/fit/initial_prior.hpp"
#include "tacit/lab/study/data_terms.hpp"

namespace tacit {
namespace {

constexpr double far_away = 10;        // deviations
constexpr double clearly = 1.02;       // a larger ratio of errors is reported
constexpr std::size_t most_named = 3;  // columns or agents in a sentence, and sentences about columns

using Words = std::vector<std::string>;

std::string some(const Words& all) {
  const std::size_t shown = std::min(all.size(), most_named);
  return fmt::format("{}{}", fmt::join(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
                     all.size() > shown ? fmt::format(" and {} more", all.size() - shown) : "");
}

double median(Vector values) {
  const auto middle = values.begin() + values.size() / 2;
  std::ranges::nth_element(values, middle);
  return *middle;
}

// All cells of a column with two values, such as that of a level, are typical.
bool has_two_values(const Vector& values, double low, double high) {
  return std::ranges::all_of(values, [low, high](double v) { return v == low || v == high; });
}

// Median and deviation are robust, so that an outlier does not hide itself by a larger spread.
std::string outliers(const std::string& column, const char* kind, const Parties& parties, CellsOf part,
                     Index place) {
  const Vector values = cells_of(parties, part, place);
  const TargetRange& targets = parties.target_range;
  const auto [low, high] = part == CellsOf::outputs ? std::pair(targets.low(place), targets.high(place))
                                                    : std::pair(values.minCoeff(), values.maxCoeff());
  if (has_two_values(values, low, high)) return {};
  const double middle = median(values), deviation = data_scale_of(values, Matrix()).inputs(0);
  std::size_t count = 0;
  double furthest = middle;
  const std::string* whose = nullptr;
  Index first = 0;
  for (std::size_t i = 0; i < parties.count(); ++i) {
    const auto rows = static_cast<Index>(parties.rows_of(i)->rows());
    for (const double value : values.segment(first, rows)) {
      if (!(std::abs(value - middle) > far_away * deviation)) continue;
      ++count;
      if (std::abs(value - middle) <= std::abs(furthest - middle)) continue;
      furthest = value;
      whose = &parties.names[i];
    }
    first += rows;
  }
  if (!whose) return {};
  return fmt::format(
      "{} {}: {} of {} cells {} more than 10 deviations from the median, the furthest {} ({}); check its "
      "unit; if it marks a missing cell, use `missing_value={}:{}`; for a column with a long tail, consider "
      "the logarithm",
      kind, column, count, values.size(), count == 1 ? "is" : "are", furthest, *whose, column, furthest);
}

void warn_of_constant_targets(const Parties& parties, Words& all) {
  for (std::size_t t = 0; t < parties.columns.targets.size(); ++t) {
    const double low = parties.target_range.low(static_cast<Index>(t));
    if (low == parties.target_range.high(static_cast<Index>(t)))
      all.push_back(fmt::format("target {} is {} in all {} rows, so there is nothing to learn about it",
                                parties.columns.targets[t], low, parties.rows()));
  }
}

void warn_of_outliers(const Parties& parties, Words& all) {
  Words found, columns;
  const auto check_columns = [&](const Words& names, const char* kind, CellsOf part) {
    for (std::size_t c = 0; c < names.size(); ++c)
      if (std::string text = outliers(names[c], kind, parties, part, static_cast<Index>(c)); !text.empty()) {
        found.push_back(std::move(text));
        columns.push_back(names[c]);
      }
  };
  check_columns(parties.columns.targets, "target", CellsOf::outputs);
  check_columns(parties.columns.inputs, "input", CellsOf::inputs);
  const std::size_t shown = std::min(found.size(), most_named);
  all.insert(all.end(), found.begin(), found.begin() + static_cast<std::ptrdiff_t>(shown));
  if (found.size() > shown)
    all.push_back(fmt::format("{} more columns have such cells: {}", found.size() - shown,
                              some({columns.begin() + static_cast<std::ptrdiff_t>(shown), columns.end()})));
}

// What a number at a limit means, and a remedy.
std::string remedy(const PriorName& number, bool low, bool floor, double bound) {
  if (number.of_kernel == "noise" && low)
    return fmt::format("the target has less noise, so intervals are wider than necessary{}",
                       floor ? fmt::format("; `noise_floor={:g}` lowers the floor", bound / 5) : "");
  if (number.lengthscale() && low)
    return floor
               ? fmt::format("the target varies faster; `lengthscale_floor={:g}` lowers the floor", bound / 5)
               : "the target varies faster";
  if (number.lengthscale())
    return number.input ? "the target hardly depends on such inputs"
                        : "the target hardly depends on the inputs";
  return number.signal() && low ? "it explains almost nothing of the target"
                                : "a better model may exist beyond this limit";
}

std::string box_advice(double low, double high, bool at_low) {
  return fmt::format("`tune_box={:g},{:g}` widens the limits", at_low ? low / 10 : low,
                     at_low ? high : high * 10);
}

void warn_of_bounds(const Parties& parties, const StudyOptions& options, const StudyReport& report,
                    Words& all) {
  ExactTuneOptions search = options.tuning.search.value_or(ExactTuneOptions());
  if (options.paper_tuning) {
    search.box_low = options.paper_tuning->steps.box_low;
    search.box_high = options.paper_tuning->steps.box_high;
  } else if (!options.tuning.search) {
    return;
  }
  // The numbers with the same remedy.
  std::map<std::string, Words> at;
  const Priors found = mean_priors(report.model.priors);
  const std::size_t kinds = search.shared ? 1 : found.size();
  for (std::size_t t = 0; t < kinds; ++t) {
    const std::vector<PriorName> numbers = prior_names(found[t], parties.columns.inputs);
    const auto box = search_box(search, found[t]);
    for (std::size_t k = 0; k < numbers.size(); ++k) {
      const auto [low, high] = box[k];
      const bool at_low = numbers[k].value <= low * (1 + 1e-6),
                 at_high = numbers[k].value >= high * (1 - 1e-6);
      if (!at_low && !at_high) continue;
      if (options.paper_tuning && numbers[k].of_kernel == "noise") continue;  // the noise is not tuned
      const bool floor = at_low && low > search.box_low;
      const char* bound = floor ? "floor" : at_low ? "lower limit" : "upper limit";
      std::string why = fmt::format("at the {} {:g}: {}", bound, at_low ? low : high,
                                    remedy(numbers[k], at_low, floor, low));
      if (!floor && !(numbers[k].lengthscale() && at_high) && !(numbers[k].signal() && at_low))
        why += "; " + box_advice(search.box_low, search.box_high, at_low);
      at[why].push_back(kinds > 1 ? fmt::format("{} ({})", numbers[k].label, parties.columns.targets[t])
                                  : numbers[k].label);
    }
  }
  for (const auto& [why, numbers] : at) all.push_back(fmt::format("tuning left {} {}", some(numbers), why));
}

void warn_of_loss(const Parties& parties, const Accuracy& accuracy, const std::string& on, Words& all) {
  Words better;
  for (std::size_t i = 0; i < accuracy.local.size(); ++i) {
    const double alone = accuracy.local[i].rmse, home = accuracy.at_home[i].rmse,
                 together = accuracy.private_model.rmse;
    if (std::max(home, together) <= clearly * alone) continue;
    better.push_back(fmt::format("{} ({:.4g} alone, {:.4g} {})", parties.names[i], alone,
                                 std::max(home, together), home > together ? "at home" : "together"));
  }
  if (better.empty()) return;
  all.push_back(fmt::format(
      "{} of {} agents {} smaller errors alone than with the shared model{}, on these {} test rows: {}; "
      "this may be chance, or the rows of these agents differ from the others",
      better.size(), accuracy.local.size(), better.size() == 1 ? "has" : "have", on,
      parties.test.inputs.rows(), some(better)));
}

// A charter must allow this explicitly.
void warn_of_opened(const StudyReport& report, Words& all) {
  if (!report.model.landmarks || report.model.landmarks->landmarks <= report.model.landmarks->ceiling) return;
  all.push_back(fmt::format(
      "{} landmarks open {} numbers about rows that hold {}; more than {} need the charter's consent "
      "(landmarks_above_ceiling), because such sums may reveal rows",
      report.model.landmarks->landmarks, report.model.landmarks->opened, report.model.landmarks->held,
      report.model.landmarks->ceiling));
}

}  // namespace

std::vector<std::string> study_warnings(const Parties& parties, const StudyOptions& options,
                                        const StudyReport& report) {
  Words all;
  warn_of_constant_targets(parties, all);
  warn_of_outliers(parties, all);
  warn_of_bounds(parties, options, report, all);
  warn_of_opened(report, all);
  if (report.accuracy)
    for (std::size_t t = 0; t < parties.columns.targets.size(); ++t)
      warn_of_loss(parties, report.accuracy->by_target[t],
                   parties.columns.targets.size() > 1 ? " for " + parties.columns.targets[t] : "", all);
  return all;
}

}  // namespace tacit
