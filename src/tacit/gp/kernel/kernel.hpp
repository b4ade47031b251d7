// Covariance functions (kernels) of Gaussian processes. They compose with + and *:
//
//   const Kernel k = se(ard) + linear();
//   const Kernel seasons = matern32() + se() * periodic(12);
//
// Conventions follow Rasmussen and Williams: length-scales and periods are in the unit of the inputs; signals
// are standard deviations in the unit of the outputs. docs/models.md lists the formulas.
//
// Threads: plain values; const functions may run on any number of threads.
// Errors: InputError for numbers, texts and points that cannot be used.
// Stopping: `covariance` runs to its end; nothing else takes long.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "tacit/gp/matrix.hpp"

namespace tacit {

struct Ard {};
/// Selects one length-scale for each input (automatic relevance determination), initially 1.
inline constexpr Ard ard;

/// The length-scale of a kernel: one for all inputs, or one for each input.
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

/// The form of a basic kernel.
enum class Shape { constant, linear, se, matern12, matern32, matern52, rational_quadratic, periodic };

/// A kernel, composed of basic kernels by sums and products. It is an expression tree whose leaves are the
/// basic kernels.
class Kernel {
 public:
  /// A basic kernel.
  struct Leaf {
    Shape shape = Shape::se;
    bool ard = false;
    std::vector<double> lengthscale;  ///< one, one for each input, or none if the shape has none
    double extra = 1;  ///< alpha of the rational quadratic, or the period of the periodic kernel
    double signal = 1;
    bool free_signal = true;  ///< false if another factor of a product has the signal, and for linear(ard)

    /// Returns whether the shape uses `extra`.
    bool has_extra() const { return shape == Shape::rational_quadratic || shape == Shape::periodic; }
    bool operator==(const Leaf&) const = default;
  };
  /// A node of the expression tree. Children precede their parents; the last node is the root.
  struct Node {
    enum class Kind { leaf, sum, product } kind = Kind::leaf;
    std::size_t left = 0, right = 0;  ///< indices of the children; for a leaf, left is its index in leaves()
    bool operator==(const Node&) const = default;
  };

  /// Creates se().
  Kernel();
  /// Creates a basic kernel. Throws InputError, naming the parameter and its value, if one is not between
  /// 1e-100 and 1e100.
  Kernel(Shape shape, Lengthscale lengthscale, double extra, double signal);

  friend Kernel operator+(const Kernel& a, const Kernel& b);
  /// Returns the product. It has one signal, in its first factor, which takes over the signals of the others.
  friend Kernel operator*(const Kernel& a, const Kernel& b);
  bool operator==(const Kernel&) const = default;

  const std::vector<Leaf>& leaves() const { return leaves_; }
  const std::vector<Node>& nodes() const { return nodes_; }

  /// Returns the number of parameters that can be tuned. For each leaf in order, these are the length-scales,
  /// then alpha or the period, then the signal.
  std::size_t parameters() const;
  /// Returns the values of the parameters.
  std::vector<double> numbers() const;
  /// Returns the natural logarithms of the parameters.
  std::vector<double> logarithms() const;
  /// Returns this kernel with other values of the parameters. Throws InputError as the constructor does, and
  /// if the number of values differs from parameters().
  Kernel with(std::span<const double> numbers) const;
  /// Returns the same, given the natural logarithms of the values.
  Kernel at(std::span<const double> logarithms) const;
  /// Returns the names of the parameters, such as "se.lengthscale[2]". If several leaves have the same shape,
  /// they are numbered, as in "se#2.signal".
  std::vector<std::string> names() const;

  /// Returns this kernel with one length-scale for each input in every ARD leaf. Throws InputError if a leaf
  /// was given a different number of length-scales.
  Kernel for_inputs(Index inputs) const;

  /// Returns k(x, x) for each row x.
  Vector prior_variance(const MatrixView& points) const;

  /// Returns the text that parse_kernel reads, with all numbers to the last bit.
  std::string text() const;
  /// Returns the text without numbers, such as "se-ard + linear".
  std::string form() const;

 private:
  std::string written(std::size_t at, bool numbers) const;
  static Kernel joined(const Kernel& a, const Kernel& b, Node::Kind kind);
  void amplify(std::size_t node, double factor);
  double normalise(std::size_t node);

  std::vector<Leaf> leaves_;
  std::vector<Node> nodes_;
};

/// The basic kernels. All throw InputError if a number is not between 1e-100 and 1e100.
Kernel constant(double signal = 1);
Kernel linear(double signal = 1);
Kernel linear(Lengthscale lengthscale);
Kernel se(Lengthscale lengthscale = 1., double signal = 1);
Kernel matern12(Lengthscale lengthscale = 1., double signal = 1);
Kernel matern32(Lengthscale lengthscale = 1., double signal = 1);
Kernel matern52(Lengthscale lengthscale = 1., double signal = 1);
Kernel rational_quadratic(Lengthscale lengthscale = 1., double alpha = 1, double signal = 1);
/// A kernel that is periodic in every input, with one period for all inputs.
Kernel periodic(double period = 1, Lengthscale lengthscale = 1., double signal = 1);

/// Returns the matrix of k(a_i, b_j) over all rows of `a` and `b`. Throws InputError if an entry is not
/// finite or the numbers of columns differ. Takes O(rows(a) rows(b) dimensions) time for each leaf of the
/// kernel. The exponent is accurate to a few units in the last place, also far from the origin. Values below
/// about 1e-304 signal^2 are 0.
Matrix covariance(const Matrix& a, const Matrix& b, const Kernel& kernel);

/// Returns the name of a shape in kernel texts and parameter names.
const char* name_of(Shape shape);

/// The default limit on the length of a kernel text in bytes. Texts with numbers for very many inputs, which
/// programs write to files, can be longer.
inline constexpr std::size_t most_kernel_text = 1024;

/// Parses a text such as "se-ard + linear" or "matern32(lengthscale=[1,2], signal=3) * periodic(period=12)".
/// Names are constant, linear, se, matern12, matern32, matern52, rq and periodic; the suffix -ard gives one
/// length-scale per input. The product (* or ×) binds more tightly than +, and parentheses group. Throws
/// InputError with the position of the wrong character, or if the text is longer than `most_bytes`.
Kernel parse_kernel(std::string_view text, std::size_t most_bytes = most_kernel_text);

}  // namespace tacit
