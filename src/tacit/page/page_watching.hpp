// An agent's status as a stream of events, for pages that are open.
#pragma once

#include <filesystem>
#include <functional>

#include "tacit/page/event_stream.hpp"

namespace tacit {

/// Events "status": at once, whenever there is something new, and every few seconds. They end when whoever
/// asked is not welcome any more.
NextEvents watched(const std::filesystem::path& control, std::function<bool()> welcome);

}  // namespace tacit
