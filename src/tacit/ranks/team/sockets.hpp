// TCP connections between ranks on one or several machines.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace tacit {

/// The time limit for trying one address.
inline constexpr auto one_try = std::chrono::seconds(2);

std::string host_name();

/// Processes with the same value reach each other at 127.0.0.1. Host names do not show this: containers on
/// several machines may all be called localhost, and containers on one machine have separate networks.
std::string loopback_of();

/// Returns where other machines may reach this one: its name, which some of them may not resolve, and its
/// IPv4 addresses.
std::vector<std::string> addresses();

/// Returns a socket that listens on a port chosen by the operating system. Throws Error on failure.
int listening(bool this_machine_only, std::uint16_t& port);

/// Returns a socket connected to this address, or -1 if that fails within one_try.
int connected(const std::string& host, const std::string& port);

/// Turns on probes that detect, within half a minute, a machine that was switched off and closed nothing.
void keep_alive(int socket);

/// Returns the milliseconds until then, at least 0, for poll.
int left(std::chrono::steady_clock::time_point until);

/// Waits until then at most. Returns whether there is something to read.
bool readable(int socket, std::chrono::steady_clock::time_point until);

}  // namespace tacit
