// An agent's status as a stream of events, for open pages.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>

#include "tacit/page/event_stream.hpp"

namespace tacit {

/// Sends events "status": at once, at every change, and after `without_news` without a change. They end when
/// `welcome` returns false.
NextEvents status_stream(const std::filesystem::path& control, std::function<bool()> welcome,
                         std::chrono::seconds without_news = std::chrono::seconds(10));

}  // namespace tacit
