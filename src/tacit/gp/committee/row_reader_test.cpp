#include "tacit/gp/committee/row_reader.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "tacit/base/error.hpp"
#include "tacit/gp/committee/committee.hpp"
#include "tacit/gp/gp_testing.hpp"

namespace tacit {
namespace {

using testing::random_matrix;

// Rows that do not appear to be in memory.
class Elsewhere final : public RowReader {
 public:
  Elsewhere(const Matrix& x, const Matrix& y) : rows_(rows_in_memory(x, y)) {}
  std::size_t rows() const override { return rows_->rows(); }
  Index inputs() const override { return rows_->inputs(); }
  Index outputs() const override { return rows_->outputs(); }
  void read(std::span<const Index> which, Matrix& inputs, Matrix& outputs) const override {
    rows_->read(which, inputs, outputs);
  }

 private:
  std::shared_ptr<const RowReader> rows_;
};

TEST(RowReader, GivesRowsInAnyOrderAndAllInPieces) {
  const Matrix x = random_matrix(9000, 3, 1), y = random_matrix(9000, 2, 2);
  std::vector<Index> backwards(9000);
  std::iota(backwards.rbegin(), backwards.rend(), 0);
  const auto reader = some_rows(rows_in_memory(x, y), backwards);
  EXPECT_TRUE(reader->in_memory());
  Index at = 0;
  for_each_piece(*reader, [&](const Matrix& inputs, const Matrix& outputs) {
    ASSERT_LE(at + inputs.rows(), 9000);
    EXPECT_EQ(inputs, x.colwise().reverse().middleRows(at, inputs.rows()));
    EXPECT_EQ(outputs, y.colwise().reverse().middleRows(at, inputs.rows()));
    at += inputs.rows();
  });
  EXPECT_EQ(at, 9000);
  Matrix inputs, outputs;
  read_all(*reader, inputs, outputs);
  EXPECT_EQ(inputs, x.colwise().reverse());
  EXPECT_EQ(outputs, y.colwise().reverse());
}

TEST(RowReader, ACrewComputesTheSameWhereverRowsAre) {
  const Matrix x = random_matrix(90, 2, 1), y = random_matrix(90, 1, 2);
  const CommitteeOptions options{.expert_rows = 12};
  const Prior prior{se(1.2), 0.3};
  const Likelihood here = Committee(x, y, options).likelihood(prior, 0, 1);
  const Likelihood there =
      Committee(crew_of_threads(std::make_shared<const Elsewhere>(x, y), options, 2)).likelihood(prior, 0, 1);
  EXPECT_EQ(here.value, there.value);
  EXPECT_EQ(here.slopes, there.slopes);
  EXPECT_THROW(split_rows(Elsewhere(x, y), {.expert_rows = 12, .split = RowSplit::clusters}), InputError);
}

}  // namespace
}  // namespace tacit
