#include "tacit/base/system/listen_fault.hpp"

#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <system_error>

namespace tacit {
namespace {

using Addresses = std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)>;

Addresses addresses_of(const std::string& host, const std::string& port, std::string& why) {
  addrinfo hints{}, *found = nullptr;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE;
  const int failed = ::getaddrinfo(host.c_str(), port.c_str(), &hints, &found);
  if (failed != 0) why = ::gai_strerror(failed);
  return {failed == 0 ? found : nullptr, &::freeaddrinfo};
}

// Returns 0, or the reason as in errno.
int try_to_bind(const addrinfo& address) {
  const int handle = ::socket(address.ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (handle < 0) return errno;
  const int yes = 1;
  ::setsockopt(handle, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  const int reason = ::bind(handle, address.ai_addr, address.ai_addrlen) == 0 ? 0 : errno;
  ::close(handle);
  return reason;
}

}  // namespace

std::string listen_fault(const std::string& host, const std::string& port) {
  std::string why;
  const Addresses all = addresses_of(host, port, why);
  if (!all) return "the host cannot be resolved (" + why + "); correct the address";
  int reason = 0;
  bool any = false;
  for (const addrinfo* one = all.get(); one && reason != EADDRINUSE; one = one->ai_next) {
    const int failed = try_to_bind(*one);
    any = any || failed == 0;
    if (failed != 0) reason = failed;
  }
  if (any && reason != EADDRINUSE) return "";
  switch (reason) {
    case EADDRINUSE:
      return "another program uses the port; stop that program, or choose another port";
    case EACCES:
      return "this user may not use a port below 1024; choose a higher port";
    case EADDRNOTAVAIL:
      return "this machine does not have the address; correct it";
    default:
      return std::generic_category().message(reason) + "; correct the address";
  }
}

bool is_of_this_machine(const std::string& host) {
  std::string why;
  const Addresses all = addresses_of(host, "0", why);  // port 0: any free port
  for (const addrinfo* one = all.get(); one; one = one->ai_next)
    if (try_to_bind(*one) == 0) return true;
  return false;
}

}  // namespace tacit
