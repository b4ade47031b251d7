// The requests that agents send each other, as types. A request is decoded once, when it arrives; its points
// are checked then. request_check.hpp checks what can change until the run starts.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "tacit/agent/work/request_kind.hpp"
#include "tacit/base/error.hpp"
#include "tacit/consortium/terms/terms.hpp"
#include "tacit/gp/matrix.hpp"
#include "tacit/link/runs/run.hpp"
#include "tacit/secrecy/signature.hpp"

namespace tacit {

/// This agent refuses a request. Peers receive the reason; the words are for its owner.
class Refused : public InputError {
 public:
  Refused(Reason reason, const std::string& words) : InputError(words), reason_(reason) {}
  const Reason& reason() const { return reason_; }

 private:
  Reason reason_;
};

/// The model that a request is about. Agents that hold it use their own copy.
struct AskedModel {
  Digest digest{};
  std::string copy;  ///< with its seals, for agents that do not hold it; sealed_from_bytes reads it
};

struct FitRequest {
  std::uint64_t version = 0;  ///< of the new model
  std::string fit;            ///< hexadecimal name of the fit
  std::string fitted_at;      ///< UTC
  std::vector<std::string> without = {};
  bool automatic = false;  ///< the agent requested it automatically
};

struct PredictRequest {
  AskedModel about;
  Matrix points;
};

struct EvaluateRequest {
  AskedModel about;
};

struct TypedRequest {
  std::string ask;  ///< names the request, for the asker
  std::variant<FitRequest, PredictRequest, EvaluateRequest> what;

  RequestKind kind() const;
  /// What the policy counts: points of a prediction; otherwise 1.
  std::uint64_t amount() const;
  /// The number of points; 0 if it is not a prediction.
  std::uint64_t points() const;
  /// The model that it is about; null for a fit.
  const AskedModel* about() const;
};

/// The form in which a request is sent (requests.proto).
Request encoded(const TypedRequest& request);

/// Decodes a request of another agent. Throws Refused if it is malformed, or if its points or its time are
/// not allowed.
TypedRequest decoded(const Request& request, const Terms& terms);

}  // namespace tacit
