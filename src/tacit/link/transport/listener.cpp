#include "tacit/link/transport/listener.hpp"

#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <memory>
#include <set>
#include <system_error>

#include "tacit/base/error.hpp"

namespace tacit {
namespace {

constexpr int backlog = 1024;  // the system may allow less

bool is_wildcard(const std::string& host) { return host.empty() || host == "0.0.0.0" || host == "::"; }

std::string cause(int number) { return std::generic_category().message(number); }

// Only a missing permission lasts until the owner acts.
ListenError listen_error(int number) { return {cause(number), number != EACCES && number != EPERM}; }

Descriptor tcp_socket(int family) {
  Descriptor made(::socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  const int yes = 1;  // not SO_REUSEPORT: two agents on one port are an error
  if (made) ::setsockopt(made.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  return made;
}

void set_port(sockaddr_storage& address, int port) {
  const auto number = htons(static_cast<std::uint16_t>(port));
  if (address.ss_family == AF_INET6)
    reinterpret_cast<sockaddr_in6&>(address).sin6_port = number;
  else
    reinterpret_cast<sockaddr_in&>(address).sin_port = number;
}

int port_of(int socket) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  if (::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size) != 0) return 0;
  return ntohs(address.ss_family == AF_INET6 ? reinterpret_cast<sockaddr_in6&>(address).sin6_port
                                             : reinterpret_cast<sockaddr_in&>(address).sin_port);
}

// Whether a program listens on the file; a file that a crash has left behind refuses connections.
bool has_listener(const sockaddr_un& address) {
  const Descriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  return socket &&
         (::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 ||
          errno == EAGAIN);
}

}  // namespace

Listener Listener::tcp(std::string host, std::string port) {
  Listener made;
  const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), made.port_);
  if (error != std::errc() || end != port.data() + port.size() || made.port_ < 0 || made.port_ > 65535)
    throw InputError(fmt::format("{} is not a port", port));
  made.host_ = std::move(host);
  made.renew();
  return made;
}

Listener Listener::unix_socket(std::filesystem::path file) {
  Listener made;
  made.file_ = std::move(file);
  made.renew();
  return made;
}

bool Listener::intact() const {
  struct stat there {};
  if (sockets_.empty()) return false;
  if (file_.empty()) return true;
  return ::lstat(file_.c_str(), &there) == 0 ? there.st_ino == inode_ : errno != ENOENT;
}

void Listener::renew() {
  close();
  if (!file_.empty()) return open_file();
  if (is_wildcard(host_)) return open_wildcard();
  open_tcp();
}

void Listener::listen_on(Descriptor socket, const sockaddr* address, socklen_t size) {
  if (!socket || ::bind(socket.get(), address, size) != 0 || ::listen(socket.get(), backlog) != 0)
    throw std::system_error(errno, std::generic_category());
  sockets_.push_back(std::move(socket));
}

// One socket for both versions of IP, or one for IPv4 on a machine without IPv6.
void Listener::open_wildcard() {
  try {
    Descriptor both = tcp_socket(AF_INET6);
    const int no = 0;
    if (both) ::setsockopt(both.get(), IPPROTO_IPV6, IPV6_V6ONLY, &no, sizeof no);
    sockaddr_in6 address{};
    address.sin6_family = AF_INET6;
    address.sin6_port = htons(static_cast<std::uint16_t>(port_));
    try {
      listen_on(std::move(both), reinterpret_cast<sockaddr*>(&address), sizeof address);
    } catch (const std::system_error& e) {
      if (e.code().value() == EADDRINUSE) throw;
      sockaddr_in only_v4{};
      only_v4.sin_family = AF_INET;
      only_v4.sin_port = address.sin6_port;
      listen_on(tcp_socket(AF_INET), reinterpret_cast<sockaddr*>(&only_v4), sizeof only_v4);
    }
  } catch (const std::system_error& e) {
    throw listen_error(e.code().value());
  }
  port_ = port_of(sockets_.front().get());
}

void Listener::open_tcp() {
  addrinfo wanted{};
  wanted.ai_flags = AI_PASSIVE;
  wanted.ai_socktype = SOCK_STREAM;
  addrinfo* all = nullptr;
  if (const int failed = ::getaddrinfo(host_.c_str(), nullptr, &wanted, &all); failed != 0)
    throw ListenError(::gai_strerror(failed), true);
  const std::unique_ptr<addrinfo, void (*)(addrinfo*)> owner(all, &::freeaddrinfo);
  int reason = EADDRNOTAVAIL;
  std::set<std::string> seen;  // the hosts file may list an address twice
  for (const addrinfo* one = all; one; one = one->ai_next) {
    sockaddr_storage address{};
    std::memcpy(&address, one->ai_addr, one->ai_addrlen);
    set_port(address, port_);
    if (!seen.emplace(reinterpret_cast<const char*>(one->ai_addr), one->ai_addrlen).second) continue;
    try {
      Descriptor socket = tcp_socket(one->ai_family);
      const int yes = 1;
      if (one->ai_family == AF_INET6) ::setsockopt(socket.get(), IPPROTO_IPV6, IPV6_V6ONLY, &yes, sizeof yes);
      listen_on(std::move(socket), reinterpret_cast<sockaddr*>(&address), one->ai_addrlen);
      port_ = port_of(sockets_.back().get());
    } catch (const std::system_error& e) {
      reason = e.code().value();
      if (reason != EADDRINUSE) continue;
      close();  // another program has the port, so peers would reach that program
      break;
    }
  }
  if (sockets_.empty()) throw listen_error(reason);
}

void Listener::open_file() {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string& path = file_.native();
  if (path.size() >= sizeof address.sun_path)
    throw Error(fmt::format("the path has more than {} bytes", sizeof address.sun_path - 1));
  std::memcpy(address.sun_path, path.data(), path.size());
  struct stat there {};
  if (::lstat(path.c_str(), &there) == 0 && S_ISSOCK(there.st_mode)) {
    if (has_listener(address)) throw Error("another program listens on it");
    ::unlink(path.c_str());
  }
  Descriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  // The file gets the mode of the socket, so other users can never open it.
  if (!socket || ::fchmod(socket.get(), 0600) != 0) throw Error(cause(errno));
  try {
    listen_on(std::move(socket), reinterpret_cast<const sockaddr*>(&address), sizeof address);
  } catch (const std::system_error& e) {
    throw Error(e.code().message());
  }
  if (::lstat(path.c_str(), &there) == 0) inode_ = there.st_ino;
}

}  // namespace tacit
