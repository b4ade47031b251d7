#include "tacit/link/node/proxy_testing.hpp"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <vector>

namespace tacit::testing {
namespace {

sockaddr_in resolve(const std::string& text) {
  const auto colon = text.find(':');
  sockaddr_in address{};
  address.sin_family = AF_INET;
  inet_pton(AF_INET, text.substr(0, colon).c_str(), &address.sin_addr);
  address.sin_port = htons(static_cast<std::uint16_t>(std::stoi(text.substr(colon + 1))));
  return address;
}

bool send_all(int to, const char* data, std::size_t size) {
  while (size > 0) {
    const ssize_t sent = send(to, data, size, MSG_NOSIGNAL);
    if (sent <= 0) return false;
    data += sent;
    size -= static_cast<std::size_t>(sent);
  }
  return true;
}

}  // namespace

int connect_to(const std::string& text) {
  const int handle = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const sockaddr_in address = resolve(text);
  if (connect(handle, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) return handle;
  close(handle);
  return -1;
}

Proxy::Proxy(std::string target, Faults faults, std::uint64_t seed)
    : target_(std::move(target)), faults_(faults), random_(seed) {
  listener_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address = resolve("127.0.0.1:0");
  socklen_t size = sizeof address;
  bind(listener_, reinterpret_cast<sockaddr*>(&address), size);
  getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
  port_ = ntohs(address.sin_port);
  listen(listener_, 64);
  acceptor_ = std::thread([this] { accept_all(); });
}

Proxy::~Proxy() {
  stopping_ = true;
  shutdown(listener_, SHUT_RDWR);
  acceptor_.join();
  close(listener_);
  cut_all();
  for (Pair& pair : pairs_) {
    pair.there.join();
    pair.back.join();
    close(pair.a);
    close(pair.b);
  }
}

void Proxy::become(Faults faults) {
  const std::lock_guard lock(guard_);
  faults_ = faults;
}

Faults Proxy::faults() {
  const std::lock_guard lock(guard_);
  return faults_;
}

bool Proxy::chance(double p) {
  const std::lock_guard lock(guard_);
  return p > 0 && std::uniform_real_distribution<double>(0, 1)(random_) < p;
}

void Proxy::cut_all() {
  const std::lock_guard lock(guard_);
  for (Pair& pair : pairs_) {
    shutdown(pair.a, SHUT_RDWR);
    shutdown(pair.b, SHUT_RDWR);
  }
}

void Proxy::accept_all() {
  while (!stopping_) {
    const int a = accept(listener_, nullptr, nullptr);
    if (a < 0) continue;
    const int b = connect_to(target_);
    if (b < 0) {
      close(a);
      continue;
    }
    const int one = 1;
    setsockopt(a, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    setsockopt(b, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    const std::lock_guard lock(guard_);
    Pair& pair = pairs_.emplace_back(Pair{a, b, {}, {}});
    pair.there = std::thread([this, a, b] { pump(a, b); });
    pair.back = std::thread([this, a, b] { pump(b, a); });
  }
}

void Proxy::pump(int from, int to) {
  std::vector<char> piece(16 << 10);
  for (;;) {
    const ssize_t size = recv(from, piece.data(), piece.size(), 0);
    if (size <= 0) break;
    const Faults now = faults();
    if (now.delay_ms > 0) {
      unsigned delay = 0;
      {
        const std::lock_guard lock(guard_);
        delay = static_cast<unsigned>(random_() % (now.delay_ms + 1));
      }
      usleep(1000 * delay);
    }
    const auto bytes = static_cast<std::size_t>(size);
    if (chance(now.cut)) {
      ++cuts_;
      send_all(to, piece.data(), bytes / 2);
      break;
    }
    if (!send_all(to, piece.data(), bytes)) break;
    if (chance(now.repeat)) {
      ++repeats_;
      if (!send_all(to, piece.data(), bytes)) break;
    }
  }
  shutdown(from, SHUT_RDWR);
  shutdown(to, SHUT_RDWR);
}

}  // namespace tacit::testing
