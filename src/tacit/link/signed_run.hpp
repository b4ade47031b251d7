// Runs on the wire, under their originator's signature: agents that pass an announcement on cannot change it.
#pragma once

#include <string_view>

#include "tacit/link/frame.hpp"
#include "tacit/link/node_options.hpp"
#include "tacit/link/run.hpp"

namespace tacit {

/// Of an own run; the request's body goes with it as payload.
wire::Header announcement_of(const Run& run, const NodeOptions& options);
/// With the agents that are present.
wire::Header start_of(const Run& run, const NodeOptions& options);

/// Throws Error for an invalid name.
Run run_from(const wire::Announcement& announcement, std::string_view body);

bool is_signed(const wire::Announcement& announcement, const Run& run, const NodeOptions& options);
bool is_signed(const wire::Start& start, const Run& run, const NodeOptions& options);

}  // namespace tacit
