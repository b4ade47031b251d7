// Values of options: words of enumerations, whole numbers within limits, durations and ranges.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <utility>

#include "tacit/base/choices.hpp"

namespace tacit::cli {

/// Adds an option that accepts only these words, and stores the value of the given word. Help and shells show
/// the words. The current value is the default; an absent one (std::optional) is not shown.
template <class T, class Value>
CLI::Option* add_choice(CLI::App& command, const std::string& name, Value& value, const Choices<T>& words,
                        const std::string& help) {
  const std::string first = name.substr(0, name.find(','));
  CLI::Option* option = command.add_option_function<std::string>(
      name, [&value, words, first](const std::string& text) { value = value_of(first, text, words); }, help);
  std::string all;
  for (const auto& [word, one] : words) {
    all += (all.empty() ? "" : ",") + word;
    if (value == one) option->default_str(word);
  }
  return option->type_name("{" + all + "}");
}

/// Adds an option whose text `parse` converts. It throws InputError for a text that it does not accept.
template <class Value, class Parse>
CLI::Option* add_parsed(CLI::App& command, const std::string& name, Value& value, Parse parse,
                        const std::string& help) {
  return command.add_option_function<std::string>(
      name, [&value, parse](const std::string& text) { value = parse(text); }, help);
}

/// Accepts only whole numbers from low to high.
CLI::Validator whole_number(std::uint64_t low, std::uint64_t high);

/// Seconds from "0.0002", "0.2ms", "200us", "200µs" or "1s"; at most a million.
double parse_duration(const std::string& option, const std::string& text);

/// Two numbers "LO,HI" with LO < HI.
std::pair<double, double> parse_range(const std::string& option, const std::string& text);

}  // namespace tacit::cli
