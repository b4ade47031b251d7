#include "tacit/cli/options/model_options.hpp"

#include <fmt/format.h>

#include <cmath>

#include "tacit/base/closest_name.hpp"
#include "tacit/base/error.hpp"
#include "tacit/cli/options/plan_options.hpp"
#include "tacit/cli/text/numbers.hpp"

namespace tacit::cli {

void ModelOptions::add_to(CLI::App& command, const char* group) {
  command
      .add_option("--kernel", kernel,
                  "constant, linear, se, matern12, matern32, matern52, rq or periodic, with -ard for one "
                  "length-scale per input, composed with + and *, such as \"se-ard + linear\"; numbers as in "
                  "\"se(lengthscale=2, signal=3)\"")
      ->capture_default_str()
      ->group(group);
  command
      .add_option(
          "--fusion", fusion,
          fmt::format("How experts combine: poe (product of experts, the paper's), gpoe, bcm or rbcm ({})",
                      fusion.empty() ? "rbcm; poe with --paper or the consensus" : fusion))
      ->group(group);
  command
      .add_option("--lengthscale", lengthscale,
                  "Length-scale θ_l of all inputs (1; √inputs when standardised)")
      ->group(group);
  command.add_option("--signal", signal, "Signal θ_s, the prior standard deviation (1)")->group(group);
  command.add_option("--noise", noise, "Noise σ_ε, its standard deviation (0.1; 0.5 when standardised)")
      ->group(group);
  command
      .add_option("--expert-rows", committee.expert_rows,
                  "The most rows of one expert; an agent with more rows has several experts")
      ->check(whole_number(1, 1'000'000))
      ->capture_default_str()
      ->group(group);
  command
      .add_option(
          "--expert-split", expert_split,
          "How an agent's rows go to its experts: random, or clusters (bisecting k-means on the inputs)")
      ->capture_default_str()
      ->group(group);
}

Kernel ModelOptions::parsed_kernel() const {
  try {
    return parse_kernel(kernel);
  } catch (const InputError& e) {
    throw InputError(fmt::format("--kernel: {}", e.what()));
  }
}

Fusion ModelOptions::checked_fusion() const {
  check_choice("--fusion", fusion, {"poe", "gpoe", "bcm", "rbcm"});
  return parse_fusion(fusion);
}

CommitteeOptions ModelOptions::checked_committee(std::uint64_t seed) const {
  check_choice("--expert-split", expert_split, {"random", "clusters"});
  CommitteeOptions checked = committee;
  checked.split = parse_row_split(expert_split);
  checked.seed = seed;
  return checked;
}

bool ModelOptions::by_hand() const {
  return lengthscale || signal || noise || !has_no_numbers(parsed_kernel());
}

Prior ModelOptions::prior(std::size_t inputs, double usual_lengthscale, double usual_noise) const {
  Kernel parsed = parsed_kernel();
  const auto width = static_cast<Index>(inputs);
  if (has_no_numbers(parsed)) {
    if (signal && !(*signal > 0 && std::isfinite(*signal))) se(1., *signal);  // says what is wrong
    const double each = usual_lengthscale / std::sqrt(static_cast<double>(inputs));
    parsed = with_lengthscale(initial_kernel(parsed, {Vector::Constant(width, each), signal.value_or(1)}),
                              lengthscale.value_or(usual_lengthscale));
  } else if (lengthscale || signal) {
    throw InputError(
        "--kernel has numbers already; give them there or with --lengthscale and --signal, not both");
  }
  return checked_prior({parsed, noise.value_or(usual_noise)}, width);
}

}  // namespace tacit::cli
