#include "tacit/gp/expert/products.hpp"

#include <cblas.h>

namespace tacit {
namespace {

int count(Index n) { return static_cast<int>(n); }

}  // namespace

void transposed_product(const Matrix& a, const Eigen::Ref<const Matrix>& b, Eigen::Ref<Matrix> out,
                        double factor, double keep) {
  if (out.size() == 0) return;
  cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, count(a.cols()), count(b.cols()), count(a.rows()),
              factor, a.data(), count(a.rows()), b.data(), count(b.outerStride()), keep, out.data(),
              count(out.outerStride()));
}

void add_product(const Matrix& a, const Matrix& b, Matrix& out) {
  if (out.size() == 0) return;
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, count(a.rows()), count(b.cols()), count(a.cols()),
              1.0, a.data(), count(a.rows()), b.data(), count(b.rows()), 1.0, out.data(), count(out.rows()));
}

void subtract_inner(const Matrix& a, Matrix& out) {
  cblas_dsyrk(CblasColMajor, CblasLower, CblasTrans, count(a.cols()), count(a.rows()), -1.0, a.data(),
              count(a.rows()), 1.0, out.data(), count(out.rows()));
}

void add_outer(const Matrix& a, Matrix& out) {
  cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, count(a.rows()), count(a.cols()), 1.0, a.data(),
              count(a.rows()), 1.0, out.data(), count(out.rows()));
}

void solve_from_right(const Cholesky& factor, Matrix& b) {
  if (b.size() == 0) return;
  cblas_dtrsm(CblasColMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, count(b.rows()),
              count(b.cols()), 1.0, factor.lower().data(), count(factor.rows()), b.data(), count(b.rows()));
}

}  // namespace tacit
