#include "tacit/answers/json.hpp"

#include <cmath>

namespace tacit {

std::string text_of(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

Json worded(Json json, const std::function<std::string(std::string_view)>& words) {
  if (json.is_string()) return words(json.get_ref<const std::string&>());
  if (json.is_structured())
    for (Json& part : json)
      if (part.is_structured() || part.is_string()) part = worded(std::move(part), words);
  return json;
}

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

}  // namespace tacit
