#include "tacit/lab/audit/landmark_audit.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tacit/base/error.hpp"

namespace tacit {
namespace {

double part(std::size_t some, std::size_t all) {
  return static_cast<double>(some) / static_cast<double>(all);
}

std::string landmarks(std::size_t count) {
  return fmt::format("{} landmark{}", count, count == 1 ? "" : "s");
}

std::string percent(double share) {
  return share < 1 ? fmt::format("{:.3g} %", 100 * share) : fmt::format("{:.0f} %", 100 * share);
}

}  // namespace

std::size_t LandmarkAudit::opened() const {
  return shape.landmarks * (shape.landmarks + 1) / 2 + shape.landmarks * outputs;
}
std::size_t LandmarkAudit::held() const { return shape.rows * (shape.inputs + outputs); }
double LandmarkAudit::share() const { return part(opened(), held()); }
std::size_t LandmarkAudit::rows_alone() const { return shape.rows / shape.agents; }
double LandmarkAudit::share_alone() const { return part(opened(), rows_alone() * (shape.inputs + outputs)); }
double LandmarkAudit::share_targets() const { return std::min(1., part(shape.landmarks, shape.rows)); }

LandmarkAudit audit_landmarks(LandmarkAudit asked, LandmarkAttackSettings settings) {
  const PoolShape& shape = asked.shape;
  if (shape.landmarks < 1)
    throw InputError("a model without landmarks opens no sum over them; give at least 1 landmark");
  if (shape.landmarks > shape.rows)
    throw InputError(fmt::format("{} are too many for {} rows; use at most one for each row",
                                 landmarks(shape.landmarks), shape.rows));
  if (shape.agents > shape.rows)
    throw InputError(fmt::format("{} rows are too few for {} agents; each agent needs at least one row",
                                 shape.rows, shape.agents));
  if (asked.outputs == 1 && asked.held() <= most_attacked) {
    // The time of a hop grows with the cube of this sum.
    settings.hops = std::min(settings.hops, 2'000 / (asked.opened() + asked.held()));
    asked.trial = try_landmark_attack(made_up_pool(shape, settings.seed), settings);
  }
  return asked;
}

std::vector<std::string> findings_in_words(const LandmarkAudit& report) {
  const bool above = report.shape.landmarks > report.ceiling;
  std::vector<std::string> found{fmt::format(
      "The sum opens {} as many numbers as all rows hold. This is {} the ceiling of a quarter ({}).",
      percent(report.share()), above ? "above" : "within", landmarks(report.ceiling))};
  if (report.shape.agents > 1)
    found.push_back(fmt::format(
        "If all other agents collude against one, the sum opens {} as many numbers as its {}.{}",
        percent(report.share_alone()),
        report.rows_alone() == 1 ? "single row holds" : fmt::format("{} rows hold", report.rows_alone()),
        report.share_alone() >= 1 ? " They may be able to compute its rows." : ""));
  found.push_back(
      report.share_targets() < 1
          ? fmt::format("An attacker who knows all inputs learns as much about the targets as {:.3g} "
                        "% of them reveal.",
                        100 * report.share_targets())
          : "An attacker who knows all inputs can compute all targets.");
  if (!report.trial) {
    found.push_back(
        fmt::format("No attack was run. Attacks cover only pools with one output that hold up to {} numbers.",
                    most_attacked));
    return found;
  }
  const LandmarkTrial& trial = *report.trial;
  found.push_back(fmt::format(
      "An attack on made-up rows of this shape found {:.0f} of {} rows to within {:g} % of a standard "
      "deviation, and the inputs of {:.0f} (random rows: {:.2g} and {:.2g}).",
      trial.fitted.found, report.shape.rows, 100 * found_within, trial.fitted.inputs_found,
      trial.chance.found, trial.chance.inputs_found));
  found.push_back(fmt::format(
      "The median distance between its rows and the true ones is {:.2f} standard deviations (random rows: "
      "{:.2f}). Its rows {} the opened numbers.",
      trial.fitted.median, trial.chance.median, trial.misfit < 2 ? "explain" : "do not yet explain"));
  found.push_back(fmt::format(
      "An attacker who starts near the true rows could determine {:.0f} of them. The uncertainty of the most "
      "exposed number would be {:.2g} standard deviations.",
      trial.within_reach(), trial.least_left));
  return found;
}

std::vector<std::string> advice_in_words(const LandmarkAudit& report) {
  std::vector<std::string> advice;
  if (report.shape.landmarks > report.ceiling)
    advice.push_back(report.ceiling == 0
                         ? std::string("Do not use landmarks: there are too few rows.")
                         : fmt::format("Use at most {}, or more rows.", landmarks(report.ceiling)));
  if (report.shape.agents > 1 && report.shape.landmarks > report.ceiling_alone)
    advice.push_back(fmt::format("If all other agents may collude against one, {}.",
                                 report.ceiling_alone == 0
                                     ? "do not use landmarks"
                                     : "use at most " + landmarks(report.ceiling_alone)));
  return advice;
}

}  // namespace tacit
