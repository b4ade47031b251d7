// Raw HTTP requests to a local server, which no library would send.
#pragma once

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <string>

namespace tacit {

inline int connect_to(int port) {
  const int handle = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  EXPECT_EQ(::connect(handle, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  return handle;
}

/// Everything that the server sends until it closes the connection.
inline std::string answer_to(int port, const std::string& request) {
  const int handle = connect_to(port);
  EXPECT_EQ(::send(handle, request.data(), request.size(), MSG_NOSIGNAL),
            static_cast<ssize_t>(request.size()));
  std::string answer;
  char some[4096];
  for (ssize_t got = 0; (got = ::recv(handle, some, sizeof some, 0)) > 0;)
    answer.append(some, static_cast<std::size_t>(got));
  ::close(handle);
  return answer;
}

}  // namespace tacit
