// An agent's status as a stream of events, for pages that are open.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>

#include "tacit/page/event_stream.hpp"

namespace tacit {

/// Events "status": at once, whenever there is something new, and after this time without news. They end when
/// whoever asked is not welcome any more.
NextEvents status_stream(const std::filesystem::path& control, std::function<bool()> welcome,
                         std::chrono::seconds without_news = std::chrono::seconds(10));

}  // namespace tacit
