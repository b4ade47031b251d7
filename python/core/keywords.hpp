// Keywords of a Python call as fields of the options of a command. Each value is converted once, from the
// Python object to the type of the field.
#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tacit/base/choices.hpp"
#include "tacit/cli/options/given_options.hpp"
#include "tacit/gp/kernel/kernel.hpp"
#include "tacit/graph/generators.hpp"

namespace tacit::python {

/// The value of a keyword. Conversions throw InputError, which names the keyword, for a value of another
/// kind.
class KeywordValue {
 public:
  KeywordValue(std::string name, pybind11::handle value) : name_(std::move(name)), value_(value) {}

  std::uint64_t whole(std::uint64_t low, std::uint64_t high) const;  ///< also 3.0 and "3"
  std::optional<std::uint64_t> whole_or_auto(std::uint64_t low,
                                             std::uint64_t high) const;  ///< none for "auto"
  double number() const;                                                 ///< also "0.5"
  bool flag() const;
  std::string text() const;  ///< also a path
  double duration() const;   ///< seconds, also as text with a unit, such as "0.2ms"
  std::vector<std::string> texts() const;
  Kernel kernel() const;      ///< a kernel, or its text
  Topology topology() const;  ///< a list of edges, as pairs of agents, or the text of a topology
  std::pair<double, double> range() const;  ///< two numbers, the smaller one first; also "0.1,10"
  bool is_flag() const;

  /// The value of the enumeration that this word means.
  template <class T>
  T word(const Choices<T>& words) const {
    const std::string given = text();
    std::vector<std::string> known;
    for (const auto& [word, value] : words) {
      if (word == given) return value;
      known.push_back(word);
    }
    refuse(one_of(known));
  }

 private:
  bool is_text() const { return pybind11::isinstance<pybind11::str>(value_); }
  [[noreturn]] void refuse(const std::string& must) const;
  static std::string one_of(const std::vector<std::string>& words);  ///< "a, b or c"

  std::string name_;
  pybind11::handle value_;
};

/// Sets the field of a keyword.
template <class Options>
using SetField = void (*)(Options& options, const KeywordValue& value);

template <class Options>
using Fields = std::map<std::string_view, SetField<Options>>;

/// Throws InputError for a keyword without a field.
[[noreturn]] void refuse_keyword(const std::string& name);

/// Sets the fields of these keywords. Returns the names of the keywords. False is the same as omitted.
template <class Options>
cli::Given set_fields(Options& options, const Fields<Options>& fields, const pybind11::dict& keywords) {
  cli::Given given;
  for (const auto& [key, value] : keywords) {
    const std::string name = pybind11::cast<std::string>(key);
    const auto field = fields.find(name);
    if (field == fields.end()) refuse_keyword(name);
    field->second(options, KeywordValue(name, value));
    if (value.ptr() != Py_False) given.insert(name);
  }
  return given;
}

}  // namespace tacit::python
