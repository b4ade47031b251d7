#include "tacit/table/mat/mat.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <matio.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <memory>
#include <optional>
#include <vector>

#include "tacit/base/error.hpp"
#include "tacit/table/read_settings.hpp"
#include "tacit/table/table_builder.hpp"

namespace tacit {
namespace {

using namespace std::string_view_literals;
using File = std::unique_ptr<mat_t, decltype(&Mat_Close)>;
using Variable = std::unique_ptr<matvar_t, decltype(&Mat_VarFree)>;

// Calls `use` with a number of the variable's class. Returns false for other classes, such as text.
template <class Use>
bool with_class_of(const matvar_t& v, const Use& use) {
  switch (v.class_type) {
    case MAT_C_DOUBLE:
      return use(double{});
    case MAT_C_SINGLE:
      return use(float{});
    case MAT_C_INT8:
      return use(std::int8_t{});
    case MAT_C_UINT8:
      return use(std::uint8_t{});
    case MAT_C_INT16:
      return use(std::int16_t{});
    case MAT_C_UINT16:
      return use(std::uint16_t{});
    case MAT_C_INT32:
      return use(std::int32_t{});
    case MAT_C_UINT32:
      return use(std::uint32_t{});
    case MAT_C_INT64:
      return use(std::int64_t{});
    case MAT_C_UINT64:
      return use(std::uint64_t{});
    default:
      return false;
  }
}

bool is_real_matrix(const matvar_t& v) {
  return v.rank == 2 && !v.isComplex && v.dims[0] > 0 && v.dims[1] > 0 &&
         with_class_of(v, [](auto) { return true; });
}

Matrix matrix_of(const matvar_t& v) {
  Matrix matrix;
  with_class_of(v, [&](auto number) {
    using Numbers = Eigen::Matrix<decltype(number), Eigen::Dynamic, Eigen::Dynamic>;
    matrix = Eigen::Map<const Numbers>(static_cast<const decltype(number)*>(v.data),
                                       static_cast<Index>(v.dims[0]), static_cast<Index>(v.dims[1]))
                 .template cast<double>();
    return true;
  });
  return matrix;
}

InputError fault(const std::filesystem::path& file, const std::string& what) {
  return InputError(fmt::format("{}: {}", file.string(), what));
}

// MATLAB's formats from version 5 on have a signature in their header.
std::optional<int> marked_format(std::string_view header) {
  if (header.size() < 128) return std::nullopt;
  const std::string_view mark = header.substr(124, 4);  // version, then byte order
  if (mark == "\0\1IM"sv || mark == "\1\0MI"sv) return 5;
  if (mark == "\0\2IM"sv || mark == "\2\0MI"sv) return 7;
  return std::nullopt;
}

// matio trusts the sizes that a file declares. If the file is truncated, matio returns a matrix whose end was
// never read; if it is damaged, matio allocates whatever size it finds. So the sizes are checked here first.
class Sizes {
 public:
  explicit Sizes(const std::filesystem::path& path)
      : in_(path, std::ios::binary), size_(std::filesystem::file_size(path)) {}

  std::optional<int> marked_format() {
    const std::vector<std::uint8_t> header = read(0, 128);
    return tacit::marked_format({reinterpret_cast<const char*>(header.data()), header.size()});
  }

  /// Format 5 is a header of 128 bytes, then elements. Each element begins with a tag of two words: a type
  /// and the number of bytes that follow. Bytes 126 and 127 of the header give the byte order.
  bool fit_fifth() {
    const std::vector<std::uint8_t> header = read(0, 128);
    const bool little = header[126] == 'I';
    std::uint64_t offset = header.size();
    while (offset + 8 <= size_) offset += 8 + word(read(offset, 8), 1, little);
    return offset == size_;
  }

  /// Format 4 is a sequence of matrices. Each begins with five words: type, rows, columns, whether there are
  /// imaginary parts, and the length of the name. The tens digit of the type gives the size of a number, the
  /// thousands digit the byte order.
  bool fit_fourth() {
    constexpr std::array<unsigned, 6> bytes_of_number = {8, 4, 4, 2, 2, 1};
    std::uint64_t offset = 0;
    while (offset + 20 <= size_) {
      const std::vector<std::uint8_t> header = read(offset, 20);
      const bool little = word(header, 0, true) < 10'000;
      const std::uint64_t type = word(header, 0, little) / 10 % 10, rows = word(header, 1, little),
                          columns = word(header, 2, little), complex = word(header, 3, little);
      if (type >= bytes_of_number.size() || complex > 1 || (rows > 0 && columns > size_ / rows)) return false;
      offset += 20 + word(header, 4, little) + rows * columns * bytes_of_number[type] * (1 + complex);
    }
    return offset == size_;
  }

  /// Returns whether the file is long enough for this variable. A number takes at least one byte, and zlib
  /// packs at most 1032 bytes into one.
  bool hold(const matvar_t& v) const { return v.dims[0] <= 1032 * size_ / v.dims[1]; }

