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
    throw InputError("without landmarks no sum over them is opened; ask about one or more");
  if (shape.landmarks > shape.rows)
    throw InputError(fmt::format("{} are more than the {} rows; a model needs no more than one for each row",
                                 landmarks(shape.landmarks), shape.rows));
  if (shape.agents > shape.rows)
    throw InputError(
        fmt::format("{} agents cannot share {} rows; every agent needs a row", shape.agents, shape.rows));
  if (asked.outputs == 1 && asked.held() <= most_attacked) {
    // A hop's time grows with the cube of this.
    settings.hops = std::min(settings.hops, 2'000 / (asked.opened() + asked.held()));
    asked.trial = try_landmark_attack(made_up_pool(shape, settings.seed), settings);
  }
  return asked;
}

std::vector<std::string> findings_in_words(const LandmarkAudit& report) {
  const bool above = report.shape.landmarks > report.ceiling;
  std::vector<std::string> found{fmt::format(
      "The sum opens {} of as many numbers as all rows hold, {} the ceiling of a quarter, which is {}.",
      percent(report.share()), above ? "above" : "within", landmarks(report.ceiling))};
  if (report.shape.agents > 1)
    found.push_back(
        fmt::format("To all other agents together it opens {} of as many as the last one's {} hold{}.",
                    percent(report.share_alone()),
                    report.rows_alone() == 1 ? "single row" : fmt::format("{} rows", report.rows_alone()),
                    report.share_alone() >= 1 ? ": they may work out its rows" : ""));
  found.push_back(
      report.share_targets() < 1
          ? fmt::format(
                "One who knows all inputs learns as much about targets as {:.3g} % of them would tell.",
                100 * report.share_targets())
          : "One who knows all inputs can work out all targets.");
  if (!report.trial) {
    found.push_back(fmt::format(
        "No attack was tried: it is for pools of one output that hold up to {} numbers.", most_attacked));
    return found;
  }
  const LandmarkTrial& trial = *report.trial;
  found.push_back(fmt::format(
      "An attack on made-up rows of this shape found {:.0f} of {} rows to within {:g} % of a standard "
      "deviation, and the inputs of {:.0f} (guessing without looking: {:.2g} and {:.2g}).",
      trial.fitted.found, report.shape.rows, 100 * found_within, trial.fitted.inputs_found,
      trial.chance.found, trial.chance.inputs_found));
  found.push_back(fmt::format(
      "Its median row is {:.2f} standard deviations off, a guessed one {:.2f}; what it fitted {} "
      "the opened numbers.",
      trial.fitted.median, trial.chance.median, trial.misfit < 2 ? "explains" : "does not yet explain"));
  found.push_back(fmt::format(
      "An attacker that is near the truth already could pin down {:.0f} rows; of the single number it "
      "knows best, {:.2g} standard deviations stay unknown.",
      trial.within_reach(), trial.least_left));
  return found;
}

std::vector<std::string> advice_in_words(const LandmarkAudit& report) {
  std::vector<std::string> advice;
  if (report.shape.landmarks > report.ceiling)
    advice.push_back(report.ceiling == 0
                         ? std::string("Use no landmarks: these rows are too few.")
                         : fmt::format("Use at most {}, or have more rows.", landmarks(report.ceiling)));
  if (report.shape.agents > 1 && report.shape.landmarks > report.ceiling_alone)
    advice.push_back(fmt::format(
        "If all other agents might work together against one, {}.",
        report.ceiling_alone == 0 ? "use no landmarks" : "use at most " + landmarks(report.ceiling_alone)));
  return advice;
}

}  // namespace tacit
