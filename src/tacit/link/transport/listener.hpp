// The sockets that listen on one address. They can be created again if they die.
#pragma once

#include <sys/socket.h>
#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tacit/base/error.hpp"
#include "tacit/base/system/descriptors.hpp"

namespace tacit {

/// An address cannot be used.
class ListenError : public Error {
 public:
  ListenError(const std::string& what, bool may_pass) : Error(what), may_pass_(may_pass) {}
  /// Whether it may be usable later, without a change of the configuration: another program has the port, or
  /// the network is not up yet.
  bool may_pass() const { return may_pass_; }

 private:
  bool may_pass_;
};

class Listener {
 public:
  /// Listens on all addresses of the host. A wildcard such as 0.0.0.0 stands for IPv4 and IPv6. Port 0
  /// selects a free one. Throws ListenError if the host has no address here, or if the port is in use.
  static Listener tcp(std::string host, std::string port);
  /// A unix socket, which only its owner can open. Replaces an old socket file. Throws Error if it cannot be
  /// created, or if another program listens on it.
  static Listener unix_socket(std::filesystem::path file);

  int port() const { return port_; }
  const std::vector<Descriptor>& sockets() const { return sockets_; }

  /// False if the sockets were closed, or if the file of the unix socket was deleted or replaced.
  bool intact() const;
  void close() { sockets_.clear(); }
  /// Creates the sockets again, with the same port. Throws Error.
  void renew();

 private:
  void open_tcp();
  void open_wildcard();
  void open_file();
  void listen_on(Descriptor socket, const sockaddr* address, socklen_t size);

  std::string host_;
  int port_ = 0;
  std::filesystem::path file_;  // of a unix socket; otherwise empty
  ino_t inode_ = 0;             // of this file
  std::vector<Descriptor> sockets_;
};

}  // namespace tacit
