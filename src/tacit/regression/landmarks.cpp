#include "tacit/regression/landmarks.hpp"

namespace tacit {

std::size_t landmark_ceiling(std::size_t rows, std::size_t inputs) {
  const double allowed = most_opened * static_cast<double>(rows) * static_cast<double>(inputs + 1);
  std::size_t m = 0;
  while (m < most_landmarks && static_cast<double>((m + 1) * (m + 4)) / 2 <= allowed) ++m;
  return m;
}

}  // namespace tacit
