#include "tacit/link/transport/first_message.hpp"

#include <sys/ioctl.h>
#include <sys/socket.h>

#include <array>
#include <string_view>
#include <vector>

namespace tacit {
namespace {

constexpr std::size_t most_tls_bytes = (16 << 10) + 256;  // of a record, RFC 8446
constexpr std::size_t most_head_bytes = 64 << 10;         // fits into the system's buffer
constexpr std::string_view end_of_head = "\r\n\r\n";

// What has arrived, up to the size of `place`.
template <class Place>
std::string_view peek(int socket, Place& place) {
  const ssize_t size = ::recv(socket, place.data(), place.size(), MSG_PEEK | MSG_DONTWAIT);
  return {place.data(), size > 0 ? static_cast<std::size_t>(size) : 0};
}

std::size_t arrived(int socket) {
  int bytes = 0;
  return ::ioctl(socket, FIONREAD, &bytes) == 0 && bytes > 0 ? static_cast<std::size_t>(bytes) : 0;
}

}  // namespace

FirstMessage look_for_tls(int socket) {
  std::array<char, 5> place{};  // type, version, length
  const std::string_view head = peek(socket, place);
  if (!head.empty() && head[0] != 0x16) return FirstMessage::wrong;  // not a handshake
  if (head.size() > 1 && head[1] != 3) return FirstMessage::wrong;
  if (head.size() < place.size()) return FirstMessage::incomplete;
  const std::size_t length = static_cast<unsigned char>(head[3]) * 256u + static_cast<unsigned char>(head[4]);
  if (length == 0 || length > most_tls_bytes) return FirstMessage::wrong;
  return arrived(socket) >= place.size() + length ? FirstMessage::complete : FirstMessage::incomplete;
}

FirstMessage look_for_http2(int socket) {
  constexpr std::string_view preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
  std::array<char, preface.size()> place{};
  const std::string_view head = peek(socket, place);
  if (!preface.starts_with(head)) return FirstMessage::wrong;
  return head.size() == preface.size() ? FirstMessage::complete : FirstMessage::incomplete;
}

FirstMessage look_for_http(int socket) {
  thread_local std::vector<char> place(most_head_bytes);
  const std::string_view head = peek(socket, place);
  if (head.find(end_of_head) != head.npos) return FirstMessage::complete;
  return head.size() < place.size() ? FirstMessage::incomplete : FirstMessage::wrong;
}

std::string http_head(int socket) {
  std::vector<char> place(most_head_bytes);
  const std::string_view all = peek(socket, place);
  const std::size_t end = all.find(end_of_head);
  return std::string(all.substr(0, end == all.npos ? 0 : end + end_of_head.size()));
}

}  // namespace tacit
