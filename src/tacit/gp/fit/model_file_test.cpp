#include <gtest/gtest.h>

#include <filesystem>

#include "tacit/base/base_testing.hpp"
#include "tacit/gp/fit/fit.hpp"
#include "tacit/gp/gp_testing.hpp"

namespace tacit {
namespace {

using testing::random_matrix;

class ModelFile : public ::testing::Test {
 protected:
  std::filesystem::path file() const { return folder_.path / "model"; }
  std::string content() const { return testing::content(file()); }
  void write(const std::string& text) const { folder_.write("model", text); }
  std::string error() const {
    return testing::error_of([&] { Model::load(file()); });
  }

 private:
  const testing::ScratchFolder folder_;
};

Model small(FitOptions options = {}) {
  const Matrix x = random_matrix(30, 2, 1), y = random_matrix(30, 2, 2);
  return fit(x, y, se(ard) + linear() * periodic(), options);
}

TEST_F(ModelFile, OnlyItsOwnerMayReadIt) {
  small().save(file());
  EXPECT_EQ(std::filesystem::status(file()).permissions(),
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
}

TEST_F(ModelFile, AModelComesBackToTheBit) {
  const Matrix points = random_matrix(9, 2, 3);
  FitOptions several;
  several.committee = {.expert_rows = 7, .split = RowSplit::clusters, .seed = 5};
  for (const Model& model : {small(), small(several)}) {
    model.save(file());
    const Model back = Model::load(file());
    EXPECT_EQ(back.prior(), model.prior());
    EXPECT_EQ(back.report(), model.report());
    EXPECT_TRUE(back.predict(points).mean == model.predict(points).mean);
    EXPECT_TRUE(back.predict(points).latent_variance == model.predict(points).latent_variance);
    EXPECT_TRUE(Model::from_file(model.to_file()).predict(points).mean == model.predict(points).mean);
    const std::string first = content();
    back.save(file());
    EXPECT_EQ(content(), first);
    EXPECT_TRUE(back.add_data(points, points).predict(points).mean ==
                model.add_data(points, points).predict(points).mean);
  }
}

TEST_F(ModelFile, EveryFlippedByteAndEveryShortFileIsRefused) {
  small().save(file());
  const std::string whole = content();
  for (std::size_t at = 0; at < whole.size(); at += 1 + at / 40) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x20);
    write(damaged);
    EXPECT_NE(error(), "") << at;
    write(whole.substr(0, at));
    EXPECT_NE(error(), "") << at;
  }
  write(whole + "x");
  EXPECT_NE(error().find("damaged"), std::string::npos);
  std::string other = whole;
  other[8] = 9;
  write(other);
  EXPECT_NE(error().find("was written by a newer Tacit (format 9"), std::string::npos) << error();
  write("age,sex,bmi\n");
  EXPECT_NE(error().find("not a saved model"), std::string::npos);
  std::filesystem::remove(file());
  EXPECT_NE(error().find("cannot be read"), std::string::npos);
}

}  // namespace
}  // namespace tacit
