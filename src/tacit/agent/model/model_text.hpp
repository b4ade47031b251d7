// A sealed model as JSON, for an agent's own files. Agents and users exchange messages (model.proto).
#pragma once

#include <string>

#include "tacit/agent/model/model.hpp"
#include "tacit/base/error.hpp"

namespace tacit {

/// Reading restores the same bits. Agents are listed by name. Pass `salt`, in hexadecimal, only for the
/// agent's own file.
std::string to_text(const SealedModel& sealed, const Charter& charter, const std::string& salt = {});

/// The model was fitted under another charter; the file itself is valid.
class OfAnotherCharter : public InputError {
 public:
  using InputError::InputError;
};

struct ReadModel {
  SealedModel sealed;
  std::string salt;
};

/// Throws OfAnotherCharter. Throws InputError if to_text did not write the text, or if check_sealed fails.
ReadModel model_from_text(const std::string& text, const Charter& charter);

}  // namespace tacit
