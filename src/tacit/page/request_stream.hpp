// Requests from the page to the agent. Each becomes a stream of events: its name, progress messages, and then
// its result or error.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tacit/agent/control/control.hpp"
#include "tacit/answers/json.hpp"
#include "tacit/page/event_stream.hpp"
#include "tacit/table/read_options.hpp"

namespace tacit {

/// Sends a request through the client and returns the result.
using PageRequest = std::function<Json(ControlClient&, const ControlClient::Words&)>;

PageRequest fit_request(const Json& body);
PageRequest evaluate_request();
/// `inputs` are the charter's, and `how` has the owner's settings for reading. Throws InputError for an
/// invalid body; an invalid table becomes an error event.
PageRequest predict_request(const Json& body, const std::vector<Column>& inputs, const ReadOptions& how);

/// Starts the request at once, on its own thread. If the browser disconnects, the agents continue the
/// request, as after the death of a command.
NextEvents request_stream(const std::filesystem::path& control, PageRequest request);

}  // namespace tacit
