// Rows of data: the inputs of a model, and the outputs that it predicts.
#pragma once

#include "tacit/gp/matrix.hpp"

namespace tacit {

/// One sample in each row.
struct Samples {
  Matrix inputs;
  Matrix outputs;
};

}  // namespace tacit
