#include "tacit/data/mat.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <matio.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <memory>
#include <vector>

#include "tacit/base/error.hpp"
#include "tacit/data/table_builder.hpp"

namespace tacit {
namespace {

using File = std::unique_ptr<mat_t, decltype(&Mat_Close)>;
using Variable = std::unique_ptr<matvar_t, decltype(&Mat_VarFree)>;

// Gives `use` a number of the variable's class, or returns false for what is no number, such as text.
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

// matio gives back a matrix whose tail was never read when the file ends early, so that is looked for here. A
// file of MATLAB's fifth format is a header of 128 bytes, then elements that each begin with a tag of two
// words, a type and the number of bytes that follow; bytes 126 and 127 tell the order of a word's bytes.
void check_whole(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::array<unsigned char, 128> header{};
  in.read(reinterpret_cast<char*>(header.data()), header.size());
  const bool little = header[126] == 'I';
  const auto size = static_cast<std::uint64_t>(std::filesystem::file_size(path));
  std::uint64_t offset = header.size();
  while (offset < size) {
    std::array<unsigned char, 8> tag{};
    in.seekg(static_cast<std::streamoff>(offset));
    if (!in.read(reinterpret_cast<char*>(tag.data()), tag.size())) break;
    std::uint64_t bytes = 0;
    for (std::size_t k = 0; k < 4; ++k) bytes |= std::uint64_t{tag[little ? 4 + k : 7 - k]} << (8 * k);
    offset += tag.size() + bytes;
  }
  if (offset != size) throw fault(path, "the file ends in the middle of a matrix; download or save it again");
}

File open(const std::filesystem::path& path) {
  File file{Mat_Open(path.c_str(), MAT_ACC_RDONLY), Mat_Close};
  if (!file) throw fault(path, "this cannot be read as a MATLAB file; check the path and download it again");
  if (Mat_GetVersion(file.get()) == MAT_FT_MAT5) check_whole(path);
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
  const Variable v{Mat_VarRead(&file, name.c_str()), Mat_VarFree};
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
      throw fault(path, fmt::format("there are several matrices ({}); save the one that is meant in a file "
                                    "of its own",
                                    fmt::join(names, ", ")));
    name = names[0];
  }
  Matrix matrix = read_variable(path, *file, name);
  for (Index column = 0; column < matrix.cols(); ++column)
    for (Index row = 0; row < matrix.rows(); ++row)
      if (!std::isfinite(matrix(row, column)))
        throw fault(path, fmt::format("{}({},{}) is not a finite number; fill it in or leave the row out",
                                      name, row + 1, column + 1));
  return matrix;
}

bool is_mat(std::string_view first_bytes, const std::filesystem::path& file) {
  using namespace std::string_view_literals;
  if (first_bytes.size() >= 128) {
    const std::string_view mark = first_bytes.substr(124, 4);  // version, then the order of bytes
    for (const std::string_view known : {"\0\1IM"sv, "\1\0MI"sv, "\0\2IM"sv, "\2\0MI"sv})
      if (mark == known) return true;
  }
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
  for (const Matrix& m : matrices)
    if (m.rows() != matrices[0].rows())
      throw fault(path, fmt::format("the matrices have different numbers of rows ({}), so they are not "
                                    "columns of one table; name those that are with --variables",
                                    fmt::join(sizes, ", ")));

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
