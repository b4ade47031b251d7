// Measures fit, predict and the gradient against the bare LAPACK and BLAS calls that they contain, on one
// thread.
#include <cblas.h>
#include <lapacke.h>

#include <cstdio>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "ratio.hpp"
#include "tacit/gp/expert/blas_threads.hpp"
#include "tacit/gp/expert/expert.hpp"
#include "tacit/gp/expert/likelihood.hpp"
#include "tacit/gp/kernel/kernel.hpp"

namespace {

using namespace tacit;

constexpr Index dimensions = 21;
constexpr Index outputs = 7;
constexpr Index points = 200;

Matrix random_matrix(Index rows, Index columns) {
  static std::mt19937_64 engine(1);
  std::normal_distribution<double> normal;
  return Matrix::NullaryExpr(rows, columns, [&](Index, Index) { return normal(engine); });
}

/// As bench::measure_ratio, but restores what the baseline destroys before each of its runs. The time for
/// that does not count.
bench::Ratio measure(int repeats, const std::function<void()>& subject, const std::function<void()>& restore,
                     const std::function<void()>& baseline) {
  std::vector<double> a, b, ratios;
  for (int k = 0; k <= repeats; ++k) {
    const double subject_seconds = bench::seconds_of(subject);
    restore();
    const double baseline_seconds = bench::seconds_of(baseline);
    if (k == 0) continue;  // warm-up
    a.push_back(subject_seconds);
    b.push_back(baseline_seconds);
    ratios.push_back(subject_seconds / baseline_seconds);
  }
  return {bench::median(a), bench::median(b), bench::median(ratios)};
}

struct Problem {
  explicit Problem(Index rows)
      : n(static_cast<int>(rows)),
        x(random_matrix(rows, dimensions)),
        y(random_matrix(rows, outputs)),
        at(random_matrix(points, dimensions)),
        covariance(tacit::covariance(x, x, h.kernel)),
        cross(tacit::covariance(x, at, h.kernel)) {
    covariance.diagonal().array() += h.noise * h.noise;
  }
  Prior h{se(4.), 0.1};
  int n;
  Matrix x, y, at, covariance, cross;
};

void fit_and_predict(Index rows, int repeats) {
  const Problem p(rows);
  const int n = p.n;
  Matrix factor = p.covariance;
  Matrix whitened = p.y;
  Matrix v = p.cross;
  Matrix mean(points, outputs);
  double sink = 0;
  const auto subject = [&] { sink += Expert::of(p.x, p.y, p.h).predict(p.at).mean(0, 0); };
  const auto restore = [&] {
    factor = p.covariance;
    whitened = p.y;
    v = p.cross;
  };
  const auto baseline = [&] {
    LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', n, factor.data(), n);
    cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, n, outputs, 1,
                factor.data(), n, whitened.data(), n);
    cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, n, points, 1, factor.data(),
                n, v.data(), n);
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, points, outputs, n, 1, v.data(), n, whitened.data(),
                n, 0, mean.data(), points);
    sink += mean(0, 0);
  };
  bench::print_ratio("fit + predict " + std::to_string(points) + " points, N = " + std::to_string(rows),
                     measure(repeats, subject, restore, baseline));
  if (sink == 0.5) std::puts("");  // prevents the compiler from removing the work
}

void gradient(const char* name, const Kernel& kernel, Index rows, int repeats) {
  const Problem p(rows);
  const Prior prior{kernel, 0.1};
  const int n = p.n;
  Matrix factor = p.covariance;
  double sink = 0;
  const auto subject = [&] { sink += log_marginal_likelihood(p.x, p.y.col(0), prior).slopes[0]; };
  const auto restore = [&] { factor = p.covariance; };
  const auto baseline = [&] {
    LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', n, factor.data(), n);
    LAPACKE_dpotri_work(LAPACK_COL_MAJOR, 'L', n, factor.data(), n);
    sink += factor(0, 0);
  };
  bench::print_ratio(std::string("likelihood and gradient, ") + name + ", N = " + std::to_string(rows),
                     measure(repeats, subject, restore, baseline));
  if (sink == 0.5) std::puts("");
}

}  // namespace

int main() {
  const BlasThreads one(1);
  std::printf("%td inputs, %td outputs, one BLAS thread: this library against its LAPACK and BLAS calls\n",
              dimensions, outputs);
  fit_and_predict(200, 201);
  fit_and_predict(1000, 21);
  fit_and_predict(2000, 11);
  for (Index rows : {200, 1000, 2000}) {
    const int repeats = rows < 500 ? 101 : rows < 1500 ? 21 : 7;
    gradient("se", se(4.), rows, repeats);
    gradient("se-ard", se(Lengthscale(std::vector<double>(dimensions, 4.))), rows, repeats);
    gradient("matern52-ard + linear",
             matern52(Lengthscale(std::vector<double>(dimensions, 4.))) + linear(0.1), rows, repeats);
  }
}
