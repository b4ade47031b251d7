#include "tacit/audit/landmark_attack.hpp"

#include <gtest/gtest.h>

#include "tacit/base/error.hpp"
#include "tacit/gp/testing.h"

namespace tacit::testing {
namespace {

OpenedNumbers numbers(Index m, Index d, std::vector<Index> blocks, const Prior& prior) {
  return {Landmarks(random_matrix(m, d, 77), prior.kernel), prior, std::move(blocks)};
}

TEST(OpenedNumbers, SlopesAreThoseOfDifferences) {
  for (const Kernel& kernel : {se(0.9, 1.3), matern52(1.5) + linear(0.4), se({0.7, 2.0})}) {
    const OpenedNumbers opened = numbers(5, 2, {4, 3}, Prior(kernel, 0.3));
    const Matrix rows = random_matrix(7, 3, 5), slopes = opened.slopes(rows);
    ASSERT_EQ(slopes.rows(), 20);
    ASSERT_EQ(slopes.cols(), 21);
    for (Index i = 0; i < 7; ++i)
      for (Index c = 0; c < 3; ++c) {
        Matrix up = rows, down = rows;
        up(i, c) += 1e-5;
        down(i, c) -= 1e-5;
        const Vector want = (opened.of(up) - opened.of(down)) / 2e-5;
        EXPECT_LT((slopes.col(3 * i + c) - want).cwiseAbs().maxCoeff(),
                  1e-6 * (1 + want.cwiseAbs().maxCoeff()))
            << kernel.text() << " row " << i << " column " << c;
      }
  }
}

}  // namespace
}  // namespace tacit::testing
