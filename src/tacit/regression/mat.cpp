#include "tacit/regression/mat.hpp"

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

namespace tacit {
namespace {

using File = std::unique_ptr<mat_t, decltype(&Mat_Close)>;
using Variable = std::unique_ptr<matvar_t, decltype(&Mat_VarFree)>;

bool is_real_matrix(const matvar_t& v) {
  return v.rank == 2 && !v.isComplex && v.dims[0] > 0 && v.dims[1] > 0 &&
         (v.class_type == MAT_C_DOUBLE || v.class_type == MAT_C_SINGLE);
}

template <class Number>
Matrix matrix_of(const matvar_t& v) {
  const auto* numbers = static_cast<const Number*>(v.data);
  return Eigen::Map<const Eigen::Matrix<Number, Eigen::Dynamic, Eigen::Dynamic>>(
             numbers, static_cast<Index>(v.dims[0]), static_cast<Index>(v.dims[1]))
      .template cast<double>();
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

std::string only_matrix(const std::filesystem::path& path, mat_t& file) {
  std::vector<std::string> names;
  while (const Variable info{Mat_VarReadNextInfo(&file), Mat_VarFree})
    if (is_real_matrix(*info)) names.emplace_back(info->name);
  if (names.empty()) throw fault(path, "there is no matrix of real numbers in this MATLAB file");
  if (names.size() > 1)
    throw fault(path,
                fmt::format("there are several matrices ({}); save the one that is meant in a file of its "
                            "own",
                            fmt::join(names, ", ")));
  return names[0];
}

}  // namespace

Matrix read_mat(const std::filesystem::path& path, const std::string& variable) {
  const File file{Mat_Open(path.c_str(), MAT_ACC_RDONLY), Mat_Close};
  if (!file) throw fault(path, "this cannot be read as a MATLAB file; check the path and download it again");
  if (Mat_GetVersion(file.get()) == MAT_FT_MAT5) check_whole(path);
  const std::string name = variable.empty() ? only_matrix(path, *file) : variable;
  Mat_Rewind(file.get());
  const Variable v{Mat_VarRead(file.get(), name.c_str()), Mat_VarFree};
  if (!v || !v->data || !is_real_matrix(*v))
    throw fault(path, fmt::format("there is no readable matrix of real numbers called '{}'", name));
  Matrix matrix = v->class_type == MAT_C_SINGLE ? matrix_of<float>(*v) : matrix_of<double>(*v);
  for (Index column = 0; column < matrix.cols(); ++column)
    for (Index row = 0; row < matrix.rows(); ++row)
      if (!std::isfinite(matrix(row, column)))
        throw fault(path, fmt::format("{}({},{}) is not a finite number; fill it in or leave the row out",
                                      name, row + 1, column + 1));
  return matrix;
}

}  // namespace tacit
