#include "keywords.hpp"

#include <pybind11/stl.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "tacit/answers/numbers.hpp"
#include "tacit/base/error.hpp"
#include "tacit/cli/lab/model_options.hpp"
#include "tacit/cli/options/values.hpp"
#include "tacit/table/cells/cell.hpp"

namespace py = pybind11;

namespace tacit::python {
namespace {

// True or False, of Python or NumPy.
bool is_bool(py::handle value) {
  return py::isinstance<py::bool_>(value) ||
         py::str(py::type::handle_of(value).attr("__name__")).equal(py::str("bool_"));
}

// Any real number except True and False, for example one of NumPy's.
std::optional<double> real(py::handle value) {
  if (is_bool(value) || py::isinstance<py::str>(value)) return {};
  const double found = PyFloat_AsDouble(value.ptr());
  if (found == -1 && PyErr_Occurred()) {
    PyErr_Clear();
    return {};
  }
  return found;
}

// A whole number of up to 64 bits, which a double may not hold.
std::optional<std::uint64_t> index(py::handle value) {
  if (is_bool(value) || !PyIndex_Check(value.ptr())) return {};
  const auto exact = py::reinterpret_steal<py::object>(PyNumber_Index(value.ptr()));
  const std::uint64_t found = exact ? PyLong_AsUnsignedLongLong(exact.ptr()) : 0;
  if (!PyErr_Occurred()) return found;
  PyErr_Clear();
  return {};
}

// Paths, and values of text types.
std::optional<std::string> path(py::handle value) {
  const auto found = py::reinterpret_steal<py::object>(PyOS_FSPath(value.ptr()));
  if (found && py::isinstance<py::str>(found)) return py::cast<std::string>(found);
  PyErr_Clear();
  return {};
}

}  // namespace

void KeywordValue::refuse(const std::string& must) const {
  throw InputError(
      fmt::format("{} is {}, but must be {}", name_, py::cast<std::string>(py::repr(value_)), must));
}

std::uint64_t KeywordValue::whole(std::uint64_t low, std::uint64_t high) const {
  std::optional<std::uint64_t> found = index(value_);
  const std::optional<double> number = is_text() ? parse_number(text()) : real(value_);
  if (!found && number && *number >= 0 && *number < 0x1p53 && *number == std::floor(*number))
    found = static_cast<std::uint64_t>(*number);
  if (found && *found >= low && *found <= high) return *found;
  refuse(fmt::format("a whole number from {} to {}", count(low), count(high)));
}

std::optional<std::uint64_t> KeywordValue::whole_or_auto(std::uint64_t low, std::uint64_t high) const {
  if (is_text() && text() == "auto") return {};
  try {
    return whole(low, high);
  } catch (const InputError&) {
    refuse(fmt::format("'auto' or a whole number from {} to {}", count(low), count(high)));
  }
}

double KeywordValue::number() const {
  const std::optional<double> found = is_text() ? parse_number(text()) : real(value_);
  if (!found) refuse("a number");
  return *found;
}

bool KeywordValue::is_flag() const { return is_bool(value_); }

bool KeywordValue::flag() const {
  if (!is_flag()) refuse("True or False");
  return PyObject_IsTrue(value_.ptr()) == 1;
}

std::string KeywordValue::text() const {
  if (const auto found = path(value_)) return *found;
  refuse("text");
}

double KeywordValue::duration() const {
  if (is_text()) return cli::parse_duration(name_, text());
  const double seconds = number();
  if (!(seconds >= 0 && seconds <= 1e6)) refuse("a time in seconds, up to a million");
  return seconds;
}

std::string KeywordValue::one_of(const std::vector<std::string>& words) {
  return fmt::format("{} or {}", fmt::join(words.begin(), words.end() - 1, ", "), words.back());
}

std::vector<std::string> KeywordValue::texts() const {
  std::vector<std::string> all;
  for (const py::handle& one : value_) all.push_back(py::cast<std::string>(one));
  return all;
}

Kernel KeywordValue::kernel() const {
  return py::isinstance<Kernel>(value_) ? py::cast<Kernel>(value_) : cli::parsed_kernel(text());
}

Topology KeywordValue::topology() const {
  if (!py::isinstance<py::list>(value_)) return parse_topology(text());
  return {.kind = Topology::Kind::given, .links = py::cast<std::vector<Edge>>(value_)};
}

std::pair<double, double> KeywordValue::range() const {
  if (is_text()) return cli::parse_range(name_, text());
  if (py::isinstance<py::sequence>(value_) && py::len(value_) == 2) {
    const auto pair = py::reinterpret_borrow<py::sequence>(value_);
    const std::optional<double> low = real(py::object(pair[0])), high = real(py::object(pair[1]));
    if (low && high && *low < *high) return {*low, *high};
  }
  refuse("two numbers (low, high) with low below high");
}

void refuse_keyword(const std::string& name) {
  throw InputError(fmt::format("there is no keyword {}", name));
}

}  // namespace tacit::python
