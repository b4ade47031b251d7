#include <cstdio>
#include <cstdlib>
#include "ratio.hpp"
#include "tacit/audit/landmark_attack.hpp"
#include "tacit/gp/normal.hpp"
#include "tacit/gp/blas_threads.hpp"
#include <Eigen/Cholesky>
using namespace tacit;
int main(int c, char** v) {
  const BlasThreads one(1);
  const Index n = std::atol(v[1]), d = std::atol(v[2]); const int blocks = std::atoi(v[3]); const double scale = std::atof(v[4]), noise = std::atof(v[5]), unit = std::atof(v[6]);
  const std::size_t starts = std::atol(v[7]);
  for (double ratio : {0.1, 0.25, 0.5, 0.75, 1., 1.25, 1.5, 2., 3., 4.}) {
    Index m = 1; while ((m+1)*(m+4)/2 <= ratio * n * (d+1)) ++m;
    for (unsigned seed = 1; seed <= 3; ++seed) {
      Normal normal(seed*1000);
      Matrix rows = Matrix::NullaryExpr(n, d+1, [&]{return normal();});
      Matrix z = Matrix::NullaryExpr(m, d, [&]{return normal();});
      Prior prior(se(scale*std::sqrt(double(d))), noise);
      Matrix K = covariance(rows.leftCols(d), rows.leftCols(d), prior.kernel); K.diagonal().array() += noise*noise;
      Vector y = Eigen::LLT<Matrix>(K).matrixL() * rows.col(d);
      rows.col(d) = (y.array()-y.mean())/std::sqrt((y.array()-y.mean()).square().mean());
      std::vector<Index> b(blocks, n/blocks);
      OpenedNumbers numbers(Landmarks(z, prior.kernel), prior, b);
      Vector opened = numbers.of(rows, unit);
      FittedRows f;
      double t = bench::seconds_of([&]{ f = fit_rows(numbers, opened, {.unit=unit,.starts=starts,.hops=std::size_t(std::atol(v[8])),.seed=seed*77,.threads=2}); });
      Vector dist = distances(rows, f.rows), ch = distances_by_chance(rows, 20, 5);
      std::sort(dist.begin(), dist.end()); std::sort(ch.begin(), ch.end());
      Matrix left = left_to_guess(numbers, rows, unit);
      Vector worst = left.rowwise().maxCoeff();
      std::printf("ratio %.2f m %2ld seed %u: found %ld, median %.3f (chance %.3f) min %.3f misfit %.2g | pinned rows %ld, numbers %ld, y %ld; y<0.1 %ld; median left %.3f (%.1f s)\n", ratio, m, seed,
        (dist.array() < found_within).count(), dist(n/2), ch(n/2), dist(0), f.misfit, (worst.array()<0.01).count(), (left.array()<0.01).count(), (left.col(d).array()<0.01).count(), (left.col(d).array()<0.1).count(), left.reshaped().mean(), t);
      std::fflush(stdout);
    }
  }
}
