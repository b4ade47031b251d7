#include "tacit/agent/control/http_stream.hpp"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>

namespace tacit {

std::optional<HttpStream::Clock::time_point> HttpStream::waits_since() const {
  if (!waiting_ || lasting_) return std::nullopt;
  return waits_since_.load();
}

void HttpStream::end() const { ::shutdown(socket_.get(), SHUT_RDWR); }

// False if the time is over.
bool HttpStream::wait_for(short event) const {
  waiting_ = true;
  pollfd one{socket_.get(), event, 0};
  int ready = 0;
  do {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until_ - Clock::now());
    if (left.count() <= 0) break;
    ready = ::poll(&one, 1, static_cast<int>(left.count()));
  } while (ready < 0 && errno == EINTR);
  waiting_ = false;
  return ready > 0;
}

void HttpStream::refuse(std::string_view answer) {
  // A connection that is closed with unread bytes is reset, and the client might not see the answer.
  for (int k = 0; k < 16 && ::recv(socket_.get(), arrived_.data(), arrived_.size(), MSG_DONTWAIT) > 0; ++k)
    continue;
  write(answer.data(), answer.size());
}

bool HttpStream::is_readable() const { return next_ < last_ || wait_for(POLLIN); }

// Whether the client still exists. What it has sent is not read.
bool HttpStream::is_writable() const {
  char byte = 0;
  const ssize_t size = ::recv(socket_.get(), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  return size > 0 || (size < 0 && (errno == EAGAIN || errno == EINTR));
}

ssize_t HttpStream::read(char* to, std::size_t size) {
  if (next_ == last_) {
    ssize_t got = 0;
    while ((got = ::recv(socket_.get(), arrived_.data(), arrived_.size(), MSG_DONTWAIT)) < 0)
      if (errno != EINTR && (errno != EAGAIN || !wait_for(POLLIN))) return -1;
    if (got == 0 || Clock::now() >= until_) return got == 0 ? 0 : -1;
    next_ = 0;
    last_ = static_cast<std::size_t>(got);
  }
  const std::size_t part = std::min(size, last_ - next_);
  std::copy_n(arrived_.data() + next_, part, to);
  next_ += part;
  return static_cast<ssize_t>(part);
}

ssize_t HttpStream::write(const char* from, std::size_t size) {
  if (!answering_ || lasting_) {
    answering_ = true;
    waits_since_ = Clock::now();
    until_ = Clock::now() + limit_;
  }
  ssize_t sent = 0;
  while ((sent = ::send(socket_.get(), from, size, MSG_DONTWAIT | MSG_NOSIGNAL)) < 0)
    if (errno != EINTR && (errno != EAGAIN || !wait_for(POLLOUT))) return -1;
  return Clock::now() < until_ ? sent : -1;
}

// Handlers do not ask: clients are on this machine.
void HttpStream::get_remote_ip_and_port(std::string& ip, int& port) const {
  ip.clear();
  port = 0;
}
void HttpStream::get_local_ip_and_port(std::string& ip, int& port) const {
  ip.clear();
  port = 0;
}

}  // namespace tacit
