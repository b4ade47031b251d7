#include "tacit/cli/lab/model_options.hpp"

#include <fmt/format.h>

#include <cmath>

#include "tacit/base/error.hpp"
#include "tacit/cli/lab/plan_words.hpp"
#include "tacit/cli/options/values.hpp"
#include "tacit/gp/defaults.hpp"

namespace tacit::cli {

void ModelOptions::add_to(CLI::App& command, const char* group) {
  add_parsed(command, "--kernel", kernel, parsed_kernel,
             "Kernel: constant, linear, se, matern12, matern32, matern52, rq or periodic. The suffix "
             "-ard gives each input its own length-scale. Combine kernels with + and *, as in \"se-ard "
             "+ linear\". Give numbers as in \"se(lengthscale=2, signal=3)\"")
      ->default_str(std::string(consortium_defaults.kernel))
      ->group(group);
  add_choice(command, "--fusion", fusion, choices_for(all_fusions),
             fmt::format("How experts' predictions combine: poe (product of experts, as in the paper), "
                         "gpoe, bcm or rbcm. Default: {}",
                         fusion ? to_string(*fusion) : "rbcm; poe with --paper or the consensus"))
      ->default_str("")
      ->group(group);
  command
      .add_option("--lengthscale", lengthscale,
                  fmt::format("Length-scale θ_l of all inputs. Default: {}; √inputs for standardised columns",
                              Hyperparameters{}.lengthscale))
      ->group(group);
  command
      .add_option(
          "--signal", signal,
          fmt::format("Signal θ_s, the prior standard deviation. Default: {}", consortium_defaults.signal))
      ->group(group);
  command
      .add_option("--noise", noise,
                  fmt::format("Standard deviation σ_ε of the noise. Default: {}; {} for standardised columns",
                              Hyperparameters{}.noise, consortium_defaults.noise))
      ->group(group);
  command
      .add_option("--expert-rows", committee.expert_rows,
                  "Maximum number of rows of an expert. An agent with more rows has several experts")
      ->check(whole_number(1, 1'000'000))
      ->capture_default_str()
      ->group(group);
  add_choice(command, "--expert-split", committee.split, choices_for({RowSplit::random, RowSplit::clusters}),
             "How to divide an agent's rows among its experts: random, or clusters (bisecting k-means "
             "on the inputs)")
      ->group(group);
}

Kernel parsed_kernel(const std::string& text) {
  try {
    return parse_kernel(text);
  } catch (const InputError& e) {
    throw InputError(fmt::format("`kernel` is not usable: {}", e.what()));
  }
}

CommitteeOptions ModelOptions::seeded_committee(std::uint64_t seed) const {
  CommitteeOptions seeded = committee;
  seeded.seed = seed;
  return seeded;
}

bool ModelOptions::by_hand() const { return lengthscale || signal || noise || !has_no_numbers(kernel); }

Prior ModelOptions::prior(std::size_t inputs, double usual_lengthscale, double usual_noise) const {
  Kernel start = kernel;
  const auto width = static_cast<Index>(inputs);
  if (has_no_numbers(kernel)) {
    if (signal && !(*signal > 0 && std::isfinite(*signal))) se(1., *signal);  // throws with the reason
    const double each = usual_lengthscale / std::sqrt(static_cast<double>(inputs));
    start = with_lengthscale(
        initial_kernel(kernel, {Vector::Constant(width, each), signal.value_or(consortium_defaults.signal)}),
        lengthscale.value_or(usual_lengthscale));
  } else if (lengthscale || signal) {
    throw InputError(
        "`kernel` already contains numbers; give them there or with `lengthscale` and `signal`, not both");
  }
  return checked_prior({start, noise.value_or(usual_noise)}, width);
}

}  // namespace tacit::cli
