// JSON output.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace tacit {

using Json = nlohmann::ordered_json;

/// The text of the JSON. Invalid UTF-8, for example in the name of a row, is replaced.
std::string text_of(const Json& json);

/// A number; infinity and NaN, which JSON lacks, become null.
Json number(double value);

/// The JSON with every text of it, except names of fields, replaced by a front end's words
/// (base/settings.hpp).
Json worded(Json json, const std::function<std::string(std::string_view)>& words);

/// A JSON array of a message's list of texts.
template <class Texts>
Json list_json(const Texts& texts) {
  Json all = Json::array();
  for (const std::string& text : texts) all.push_back(text);
  return all;
}

}  // namespace tacit
