// TCP between ranks, which may be on one machine or on several.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace tacit {

/// How long one address is tried.
inline constexpr auto one_try = std::chrono::seconds(2);

std::string host_name();

/// Processes for which this is the same reach each other at 127.0.0.1. Names would not do: containers on
/// several machines may all be called localhost, and those on one have networks of their own.
std::string loopback_of();

/// Where others may reach this machine: its name, which not every machine may be able to look up, and its
/// IPv4 addresses.
std::vector<std::string> addresses();

/// A socket that listens on a port of the system's choice. Throws Error.
int listening(bool this_machine_only, std::uint16_t& port);

/// A socket that is connected to it; -1 when there is none within one_try.
int connected(const std::string& host, const std::string& port);

/// A machine that is switched off closes nothing: probes tell, within half a minute.
void keep_alive(int socket);

/// Milliseconds until then, from 0 on, as poll takes them.
int left(std::chrono::steady_clock::time_point until);

/// Whether there is something to read by then.
bool readable(int socket, std::chrono::steady_clock::time_point until);

}  // namespace tacit
