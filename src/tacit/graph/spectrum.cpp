#include "tacit/graph/spectrum.hpp"

#include <Spectra/SymEigsSolver.h>
#include <fmt/format.h>
#include <Eigen/Dense>
#include <Eigen/Sparse>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <vector>

#include "tacit/base/error.hpp"
#include "tacit/base/stop.hpp"
#include "tacit/graph/connectivity.hpp"

namespace tacit {
namespace {

using Eigen::Index;
using Eigen::VectorXd;
using Sparse = Eigen::SparseMatrix<double>;

// Measured: the largest full matrix that is fast enough, and the largest factor that is faster than
// iterating.
constexpr std::size_t dense_agents = 400;
constexpr double cheap_factor = 3e8;
// Beyond these limits, factorising and the full matrix take too long.
constexpr std::size_t factor_edges = 1'000'000;
constexpr double largest_factor = 1e11;
constexpr std::size_t most_dense_agents = 4000;
// The number of Lanczos vectors before a restart.
constexpr Index factorised_basis = 20;
constexpr Index iterated_basis = 60;
// Lanczos must detect when it has exhausted the space, as on graphs with few distinct eigenvalues. Spectra
// does so reliably only if rounding errors, relative to the operator, stay well below its absolute threshold.
constexpr double operator_norm = 1.0 / 256;

// Returns I - W. All methods compute its smallest eigenvalue other than the 0 of the vector 1: the gap 1 - λ.
Sparse laplacian(const MetropolisWeights& weights) {
  const Graph& graph = weights.graph();
  const auto denominator = static_cast<double>(weights.denominator());
  std::vector<std::uint64_t> total(graph.agents(), 0);
  std::vector<Eigen::Triplet<double, Index>> entries;
  entries.reserve(2 * graph.edges() + graph.agents());
  for (const auto& [i, j] : graph.edge_list()) {
    const std::uint64_t weight =
        metropolis_weight(weights.denominator(), weights.exact(), graph.degree(i), graph.degree(j));
    const double entry = -static_cast<double>(weight) / denominator;
    entries.emplace_back(i, j, entry);
    entries.emplace_back(j, i, entry);
    total[i] += weight;
    total[j] += weight;
  }
  for (AgentId i = 0; i < graph.agents(); ++i) {
    entries.emplace_back(i, i, static_cast<double>(total[i]) / denominator);
  }
  const auto size = static_cast<Index>(graph.agents());
  Sparse matrix(size, size);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

double dense_gap(const Sparse& laplacian) {
  // Adding 11ᵀ/M moves the eigenvalue 0 to 1, and no gap is larger than 1.
  Eigen::MatrixXd matrix = laplacian;
  matrix.array() += 1.0 / static_cast<double>(laplacian.rows());
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(matrix, Eigen::EigenvaluesOnly)
      .eigenvalues()
      .minCoeff();
}

// The operator x -> (W - 11ᵀ/M) x, scaled.
class Averaging {
 public:
  using Scalar = double;  // Spectra requires this name and the three functions below
  explicit Averaging(const Sparse& laplacian) : laplacian_(laplacian) {}
  Index rows() const { return laplacian_.rows(); }
  Index cols() const { return laplacian_.cols(); }
  void perform_op(const double* in, double* out) const {
    leave_if_stopped();
    const Eigen::Map<const VectorXd> x(in, rows());
    Eigen::Map<VectorXd> y(out, rows());
    y = x;
    y.noalias() -= laplacian_ * x;
    y = operator_norm * (y.array() - y.mean());
  }

 private:
  const Sparse& laplacian_;
};

// The operator x -> (I - W)⁺ x, the pseudo-inverse, scaled. With the last agent fixed at 0, the rest of I - W
// is positive definite, so no shift is needed even for a small gap.
class Inverse {
 public:
  using Scalar = double;
  explicit Inverse(const Sparse& laplacian)
      : size_(laplacian.rows()), rest_(laplacian.topLeftCorner(size_ - 1, size_ - 1)) {
    factor_.analyzePattern(rest_);
  }
  /// Returns the number of multiplications in factorise().
  double work() const { return factor_.work(); }
  void factorise() {
    factor_.factorize(rest_);
    VectorXd x = VectorXd::LinSpaced(size_, -1, 1), y(size_);
    for (int step = 0; step < 5; ++step) {
      perform_op(x.data(), y.data());
      scale_ *= operator_norm * x.norm() / y.norm();
      x.swap(y);
    }
  }
  Index rows() const { return size_; }
  Index cols() const { return size_; }
  void perform_op(const double* in, double* out) const {
    leave_if_stopped();
    const Eigen::Map<const VectorXd> x(in, size_);
    Eigen::Map<VectorXd> y(out, size_);
    const VectorXd centred = x.array() - x.mean();
    y.head(size_ - 1) = factor_.solve(centred.head(size_ - 1));
    y[size_ - 1] = 0;
    y = scale_ * (y.array() - y.mean());
  }

 private:
  struct Factor : Eigen::SimplicialLDLT<Sparse> {
    double work() const { return m_nonZerosPerCol.cast<double>().squaredNorm(); }
  };
  Index size_;
  double scale_ = 1;
  Sparse rest_;
  Factor factor_;
};

// Returns the gap, computed from the largest eigenvalue of an operator with the eigenvectors of I - W, or
// nothing if that does not converge. Spectra's result is checked; if it is wrong, the next start vector is
// tried.
template <typename Operator>
std::optional<double> gap_by(const Sparse& laplacian, Operator& matrix, Index basis, Index restarts) {
  for (unsigned seed = 1; seed <= 4; ++seed) {
    try {
      Spectra::SymEigsSolver<Operator> solver(matrix, 1, basis);
      const VectorXd start = Spectra::SimpleRandom<double>(seed).random_vec(matrix.rows());
      solver.init(start.data());
      if (solver.compute(Spectra::SortRule::LargestAlge, restarts, 1e-12) < 1) return std::nullopt;
      const VectorXd v = solver.eigenvectors(1).col(0).normalized();
      const VectorXd image = laplacian * v;
      const double gap = v.dot(image);  // its error is quadratic in the residual
      if ((image - gap * v).norm() < 1e-10) return gap;
    } catch (const Stopped&) {
      throw;
    } catch (const std::runtime_error&) {  // Spectra reports a failure
    }
  }
  return std::nullopt;
}

std::optional<double> factorised_gap(const Sparse& laplacian, Inverse& inverse) {
  inverse.factorise();
  return gap_by(laplacian, inverse, factorised_basis, 100);
}

std::optional<double> iterated_gap(const Sparse& laplacian) {
  Averaging averaging(laplacian);
  return gap_by(laplacian, averaging, iterated_basis, 500);
}

std::optional<double> gap(const Graph& graph, const Sparse& laplacian, RateMethod method) {
  if (method == RateMethod::automatic && graph.agents() <= dense_agents) method = RateMethod::dense;
  if (laplacian.rows() <= iterated_basis) method = RateMethod::dense;
  if (method == RateMethod::dense) return dense_gap(laplacian);
  if (method == RateMethod::iterated) return iterated_gap(laplacian);
  std::optional<Inverse> inverse;
  if (method == RateMethod::factorised || graph.edges() <= factor_edges) inverse.emplace(laplacian);
  if (method == RateMethod::factorised) return factorised_gap(laplacian, *inverse);

  if (inverse && inverse->work() <= cheap_factor) {
    if (const auto found = factorised_gap(laplacian, *inverse)) return found;
  }
  if (const auto found = iterated_gap(laplacian)) return found;
  if (inverse && inverse->work() > cheap_factor && inverse->work() <= largest_factor) {
    if (const auto found = factorised_gap(laplacian, *inverse)) return found;
  }
  if (graph.agents() <= most_dense_agents) return dense_gap(laplacian);
  return std::nullopt;
}

}  // namespace

double consensus_rate(const Graph& graph, const MetropolisWeights& weights, RateMethod method) {
  if (!(weights.graph() == graph)) {
    throw InputError(
        "The weights are for another graph; compute them from the graph whose rate is requested.");
  }
  leave_if_stopped();
  if (graph.agents() == 1) return 0;
  if (!connected(graph)) return 1;
  if (graph.complete() && method == RateMethod::automatic) {  // every mean-free vector is an eigenvector
    const auto denominator = static_cast<double>(weights.denominator());
    return 1 - static_cast<double>(graph.agents() * weights.between(0, 1)) / denominator;
  }
  const auto found = gap(graph, laplacian(weights), method);
  if (!found) {
    throw Error(
        fmt::format("The consensus rate of this graph of {} agents and {} edges could not be computed: its "
                    "second eigenvalue did not converge; use a smaller or more regular graph.",
                    graph.agents(), graph.edges()));
  }
  return std::max(0.0, 1 - *found);
}

}  // namespace tacit
