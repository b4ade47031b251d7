// What the page shows besides answers: the charter, the owner's policy, and what has been.
#pragma once

#include <optional>
#include <string>

#include "tacit/agent/control/control.hpp"
#include "tacit/agent/work/history.hpp"
#include "tacit/agent/work/policy.hpp"
#include "tacit/answers/json.hpp"
#include "tacit/charter/charter.hpp"

namespace tacit {

/// The charter that the agent called `self` serves, in fields and in the words of `tacit charter explain`,
/// and what is different from the one before.
Json charter_json(const Charter& charter, const std::optional<Charter>& before, const std::string& self);

/// The owner's rules, and what other agents may still ask for today.
Json policy_json(const PolicyRules& rules, const control::StatusReply& status);

/// The newest first.
Json runs_json(const Past& past);
Json quality_json(const Past& past);

}  // namespace tacit
