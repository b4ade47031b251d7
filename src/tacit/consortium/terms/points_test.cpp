#include "tacit/consortium/terms/points.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "tacit/base/error.hpp"

namespace tacit {
namespace {

std::string refusal(const Matrix& points) {
  Terms terms;
  terms.inputs = {{"age", 0, 120, {}}, {"sex", 0, 0, {"f", "m"}}, {"weight", 1, 300, {}}};
  terms.limits.points = 2;
  try {
    check_points(terms, points);
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

TEST(Points, WithinTheAgreementAreLetPass) { EXPECT_EQ(refusal(Matrix{{0, 1, 0, 1}, {120, 0, 1, 300}}), ""); }

TEST(Points, OutsideOfItAreNamed) {
  EXPECT_EQ(refusal(Matrix{{30, 1, 0, 70}, {1e9, 1, 0, 70}}),
            "point 2, column age: 1000000000 is outside the agreed range 0 to 120");
  EXPECT_NE(refusal(Matrix{{30, 1, 0, 0.999}}).find("column weight: 0.999"), std::string::npos);
  EXPECT_NE(refusal(Matrix{{std::numeric_limits<double>::quiet_NaN(), 1, 0, 70}}).find("column age"),
            std::string::npos);
  for (const auto& [f, m] : {std::pair(1.0, 1.0), {0.0, 0.0}, {0.5, 0.5}, {1.0, 1e-9}, {2.0, -1.0}})
    EXPECT_NE(refusal(Matrix{{30, f, m, 70}}).find("point 1, column sex"), std::string::npos);
  EXPECT_NE(refusal(Matrix{{30, 1, 70}}).find("4 inputs"), std::string::npos);
  EXPECT_NE(refusal(Matrix::Ones(3, 4)).find("1 to 2"), std::string::npos);
  EXPECT_NE(refusal(Matrix(0, 4)).find("0 points"), std::string::npos);
}

}  // namespace
}  // namespace tacit
