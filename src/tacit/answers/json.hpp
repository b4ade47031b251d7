// JSON for programs.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace tacit {

using Json = nlohmann::ordered_json;

/// As programs get it; what is no UTF-8, such as the name of a row, is replaced.
std::string text_of(const Json& json);

/// JSON has no infinity and no NaN: they become null.
Json number(double value);

/// Of any list of texts that a message has.
template <class Texts>
Json list_json(const Texts& texts) {
  Json all = Json::array();
  for (const std::string& text : texts) all.push_back(text);
  return all;
}

}  // namespace tacit
