#include "tacit/consortium/terms/points.hpp"

#include <fmt/format.h>

#include "tacit/base/error.hpp"

namespace tacit {
namespace {

void check_number(const Column& column, Index point, double value) {
  if (!(value >= column.low && value <= column.high))
    throw InputError(fmt::format("point {}, column {}: {} is outside the agreed range {}", point + 1,
                                 column.name, value_text(column, value), range_text(column)));
}

template <class Cells>
void check_level(const Column& column, Index point, const Cells& cells) {
  Index ones = 0, zeros = 0;
  for (Index k = 0; k < cells.size(); ++k) {
    ones += cells(k) == 1 ? 1 : 0;
    zeros += cells(k) == 0 ? 1 : 0;
  }
  if (ones != 1 || ones + zeros != cells.size())
    throw InputError(
        fmt::format("point {}, column {}: the point must have exactly one of the {} agreed levels", point + 1,
                    column.name, column.levels.size()));
}

}  // namespace

void check_points(const Terms& terms, const Matrix& points) {
  const auto inputs = static_cast<Index>(width(terms.inputs));
  const auto most = static_cast<Index>(terms.limits.points);
  if (points.rows() < 1 || (most > 0 && points.rows() > most))
    throw InputError(fmt::format("{} points were requested, but 1 to {} are allowed (protocol.most_points)",
                                 points.rows(), most));
  if (points.cols() != inputs) throw InputError(fmt::format("points must have {} inputs each", inputs));
  for (Index r = 0; r < points.rows(); ++r) {
    Index at = 0;
    for (const Column& column : terms.inputs) {
      if (column.categorical()) {
        const auto levels = static_cast<Index>(column.levels.size());
        check_level(column, r, points.row(r).segment(at, levels));
        at += levels;
      } else {
        check_number(column, r, points(r, at++));
      }
    }
  }
}

}  // namespace tacit
