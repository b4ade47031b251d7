#include "tacit/gp/committee/row_reader.hpp"

#include <algorithm>
#include <numeric>

namespace tacit {
namespace {

constexpr std::size_t rows_in_a_piece = 4096;

class MemoryRows final : public RowReader {
 public:
  MemoryRows(const Matrix& inputs, const Matrix& outputs) : inputs_(inputs), outputs_(outputs) {}

  std::size_t rows() const override { return static_cast<std::size_t>(inputs_.rows()); }
  Index inputs() const override { return inputs_.cols(); }
  Index outputs() const override { return outputs_.cols(); }
  void read(std::span<const Index> which, Matrix& inputs, Matrix& outputs) const override {
    inputs = inputs_(which, Eigen::all);
    outputs = outputs_(which, Eigen::all);
  }
  bool in_memory() const override { return true; }

 private:
  const Matrix& inputs_;
  const Matrix& outputs_;
};

class SomeRows final : public RowReader {
 public:
  SomeRows(std::shared_ptr<const RowReader> of, std::vector<Index> which)
      : of_(std::move(of)), which_(std::move(which)) {}

  std::size_t rows() const override { return which_.size(); }
  Index inputs() const override { return of_->inputs(); }
  Index outputs() const override { return of_->outputs(); }
  void read(std::span<const Index> which, Matrix& inputs, Matrix& outputs) const override {
    std::vector<Index> there(which.size());
    std::ranges::transform(which, there.begin(),
                           [&](Index row) { return which_[static_cast<std::size_t>(row)]; });
    of_->read(there, inputs, outputs);
  }
  bool in_memory() const override { return of_->in_memory(); }

 private:
  std::shared_ptr<const RowReader> of_;
  std::vector<Index> which_;
};

std::vector<Index> numbers_from(std::size_t first, std::size_t count) {
  std::vector<Index> numbers(count);
  std::iota(numbers.begin(), numbers.end(), static_cast<Index>(first));
  return numbers;
}

}  // namespace

std::shared_ptr<const RowReader> rows_in_memory(const Matrix& inputs, const Matrix& outputs) {
  return std::make_shared<const MemoryRows>(inputs, outputs);
}

std::shared_ptr<const RowReader> some_rows(std::shared_ptr<const RowReader> of, std::vector<Index> which) {
  return std::make_shared<const SomeRows>(std::move(of), std::move(which));
}

void for_each_piece(const RowReader& source, const std::function<void(const Matrix&, const Matrix&)>& visit) {
  Matrix inputs, outputs;
  for (std::size_t row = 0; row < source.rows(); row += rows_in_a_piece) {
    source.read(numbers_from(row, std::min(rows_in_a_piece, source.rows() - row)), inputs, outputs);
    visit(inputs, outputs);
  }
}

void read_all(const RowReader& source, Matrix& inputs, Matrix& outputs) {
  source.read(numbers_from(0, source.rows()), inputs, outputs);
}

}  // namespace tacit
