// JSON for the page besides answers: the charter, the owner's policy and the history.
#pragma once

#include <optional>
#include <string>

#include "tacit/agent/control/control.hpp"
#include "tacit/agent/work/history.hpp"
#include "tacit/agent/work/policy.hpp"
#include "tacit/answers/json.hpp"
#include "tacit/charter/charter.hpp"

namespace tacit {

/// The JSON with plain words and a charter's fields for the settings in its texts (base/settings.hpp).
Json in_page_words(Json json);

/// The charter of the agent called `self`, as fields and as the text of `tacit charter explain`, with the
/// changes since the previous charter.
Json charter_json(const Charter& charter, const std::optional<Charter>& before, const std::string& self);

/// The owner's rules, and the requests that other agents have left today.
Json policy_json(const PolicyRules& rules, const control::StatusReply& status);

/// Requests and scores, newest first.
Json runs_json(const Past& past);
Json quality_json(const Past& past);

}  // namespace tacit
