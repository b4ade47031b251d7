#include "tacit/table/mat/mat.hpp"

#include <gtest/gtest.h>
#include <matio.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <vector>

#include "tacit/base/base_testing.hpp"

namespace tacit {
namespace {

class Mat : public ::testing::Test {
 protected:
  // Writes variables of 3 × 2 numbers, in column-major order as MATLAB does.
  void write(const std::vector<std::string>& names, std::vector<double> numbers, matio_compression packed) {
    mat_t* file = Mat_CreateVer(path.c_str(), nullptr, MAT_FT_MAT5);
    ASSERT_NE(file, nullptr);
    std::size_t dims[2] = {3, 2};
    for (const std::string& name : names) {
      matvar_t* v = Mat_VarCreate(name.c_str(), MAT_C_DOUBLE, MAT_T_DOUBLE, 2, dims, numbers.data(), 0);
      Mat_VarWrite(file, v, packed);
      Mat_VarFree(v);
    }
    Mat_Close(file);
  }

  std::string error() const {
    return testing::error_of([&] { read_mat(path); });
  }

  const testing::ScratchFolder folder_;
  const std::filesystem::path path = folder_.path / "arm.mat";
};

TEST_F(Mat, ReadsTheMatrixPackedOrNot) {
  for (const auto packed : {MAT_COMPRESSION_NONE, MAT_COMPRESSION_ZLIB}) {
    write({"arm"}, {1, 2, 3, 4, 5, 6.5}, packed);
    const Matrix m = read_mat(path);
    ASSERT_EQ(m.rows(), 3);
    ASSERT_EQ(m.cols(), 2);
    EXPECT_EQ(m(2, 0), 3);
    EXPECT_EQ(m(0, 1), 4);
    EXPECT_EQ(m(2, 1), 6.5);
  }
}

TEST_F(Mat, ANameChoosesAmongSeveral) {
  write({"a", "b"}, {1, 2, 3, 4, 5, 6}, MAT_COMPRESSION_NONE);
  EXPECT_NE(error().find("several matrices (a, b)"), std::string::npos) << error();
  EXPECT_EQ(read_mat(path, "b").size(), 6);
  EXPECT_THROW(read_mat(path, "c"), InputError);
}

TEST_F(Mat, RefusesWhatIsNotOne) {
  EXPECT_NE(error().find("cannot be read as a MATLAB file"), std::string::npos) << error();
  std::ofstream(path) << "q1,q2\n1,2\n";
  EXPECT_NE(error().find("cannot be read as a MATLAB file"), std::string::npos) << error();
  write({}, {}, MAT_COMPRESSION_NONE);
  EXPECT_NE(error().find("no matrix of real numbers"), std::string::npos) << error();
}

TEST_F(Mat, AFileThatEndsEarlyIsRefused) {
  for (const auto packed : {MAT_COMPRESSION_NONE, MAT_COMPRESSION_ZLIB})
    for (const int cut : {1, 8, 24, 50}) {
      write({"arm"}, {1, 2, 3, 4, 5, 6}, packed);
      std::filesystem::resize_file(path, std::filesystem::file_size(path) - static_cast<unsigned>(cut));
      EXPECT_NE(error().find("ends in the middle"), std::string::npos) << error();
    }
}

TEST_F(Mat, NamesTheEntryThatIsNotFinite) {
  write({"arm"}, {1, 2, 3, 4, std::nan(""), 6}, MAT_COMPRESSION_NONE);
  EXPECT_NE(error().find("arm(2,2) is not a finite number"), std::string::npos) << error();
}

}  // namespace
}  // namespace tacit
