#include "json.hpp"

namespace py = pybind11;

namespace tacit::python {

py::object to_python(const cli::Json& json) {
  using Kind = cli::Json::value_t;
  switch (json.type()) {
    case Kind::object: {
      py::dict all;
      for (const auto& [key, value] : json.items()) all[py::str(key)] = to_python(value);
      return all;
    }
    case Kind::array: {
      py::list all(json.size());
      for (std::size_t k = 0; k < json.size(); ++k) all[k] = to_python(json[k]);
      return all;
    }
    case Kind::string:
      return py::reinterpret_steal<py::object>(PyUnicode_DecodeUTF8(
          json.get_ref<const std::string&>().data(),
          static_cast<Py_ssize_t>(json.get_ref<const std::string&>().size()), "replace"));
    case Kind::boolean:
      return py::bool_(json.get<bool>());
    case Kind::number_integer:
      return py::int_(json.get<std::int64_t>());
    case Kind::number_unsigned:
      return py::int_(json.get<std::uint64_t>());
    case Kind::number_float:
      return py::float_(json.get<double>());
    default:
      return py::none();
  }
}

}  // namespace tacit::python
