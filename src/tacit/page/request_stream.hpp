// Requests to the agent from its page, each as a stream of events: its name, words on the way, then its
// result or why there is none.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "tacit/agent/control/control.hpp"
#include "tacit/answers/json.hpp"
#include "tacit/page/event_stream.hpp"
#include "tacit/table/read_options.hpp"

namespace tacit {

/// Asks through the client, and gives the result.
using PageRequest = std::function<Json(ControlClient&, const ControlClient::Words&)>;

PageRequest fit_request(const Json& body);
PageRequest evaluate_request();
/// `how` says how the owner's files are read. Throws InputError when the body is not as it should be; a table
/// that is not is an error of the request.
PageRequest predict_request(const Json& body, const ReadOptions& how);

/// Begins at once, on a thread of its own. When the browser goes away, nobody waits for the answer any
/// longer, and the agents go on, as when a command is killed.
NextEvents request_stream(const std::filesystem::path& control, PageRequest request);

}  // namespace tacit
