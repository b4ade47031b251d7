// Why an agent is away: is nobody there, or does somebody not answer?
#pragma once

#include <filesystem>
#include <string>

#include "tacit/agent/control/control.pb.h"

namespace tacit {

/// Tries the addresses of neighbours that there is no link to, all at once and for a second at most, and
/// fills in `why`.
void diagnose_peers(control::StatusReply& reply);

/// Is there an agent behind this control socket that could answer? Throws Error, saying what to do, when
/// nobody listens there, when only somebody else may ask, and when the agent is stopped (SIGSTOP).
void check_listening(const std::filesystem::path& socket);

/// The process behind this control socket; 0 when nobody listens there, or the kernel does not say.
int process_behind(const std::filesystem::path& socket);

/// What to say of an agent behind this socket that has not answered within `limit`, as "3 s".
std::string why_silent(const std::filesystem::path& socket, const std::string& limit);

}  // namespace tacit
