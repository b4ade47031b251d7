// Rows of data: the inputs of a model, and the outputs that it predicts.
//
// Threads: plain values.
// Errors: nothing of its own.
// Stopping: nothing here takes long.
#pragma once

#include "tacit/gp/matrix.hpp"

namespace tacit {

/// One sample in each row.
struct Samples {
  Matrix inputs;
  Matrix outputs;
};

}  // namespace tacit
