// Measures the sums of rows over landmarks (gp/landmarks/landmark_sums.hpp): against the bare BLAS and LAPACK
// calls of the same shapes on one thread, and for up to a million rows, with the memory used.
//   bench_landmarks [MOST_ROWS]
#include <cblas.h>
#include <lapacke.h>
#include <sys/resource.h>

#include <cstdio>
#include <cstdlib>

#include "ratio.hpp"
#include "tacit/base/system/parallel.hpp"
#include "tacit/gp/committee/committee.hpp"
#include "tacit/gp/expert/blas_threads.hpp"
#include "tacit/gp/normal.hpp"

using namespace tacit;

namespace {

constexpr Index inputs = 8, expert_rows = 500, landmarks = 500;

Matrix drawn(Index rows, Index columns, std::uint64_t seed) {
  Normal normal(seed);
  return Matrix::NullaryExpr(rows, columns, [&](Index, Index) { return normal(); });
}

// One block: its sums against the calls that they require, on precomputed matrices.
void measure_block() {
  const Prior prior(se(3.), 0.3);
  const Matrix x = drawn(expert_rows, inputs, 1), y = drawn(expert_rows, 1, 2),
               z = drawn(landmarks, inputs, 3);
  const Landmarks points(z, prior.kernel);
  LandmarkSums sums(landmarks, 1);
  const Matrix cross = covariance(z, x, prior.kernel);
  Matrix own = covariance(x, x, prior.kernel), phi = cross, gram = own, total = sums.precision,
         a = sums.weighted;
  own.diagonal().array() += 0.09;
  const int n = expert_rows, m = landmarks;
  const auto bare = [&] {
    phi = cross;
    gram = own;
    cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, m, n, 1,
                points.factor().lower().data(), m, phi.data(), m);
    cblas_dsyrk(CblasColMajor, CblasLower, CblasTrans, n, m, -1, phi.data(), m, 1, gram.data(), n);
    LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', n, gram.data(), n);
    cblas_dtrsm(CblasColMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, m, n, 1, gram.data(), n,
                phi.data(), m);
    cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, m, n, 1, phi.data(), m, 1, total.data(), m);
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, m, 1, n, 1, phi.data(), m, y.data(), n, 1,
                a.data(), m);
  };
  bench::print_ratio("sums of 500 rows over 500 landmarks / bare BLAS and LAPACK",
                     bench::measure_ratio(
                         31, [&] { add_landmark_sums(sums, x, y, prior, points); }, bare));
}

void measure_rows(Index rows, unsigned threads) {
  const Prior prior(se(3.), 0.3);
  const Matrix x = drawn(rows, inputs, 4), y = drawn(rows, 1, 5), z = drawn(landmarks, inputs, 3);
  const Landmarks points(z, prior.kernel);
  const Committee committee(x, y, {.expert_rows = expert_rows}, threads);
  const double seconds = bench::seconds_of([&] { committee.landmark_sums(prior, 0, 1, points); });
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  std::printf("%9td rows, %u threads: %8.2f s, %6.1f µs per row, at most %4.0f MB in use\n", rows, threads,
              seconds, 1e6 * seconds / static_cast<double>(rows), static_cast<double>(used.ru_maxrss) / 1024);
}

}  // namespace

int main(int count, char** words) {
  const BlasThreads one(1);
  measure_block();
  const Index most = count > 1 ? std::atol(words[1]) : 1'000'000;
  for (Index rows = 1000; rows <= most; rows *= 10) measure_rows(rows, default_threads());
}
