#include "tacit/answers/json.hpp"

#include <cmath>

namespace tacit {

std::string text_of(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

}  // namespace tacit
