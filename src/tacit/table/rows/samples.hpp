// Rows of data: what a model is given, and what it is to predict.
#pragma once

#include "tacit/gp/matrix.hpp"

namespace tacit {

/// One sample a row.
struct Samples {
  Matrix inputs;
  Matrix outputs;
};

}  // namespace tacit
