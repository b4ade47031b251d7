// A sealed model as JSON, for people and for an agent's own files. Agents do not send each other JSON.
#pragma once

#include <string>

#include "tacit/agent/model/model.hpp"
#include "tacit/base/error.hpp"

namespace tacit {

/// Reads back to the same bits. Agents are given by name. `salt`, in hexadecimal, belongs in the agent's own
/// file alone.
std::string to_text(const SealedModel& sealed, const Charter& charter, const std::string& salt = {});

/// The consortium has agreed on something else since: no fault of the file.
class OfAnotherCharter : public InputError {
 public:
  using InputError::InputError;
};

struct ReadModel {
  SealedModel sealed;
  std::string salt;
};

/// Throws OfAnotherCharter, and InputError for a text that to_text has not written and for a model that
/// check_sealed does not let pass.
ReadModel model_from_text(const std::string& text, const Charter& charter);

}  // namespace tacit
