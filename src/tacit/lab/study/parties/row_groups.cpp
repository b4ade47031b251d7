#include "tacit/lab/study/parties/row_groups.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "tacit/base/error.hpp"
#include "tacit/table/rows/row_blocks.hpp"

namespace tacit {
namespace {

// ⌈fraction · rows⌉, where a product within its rounding error of an integer counts as that integer.
std::size_t share_of(double fraction, std::size_t rows) {
  const double product = fraction * static_cast<double>(rows), whole = std::round(product);
  const double rounding = 2 * std::numeric_limits<double>::epsilon() * product;
  return static_cast<std::size_t>(std::abs(product - whole) <= rounding ? whole : std::ceil(product));
}

}  // namespace

std::vector<std::size_t> along_first_axis(const Matrix& inputs) {
  Matrix standard = inputs.rowwise() - inputs.colwise().mean();
  for (Index d = 0; d < standard.cols(); ++d)
    if (const double norm = standard.col(d).norm(); norm > 0) standard.col(d) /= norm;
  const Eigen::SelfAdjointEigenSolver<Matrix> axes(standard.transpose() * standard);
  Vector first = axes.eigenvectors().rightCols(1);  // eigenvalues ascend
  Index largest = 0;
  first.cwiseAbs().maxCoeff(&largest);
  if (first(largest) < 0) first = -first;  // the same direction on all machines
  const Vector along = standard * first;
  std::vector<std::size_t> order(static_cast<std::size_t>(inputs.rows()));
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return along(static_cast<Index>(a)) < along(static_cast<Index>(b));
  });
  return order;
}

std::pair<std::vector<std::size_t>, std::vector<std::size_t>> hold_out(std::size_t rows, double fraction,
                                                                       std::uint64_t seed) {
  if (!(fraction > 0 && fraction < 1)) {
    throw InputError(fmt::format(
        "The fraction of rows to hold out is {}; give a number between 0 and 1 (`test_fraction`).",
        fraction));
  }
  const std::size_t count = share_of(fraction, rows);
  if (count >= rows) {
    throw InputError(
        fmt::format("Holding out {} of {} row{} (a fraction of {}) leaves none for training; give a smaller "
                    "fraction or more rows.",
                    count, rows, rows == 1 ? "" : "s", fraction));
  }
  std::vector<std::size_t> test = shuffled_rows(rows, seed);
  std::vector<std::size_t> train(test.begin() + static_cast<std::ptrdiff_t>(count), test.end());
  test.resize(count);
  test.shrink_to_fit();  // releases the memory for all rows
  std::sort(train.begin(), train.end());
  std::sort(test.begin(), test.end());
  return {std::move(train), std::move(test)};
}

Groups groups_by(const TextColumn& labels, std::span<const std::size_t> rows) {
  std::vector<std::vector<std::size_t>> by_word(labels.words().size());
  for (const std::size_t row : rows) {
    if (row >= labels.size()) {
      throw InputError(fmt::format("Row {} has no label, because there are only {} labels; label every row.",
                                   row, labels.size()));
    }
    by_word[labels.codes()[row]].push_back(row);
  }
  std::vector<std::size_t> order(by_word.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return label_before(labels.words()[a], labels.words()[b]); });
  Groups groups;
  for (const std::size_t word : order) {
    if (by_word[word].empty()) continue;
    groups.names.push_back(labels.words()[word]);
    groups.rows.push_back(std::move(by_word[word]));
  }
  return groups;
}

}  // namespace tacit
