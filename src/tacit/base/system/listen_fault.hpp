// Finds out why a server cannot listen on an address, which the libraries that listen do not report.
#pragma once

#include <string>

namespace tacit {

/// Why no server can listen on this host and port at present: a clause with the fix. Empty if one can. If the
/// host has several addresses, the port must be free at all of them. It is closed again before this returns.
std::string listen_fault(const std::string& host, const std::string& port);

/// Whether `host` is or resolves to an address of this machine.
bool is_of_this_machine(const std::string& host);

}  // namespace tacit
