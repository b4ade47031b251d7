#include "tacit/gp/expert/prior_names.hpp"

#include <gtest/gtest.h>

namespace tacit {
namespace {

std::vector<std::string> labels_of(const char* kernel, const std::vector<std::string>& inputs) {
  const Prior prior{parse_kernel(kernel).for_inputs(static_cast<Index>(inputs.size())), 0.3};
  std::vector<std::string> words;
  const std::vector<PriorName> numbers = prior_names(prior, inputs);
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    words.push_back(numbers[k].label);
    EXPECT_EQ(numbers[k].name, prior.names()[k]);
    EXPECT_NEAR(numbers[k].value, std::exp(prior.logarithms()[k]), 1e-12);
  }
  return words;
}

TEST(PriorWords, LengthscalesAreNamedByColumn) {
  using Words = std::vector<std::string>;
  EXPECT_EQ(labels_of("se", {"age", "bmi"}), (Words{"lengthscale", "signal", "noise"}));
  EXPECT_EQ(labels_of("rq-ard", {"age", "bmi"}),
            (Words{"lengthscale of age", "lengthscale of bmi", "alpha", "signal", "noise"}));
  EXPECT_EQ(labels_of("se-ard + linear + se", {"age", "bmi"}),
            (Words{"se#1 lengthscale of age", "se#1 lengthscale of bmi", "se#1 signal", "linear signal",
                   "se#2 lengthscale", "se#2 signal", "noise"}));
  EXPECT_EQ(labels_of("linear-ard + constant", {"x.y", "b[0]"}),
            (Words{"linear lengthscale of x.y", "linear lengthscale of b[0]", "constant signal", "noise"}));
}

}  // namespace
}  // namespace tacit
