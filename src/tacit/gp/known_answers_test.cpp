// What an independent tool, scikit-learn, computes (known_answers.py), this room must compute too.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "tacit/gp/expert.hpp"
#include "tacit/gp/likelihood.hpp"

namespace tacit {
namespace {

constexpr double relative_tolerance = 1e-8;

struct Case {
  std::string name;
  std::map<std::string, std::vector<double>> numbers;

  std::string kernel;  // none for the paper's

  Index size(std::size_t i) const { return static_cast<Index>(numbers.at("sizes").at(i)); }
  Prior prior() const {
    const auto& p = numbers.at("parameters");
    if (!kernel.empty()) return {parse_kernel(kernel), p.at(0)};
    return Hyperparameters{p.at(0), p.at(1), p.at(2)};
  }
  Matrix matrix(const std::string& label, Index rows, Index columns) const {
    const auto& values = numbers.at(label);
    if (static_cast<Index>(values.size()) != rows * columns) throw std::runtime_error(name + ": " + label);
    using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    return Eigen::Map<const RowMajor>(values.data(), rows, columns);
  }
  Matrix inputs() const { return matrix("inputs", size(0), size(1)); }
  Matrix outputs() const { return matrix("outputs", size(0), size(2)); }
  Matrix points() const { return matrix("points", size(3), size(1)); }
};

std::vector<Case> known_answers() {
  std::ifstream file(TACIT_SOURCE_DIR "/src/tacit/gp/known_answers.csv");
  std::vector<Case> cases;
  for (std::string line; std::getline(file, line);) {
    std::istringstream fields(line);
    std::string label;
    std::string field;
    std::getline(fields, label, ',');
    if (label == "case") {
      std::getline(fields, field);
      cases.push_back({field, {}, {}});
    } else if (label == "kernel") {
      const std::string rest = line.substr(label.size() + 1);
      cases.back().kernel = rest.substr(0, rest.rfind(','));
      cases.back().numbers["parameters"] = {std::stod(rest.substr(rest.rfind(',') + 1))};
    } else {
      while (std::getline(fields, field, ',')) cases.back().numbers[label].push_back(std::stod(field));
    }
  }
  return cases;
}

void expect_close(const Matrix& actual, const Matrix& expected) {
  ASSERT_EQ(actual.rows(), expected.rows());
  ASSERT_EQ(actual.cols(), expected.cols());
  for (Index j = 0; j < expected.cols(); ++j)
    for (Index i = 0; i < expected.rows(); ++i)
      EXPECT_NEAR(actual(i, j), expected(i, j), relative_tolerance * std::abs(expected(i, j)))
          << i << ' ' << j;
}

TEST(KnownAnswers, AreAllThere) { EXPECT_EQ(known_answers().size(), 30u); }

TEST(KnownAnswers, OfThePosterior) {
  for (const Case& c : known_answers()) {
    SCOPED_TRACE(c.name);
    const Posterior p = Expert::fit(c.inputs(), c.outputs(), c.prior()).predict(c.points());
    expect_close(p.mean, c.matrix("mean", c.size(3), c.size(2)));
    expect_close(p.latent_variance, c.matrix("latent", c.size(3), 1));
    EXPECT_EQ(p.clamped, 0u);
  }
}

TEST(KnownAnswers, OfTheLikelihood) {
  for (const Case& c : known_answers()) {
    SCOPED_TRACE(c.name);
    const Matrix expected = c.matrix("likelihood", c.size(2), 1);
    const Expert expert = Expert::fit(c.inputs(), c.outputs(), c.prior());
    EXPECT_EQ(expert.jitter(), 0);
    expect_close(expert.log_marginal_likelihood(), expected);
    for (Index o = 0; o < c.size(2); ++o) {
      const Vector y = c.outputs().col(o);
      const double value = log_marginal_likelihood(c.inputs(), y, c.prior()).value;
      EXPECT_NEAR(value, expected(o), relative_tolerance * std::abs(expected(o)));
    }
  }
}

TEST(KnownAnswers, OfTheGradient) {
  for (const Case& c : known_answers()) {
    SCOPED_TRACE(c.name);
    const Likelihood l = log_marginal_likelihood(c.inputs(), c.outputs(), c.prior());
    Matrix expected = c.matrix("gradient", static_cast<Index>(l.slopes.size()), 1);
    if (c.kernel.empty())  // in the numbers themselves
      for (Index k = 0; k < 3; ++k) expected(k) *= c.numbers.at("parameters")[static_cast<std::size_t>(k)];
    expect_close(Eigen::Map<const Vector>(l.slopes.data(), expected.rows()), expected);
  }
}

}  // namespace
}  // namespace tacit
