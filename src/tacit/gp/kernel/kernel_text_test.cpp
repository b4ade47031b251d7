#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tacit/base/base_testing.hpp"
#include "tacit/gp/gp_testing.hpp"
#include "tacit/gp/kernel/kernel.hpp"

namespace tacit {
namespace {

std::string error_of(std::string_view text) {
  return testing::error_of([&] { parse_kernel(text); });
}

TEST(KernelText, ReadsNamesNumbersSumsProductsAndParentheses) {
  EXPECT_EQ(parse_kernel("se"), se());
  EXPECT_EQ(parse_kernel(" se-ard+linear "), se(ard) + linear());
  EXPECT_EQ(parse_kernel("se + linear * periodic"), se() + linear() * periodic());
  EXPECT_EQ(parse_kernel("(se + linear) × periodic(period=12)"), (se() + linear()) * periodic(12));
  EXPECT_EQ(parse_kernel("rq(lengthscale=2, alpha=3, signal=4e-1)"), rational_quadratic(2., 3, 0.4));
  EXPECT_EQ(parse_kernel("matern32-ard(lengthscale=[1, 2.5])"), matern32({1, 2.5}));
  EXPECT_EQ(parse_kernel("linear-ard(lengthscale=2)"), linear(std::vector<double>{2}));
  EXPECT_EQ(parse_kernel("constant() + matern12 + matern52"), constant() + matern12() + matern52());
}

TEST(KernelText, EveryKernelComesBackToTheBit) {
  for (double l : {1e-3, 1.0 / 3, 12345.678})
    for (const Kernel& k : testing::every_composition(l, 3)) {
      EXPECT_EQ(parse_kernel(k.text()), k) << k.text();
      EXPECT_EQ(parse_kernel(k.form()).form(), k.form());
    }
  EXPECT_EQ((se(ard) + linear()).form(), "se-ard + linear");
  EXPECT_EQ((se() * (linear() + (constant() + se()))).form(), "se * (linear + (constant + se))");
}

TEST(KernelText, ErrorsPointAtTheCharacter) {
  EXPECT_EQ(error_of("se-ard + lineer"),
            "kernel \"se-ard + lineer\", character 10: \"lineer\" is not a kernel; use one of constant, "
            "linear, se, matern12, matern32, matern52, rq, periodic");
  EXPECT_EQ(error_of(""), "kernel \"\", character 1: expected a kernel");
  EXPECT_EQ(error_of("se +"), "kernel \"se +\", character 5: expected a kernel");
  EXPECT_EQ(error_of("se × × se"), "kernel \"se × × se\", character 6: expected a kernel");
  EXPECT_EQ(error_of("(se + linear"), "kernel \"(se + linear\", character 13: expected )");
  EXPECT_EQ(error_of("se linear"), "kernel \"se linear\", character 4: expected +, * or the end");
  EXPECT_EQ(error_of("se(signal=)"), "kernel \"se(signal=)\", character 11: expected a number");
  EXPECT_EQ(error_of("se(alpha=1)"),
            "kernel \"se(alpha=1)\", character 4: se has no number called \"alpha\"");
  EXPECT_EQ(error_of("se(lengthscale=1"), "kernel \"se(lengthscale=1\", character 17: expected , or )");
  EXPECT_NE(error_of("se(lengthscale=-1)").find("character 1: lengthscale is -1"), std::string::npos);
  EXPECT_NE(error_of("constant-ard").find("remove -ard"), std::string::npos);
  EXPECT_NE(error_of("linear(lengthscale=1)").find("no number"), std::string::npos);
  EXPECT_NE(error_of(std::string(1000, '(')).find("character 51: too many nested parentheses"),
            std::string::npos);
  EXPECT_NE(error_of("se(signal=nan)").find("signal is nan"), std::string::npos);
}

TEST(KernelText, LongTextsAreRefused) {
  std::string many = "se";
  for (int k = 1; k < 64; ++k) many += "+se";
  EXPECT_EQ(parse_kernel(many).form().size(), 64 * 2 + 63 * 3u);
  many += "+se";
  EXPECT_NE(error_of(many).find("more than 64 kernels"), std::string::npos);
  const std::string blank = "se" + std::string(most_kernel_text - 2, ' ');
  EXPECT_EQ(parse_kernel(blank), se());
  EXPECT_EQ(error_of(blank + " "),
            "a kernel's text may have at most 1024 bytes, but the one that starts with \"" +
                blank.substr(0, 20) + "\" has 1025; use fewer kernels or fewer numbers");
  EXPECT_EQ(parse_kernel(blank + " ", 2000), se());
}

RC_GTEST_PROP(KernelText, AnyTextIsAKernelOrAnInputError, (const std::string& junk)) {
  const auto text =
      *rc::gen::container<std::string>(rc::gen::elementOf(std::string("se-ard+*()[]=,.1x rqlinear\xc3")));
  for (const std::string& t : {junk, text}) {
    try {
      parse_kernel(t);
    } catch (const InputError&) {
    }
  }
}

}  // namespace
}  // namespace tacit