 private:
  std::vector<std::uint8_t> read(std::uint64_t offset, std::size_t count) {
    std::vector<std::uint8_t> bytes(count);
    in_.clear();  // resets end-of-file after a read past the end
    in_.seekg(static_cast<std::streamoff>(offset));
    in_.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(count));
    return bytes;
  }
  static std::uint64_t word(const std::vector<std::uint8_t>& bytes, std::size_t place, bool little) {
    std::uint64_t value = 0;
    for (std::size_t k = 0; k < 4; ++k)
      value |= std::uint64_t{bytes[4 * place + (little ? k : 3 - k)]} << (8 * k);
    return value;
  }

  std::ifstream in_;
  std::uint64_t size_;
};

File open(const std::filesystem::path& path) {
  const InputError unreadable =
      fault(path, "this cannot be read as a MATLAB file; check the path, or download the file again");
  if (!std::filesystem::is_regular_file(path)) throw unreadable;
  Sizes sizes(path);
  const std::optional<int> format = sizes.marked_format();  // format 7 is HDF5, which checks sizes itself
  if (!format && !sizes.fit_fourth()) throw unreadable;
  if (format == 5 && !sizes.fit_fifth())
    throw fault(path, "the file ends in the middle of a matrix; download or save it again");
  File file{Mat_Open(path.c_str(), MAT_ACC_RDONLY), Mat_Close};
  if (!file) throw unreadable;
  return file;
}

std::vector<std::string> matrix_names(const std::filesystem::path& path, mat_t& file) {
  std::vector<std::string> names;
  while (const Variable info{Mat_VarReadNextInfo(&file), Mat_VarFree})
    if (info->name && is_real_matrix(*info)) names.emplace_back(info->name);
  if (names.empty()) throw fault(path, "there is no matrix of real numbers in this MATLAB file");
  return names;
}

Matrix read_variable(const std::filesystem::path& path, mat_t& file, const std::string& name) {
  Mat_Rewind(&file);
  const Variable info{Mat_VarReadInfo(&file, name.c_str()), Mat_VarFree};
  const bool readable = info && is_real_matrix(*info) && Sizes(path).hold(*info);
  const Variable v{readable ? Mat_VarRead(&file, name.c_str()) : nullptr, Mat_VarFree};
  if (!v || !v->data || !is_real_matrix(*v))
    throw fault(path, fmt::format("there is no readable matrix of real numbers called '{}'", name));
  return matrix_of(*v);
}

}  // namespace

Matrix read_mat(const std::filesystem::path& path, const std::string& variable) {
  const File file = open(path);
  std::string name = variable;
  if (name.empty()) {
    const std::vector<std::string> names = matrix_names(path, *file);
    if (names.size() > 1)
      throw fault(path,
                  fmt::format("there are several matrices ({}); save the one to read in a separate file",
                              fmt::join(names, ", ")));
    name = names[0];
  }
  Matrix matrix = read_variable(path, *file, name);
  for (Index column = 0; column < matrix.cols(); ++column)
    for (Index row = 0; row < matrix.rows(); ++row)
      if (!std::isfinite(matrix(row, column)))
        throw fault(path, fmt::format("{}({},{}) is not a finite number; fill in a value or remove the row",
                                      name, row + 1, column + 1));
  return matrix;
}

bool is_mat(std::string_view first_bytes, const std::filesystem::path& file) {
  if (marked_format(first_bytes)) return true;
  return file.extension() == ".mat" && first_bytes.find('\0') != first_bytes.npos;
}

Table read_mat_table(const std::filesystem::path& path, const TableOptions& columns, const ReadOptions& how) {
  const File file = open(path);
  const std::vector<std::string> variables =
      how.variables.empty() ? matrix_names(path, *file) : how.variables;
  std::vector<Matrix> matrices;
  std::vector<std::string> sizes;
  std::size_t width = 0;
  for (const std::string& name : variables) {
    const Matrix& m = matrices.emplace_back(read_variable(path, *file, name));
    sizes.push_back(fmt::format("{}: {} × {}", name, m.rows(), m.cols()));
    width += static_cast<std::size_t>(m.cols());
  }
  const std::string option = setting(how, "variables", variables[0]);
  for (const Matrix& m : matrices)
    if (m.rows() != matrices[0].rows())
      throw fault(path,
                  fmt::format("the matrices have different numbers of rows ({}), so they are not "
                              "columns of one table{}",
                              fmt::join(sizes, ", "),
                              option.empty() ? option : "; name the matrices to read, as in " + option));

  TableBuilder builder(path.string(), "row", columns, how);
  ColumnNames names;
  for (std::size_t k = 0; k < matrices.size(); ++k)
    for (Index c = 0; c < matrices[k].cols(); ++c)
      names.add(matrices[k].cols() == 1 ? variables[k] : fmt::format("{}{}", variables[k], c + 1), width,
                path.string());
  builder.set_names(std::move(names));
  builder.reserve(static_cast<std::size_t>(matrices[0].rows()));
  for (Index row = 0; row < matrices[0].rows(); ++row) {
    builder.begin_row(static_cast<std::size_t>(row) + 1);
    std::size_t place = 0;
    for (const Matrix& m : matrices)
      for (Index c = 0; c < m.cols(); ++c, ++place)
        if (builder.reads(place)) builder.take(place, m(row, c));
    builder.end_row();
  }
  return builder.finish();
}

}  // namespace tacit
