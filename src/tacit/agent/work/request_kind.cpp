#include "tacit/agent/work/request_kind.hpp"

#include <fmt/format.h>

#include "tacit/base/error.hpp"

namespace tacit {

std::string to_string(RequestKind kind) {
  switch (kind) {
    case RequestKind::fit:
      return "fit";
    case RequestKind::predict:
      return "predict";
    case RequestKind::evaluate:
      return "evaluate";
  }
  throw Error("unknown kind of request");
}

RequestKind parse_request_kind(std::string_view word) {
  for (const RequestKind kind : all_request_kinds)
    if (to_string(kind) == word) return kind;
  throw InputError(fmt::format("there is no request kind called {}", word));
}

}  // namespace tacit
