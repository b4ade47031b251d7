// Finds out why an agent cannot be reached: no process is there, or one does not answer.
#pragma once

#include <filesystem>
#include <string>

#include "tacit/agent/control/control.pb.h"

namespace tacit {

/// Tries to connect to all neighbours without a link at the same time, for at most a second, and fills in
/// `why`.
void diagnose_peers(control::StatusReply& reply);

/// Checks that an agent can answer on this control socket. Throws Error, with the fix, if no process listens
/// there, if only another user may use it, or if the agent is stopped (SIGSTOP).
void check_listening(const std::filesystem::path& socket);

/// The process that listens on this control socket; 0 if there is none or it is unknown.
int process_behind(const std::filesystem::path& socket);

/// The error message for an agent that has not answered on this socket within `limit`, such as "3 s".
std::string why_silent(const std::filesystem::path& socket, const std::string& limit);

}  // namespace tacit
