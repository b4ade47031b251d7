// A prediction as the message that an agent sends to its user, and back. Variances stay variances.
#pragma once

#include <vector>

#include "tacit/agent/work/requests.pb.h"
#include "tacit/consortium/terms/terms.hpp"
#include "tacit/gp/prediction.hpp"

namespace tacit {

requests::Predicted message_of(const Prediction& found, const std::vector<Column>& targets);
/// Throws Error if numbers are missing.
Prediction prediction_of(const requests::Predicted& message);

}  // namespace tacit
