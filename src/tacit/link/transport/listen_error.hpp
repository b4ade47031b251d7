// The error of a server whose address cannot be used.
#pragma once

#include <string>

#include "tacit/base/error.hpp"

namespace tacit {

class ListenError : public Error {
 public:
  ListenError(const std::string& what, bool may_pass) : Error(what), may_pass_(may_pass) {}
  /// Whether it may be usable later, without a change of the configuration: another program has the port, or
  /// the network is not up yet.
  bool may_pass() const { return may_pass_; }

 private:
  bool may_pass_;
};

}  // namespace tacit
