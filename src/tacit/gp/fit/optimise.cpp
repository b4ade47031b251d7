#include "tacit/gp/fit/optimise.hpp"

#include <fmt/format.h>
#include <nlopt.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "tacit/base/error.hpp"
#include "tacit/base/stop.hpp"

namespace tacit {

std::string to_string(EndOf end) {
  switch (end) {
    case EndOf::value_settled:
      return "the likelihood no longer rises";
    case EndOf::point_settled:
      return "the parameters no longer move";
    case EndOf::no_better_point:
      return "no better point was found along the last direction";
    case EndOf::too_many_evaluations:
      return "the allowed number of evaluations was used up";
  }
  return "";
}

// One run of NLopt over the known answers.
struct Maximiser::Replay {
  const std::vector<Answer>& answers;
  nlopt_opt optimiser;
  std::size_t used = 0;
  std::vector<double> asked = {};  // the first point without an answer
  bool strayed = false;            // NLopt asked for other points than in the previous run

  // NLopt may call once more before it stops. The value that it then receives is not used.
  static double answer(unsigned n, const double* point, double* slope, void* data) {
    Replay& replay = *static_cast<Replay*>(data);
    const bool known = replay.used < replay.answers.size() && !replay.strayed;
    const Answer* next = known ? &replay.answers[replay.used++] : nullptr;
    if (next && !std::equal(point, point + n, next->point.begin())) {
      replay.strayed = true;
      next = nullptr;
    }
    if (!next) {
      if (replay.asked.empty()) replay.asked.assign(point, point + n);
      nlopt_force_stop(replay.optimiser);
      if (slope) std::fill_n(slope, n, 0.0);
      return 0;
    }
    if (slope) std::copy(next->slope.begin(), next->slope.end(), slope);
    return next->value;
  }
};

Maximiser::Maximiser(std::vector<double> start, std::vector<double> low, std::vector<double> high,
                     MaximiserLimits limits)
    : start_(std::move(start)), low_(std::move(low)), high_(std::move(high)), limits_(limits) {
  for (std::size_t k = 0; k < start_.size(); ++k)
    if (!(low_[k] <= start_[k] && start_[k] <= high_[k]))
      throw InputError(
          fmt::format("the search starts at {:g}, outside its bounds [{:g}, {:g}]; move the start", start_[k],
                      low_[k], high_[k]));
}

std::optional<std::vector<double>> Maximiser::next() {
  leave_if_stopped();
  if (end_) return std::nullopt;
  if (answers_.size() >= limits_.most_evaluations) {
    end_ = EndOf::too_many_evaluations;
    return std::nullopt;
  }
  const auto size = static_cast<unsigned>(start_.size());
  const std::unique_ptr<std::remove_pointer_t<nlopt_opt>, void (*)(nlopt_opt)> optimiser(
      nlopt_create(NLOPT_LD_LBFGS, size), &nlopt_destroy);
  Replay replay{answers_, optimiser.get()};
  nlopt_set_max_objective(optimiser.get(), &Replay::answer, &replay);
  nlopt_set_lower_bounds(optimiser.get(), low_.data());
  nlopt_set_upper_bounds(optimiser.get(), high_.data());
  nlopt_set_ftol_abs(optimiser.get(), limits_.value_tolerance);
  nlopt_set_xtol_abs1(optimiser.get(), limits_.point_tolerance);
  // By default, NLopt allocates and clears memory for a million numbers in every run. It stores at most one
  // step for each answer, so this size does not change the result.
  nlopt_set_vector_storage(optimiser.get(), static_cast<unsigned>(answers_.size()) + 2);
  std::vector<double> point = start_;
  double value = 0;
  const nlopt_result result = nlopt_optimize(optimiser.get(), point.data(), &value);

  if (replay.strayed) throw Error("the optimiser chose other points for the same values; please report this");
  if (!replay.asked.empty()) {
    asked_ = replay.asked;
    return asked_;
  }
  if (result == NLOPT_INVALID_ARGS || result == NLOPT_OUT_OF_MEMORY)
    throw Error(fmt::format("the optimiser failed: {}", nlopt_result_to_string(result)));
  end_ = result == NLOPT_XTOL_REACHED                              ? EndOf::point_settled
         : result == NLOPT_FTOL_REACHED || result == NLOPT_SUCCESS ? EndOf::value_settled
                                                                   : EndOf::no_better_point;
  return std::nullopt;
}

void Maximiser::tell(double value, std::vector<double> slope) {
  const bool finite = std::isfinite(value) && std::all_of(slope.begin(), slope.end(),
                                                          [](double part) { return std::isfinite(part); });
  if (!finite)
    throw Error(
        "the likelihood or its slope is not finite at a point of the search; narrow the search bounds "
        "(tune-box)");
  answers_.push_back({asked_, value, std::move(slope)});
}

}  // namespace tacit
