// Kernels: what a Gaussian process believes of a function before it sees data. They compose with + and *.
//
//   const Kernel k = se(ard) + linear();
//   const Kernel seasons = matern32() + se() * periodic(12);
//
// Rasmussen and Williams' conventions: length-scales and periods have the unit of the inputs, signals are
// standard deviations in the unit of the outputs. docs/models.md has the formulas.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "tacit/gp/matrix.hpp"

namespace tacit {

struct Ard {};
/// One length-scale for each input (automatic relevance determination), all 1 to begin with.
inline constexpr Ard ard;

/// One length-scale for all inputs, or one for each.
class Lengthscale {
 public:
  Lengthscale(double all) : values_{all} {}                                        // NOLINT
  Lengthscale(Ard) : ard_(true), values_{1} {}                                     // NOLINT
  Lengthscale(std::vector<double> each) : ard_(true), values_(std::move(each)) {}  // NOLINT
  Lengthscale(std::initializer_list<double> each) : ard_(true), values_(each) {}   // NOLINT

 private:
  friend class Kernel;
  bool ard_ = false;
  std::vector<double> values_;
};

enum class Shape { constant, linear, se, matern12, matern32, matern52, rational_quadratic, periodic };

class Kernel {
 public:
  /// A kernel that is not composed.
  struct Leaf {
    Shape shape = Shape::se;
    bool ard = false;
    std::vector<double> lengthscale;  ///< one, one for each input, or none if the shape has none
    double extra = 1;                 ///< alpha of the rational quadratic, period of the periodic
    double signal = 1;
    bool free_signal = true;  ///< false where another factor of a product carries it, and for linear(ard)

    bool has_extra() const { return shape == Shape::rational_quadratic || shape == Shape::periodic; }
    bool operator==(const Leaf&) const = default;
  };
  /// Children come before parents; the last node is the whole.
  struct Node {
    enum class Kind { leaf, sum, product } kind = Kind::leaf;
    std::size_t left = 0, right = 0;  ///< nodes; of a leaf, left is its place among the leaves
    bool operator==(const Node&) const = default;
  };

  /// se()
  Kernel();
  /// Throws InputError, naming parameter and value, for one that is not between 1e-100 and 1e100.
  Kernel(Shape shape, Lengthscale lengthscale, double extra, double signal);

  friend Kernel operator+(const Kernel& a, const Kernel& b);
  /// A product has one signal, that of its first factor; the signals of other factors are moved there.
  friend Kernel operator*(const Kernel& a, const Kernel& b);
  bool operator==(const Kernel&) const = default;

  const std::vector<Leaf>& leaves() const { return leaves_; }
  const std::vector<Node>& nodes() const { return nodes_; }

  /// How many numbers can be tuned, and which: leaf by leaf the length-scales, then alpha or period,
  /// then the signal.
  std::size_t parameters() const;
  std::vector<double> numbers() const;
  std::vector<double> logarithms() const;
  /// The same kernel with other numbers, given as they are or by their logarithms.
  Kernel with(std::span<const double> numbers) const;
  Kernel at(std::span<const double> logarithms) const;
  /// Such as "se.lengthscale[2]"; with several leaves of a shape "se#2.signal".
  std::vector<std::string> names() const;

  /// The same kernel with as many length-scales in each ARD leaf as there are inputs. Throws InputError if it
  /// was given another number of them.
  Kernel for_inputs(Index inputs) const;

  /// k(x, x) for each row.
  Vector prior_variance(const MatrixView& points) const;

  /// As parse_kernel reads it: with all numbers, to the last bit, or only the form, such as
  /// "se-ard + linear".
  std::string text() const;
  std::string form() const;

 private:
  std::string written(std::size_t at, bool numbers) const;
  static Kernel joined(const Kernel& a, const Kernel& b, Node::Kind kind);
  void amplify(std::size_t node, double factor);
  double normalise(std::size_t node);

  std::vector<Leaf> leaves_;
  std::vector<Node> nodes_;
};

Kernel constant(double signal = 1);
Kernel linear(double signal = 1);
Kernel linear(Lengthscale lengthscale);
Kernel se(Lengthscale lengthscale = 1., double signal = 1);
Kernel matern12(Lengthscale lengthscale = 1., double signal = 1);
Kernel matern32(Lengthscale lengthscale = 1., double signal = 1);
Kernel matern52(Lengthscale lengthscale = 1., double signal = 1);
Kernel rational_quadratic(Lengthscale lengthscale = 1., double alpha = 1, double signal = 1);
/// Periodic in every input, with one period for all.
Kernel periodic(double period = 1, Lengthscale lengthscale = 1., double signal = 1);

/// k(a_i, b_j) for all rows of both, rows(a) x rows(b). Throws InputError for non-finite entries or different
/// numbers of columns. O(rows(a) rows(b) dimensions) for each leaf of the kernel. Accurate to a few units in
/// the last place of the exponent wherever the points lie; values under about 1e-304 signal^2 are 0.
Matrix covariance(const Matrix& a, const Matrix& b, const Kernel& kernel);

/// The name of a shape in kernel texts and parameter names.
const char* name_of(Shape shape);

/// From text such as "se-ard + linear" or "matern32(lengthscale=[1,2], signal=3) * periodic(period=12)".
/// Names are constant, linear, se, matern12, matern32, matern52, rq, periodic, with -ard for one length-scale
/// per input; * or × binds before +; parentheses group. Throws InputError that says which character is wrong.
/// What people write is short; a kernel with numbers for very many inputs, from a file, may need more bytes.
inline constexpr std::size_t most_kernel_text = 1024;
Kernel parse_kernel(std::string_view text, std::size_t most_bytes = most_kernel_text);

}  // namespace tacit
