// The words of enumerations, in options and in files.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tacit/base/error.hpp"
#include "tacit/base/settings.hpp"

namespace tacit {

/// The words of a setting, each with its value.
template <class T>
using Choices = std::vector<std::pair<std::string, T>>;

/// The words for values of an enumeration with to_string().
template <class T, std::size_t count>
Choices<T> choices_for(const T (&values)[count]) {
  Choices<T> words;
  for (const T value : values) words.emplace_back(to_string(value), value);
  return words;
}

/// The word for a value.
template <class T>
std::string word_for(const Choices<T>& words, const T& value) {
  for (const auto& [word, one] : words)
    if (one == value) return word;
  return {};
}

/// The value of a word that was given for the setting `name`. Throws InputError, listing the words, for any
/// other word.
template <class T>
T value_of(std::string_view name, std::string_view given, const Choices<T>& words) {
  std::string use;
  for (const auto& [word, value] : words) {
    if (given == word) return value;
    use += (use.empty() ? "" : " or ") + word;
  }
  throw InputError(with_value(name, given) + " is unknown; use " + use);
}

}  // namespace tacit
