#include "tacit/consortium/portable_model.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>

#include "tacit/base/base_testing.hpp"
#include "tacit/base/error.hpp"
#include "tacit/base/system/files.hpp"
#include "tacit/consortium/consortium_testing.hpp"
#include "tacit/consortium/predict/fitted_experts.hpp"
#include "tacit/consortium/programme.hpp"
#include "tacit/lab/simulator/simulator.hpp"

namespace tacit {
namespace {

class Portable : public testing::RingOfAgents {
 protected:
  Portable() : RingOfAgents(4, 30) {
    terms.model.fusion = Fusion::rbcm;
    terms.model.committee.expert_rows = 9;
    terms.model.landmarks.count = 5;
  }

  PortableModel exported(bool with_rows) {
    Simulator simulator(terms.graph);
    const auto found =
        simulator.run<Fit>([&](tacit::Run& net) { return fit_privately(net, terms, {}, rows[net.self()]); });
    PortableModel model;
    model.title = "a test";
    model.roster = {"a", "b", "c", "d"};
    model.inputs = terms.inputs;
    model.targets = terms.targets;
    model.fusion = terms.model.fusion;
    model.committee = terms.model.committee;
    model.fitted = found[0].fitted;
    if (with_rows) model.rows = rows[0];
    return model;
  }
  PortableModel again(const PortableModel& model) {
    write_whole(file, model.to_file(), 0600);
    return PortableModel::load(file);
  }
  std::string load_error() const {
    try {
      PortableModel::load(file);
    } catch (const InputError& e) {
      return e.what();
    }
    return "";
  }

  testing::ScratchFolder folder;
  std::filesystem::path file = folder.path / "model.tacit";
};

TEST_F(Portable, WithExpertsItAnswersAsTheAgentDoesAtHome) {
  const PortableModel model = exported(true);
  const Prediction home = FittedExperts(terms, model.fitted, rows[0], 2, 1 << 20).at_home(points);
  for (const unsigned threads : {1u, 3u}) {
    const Prediction predicted = again(model).predict(points, threads);
    EXPECT_EQ(predicted.mean, home.mean);
    EXPECT_EQ(predicted.latent_variance, home.latent_variance);
    EXPECT_EQ(predicted.observed_variance, home.observed_variance);
  }
  EXPECT_EQ(again(model).to_file(), model.to_file());
  EXPECT_EQ(again(model).roster, model.roster);
}

TEST_F(Portable, DatesKeepTheirStart) {
  PortableModel model = exported(false);
  model.inputs[0].name = "admitted";
  model.inputs[0].start = "2020-02-29";
  model.inputs[1].name = "admitted.hour";
  model.inputs[1].part_of = "admitted";
  EXPECT_EQ(again(model).inputs, model.inputs);
  model.inputs[0].start = "2019-02-29";
  EXPECT_THROW(again(model), InputError);
  model.inputs[0].start = "2020-02-29";
  model.inputs[1].part_of = "other";
  EXPECT_THROW(again(model), InputError);
}

TEST_F(Portable, WithoutThemTheResidualIsThePriors) {
  const PortableModel model = again(exported(false));
  EXPECT_FALSE(model.rows);
  const Fitted& fitted = model.fitted;
  const Prediction predicted = model.predict(points);
  const Matrix at = fitted.standard_points(points);
  const PooledPart& part = *fitted.pooled->parts[0];
  const Matrix phi = part.landmarks().features(at);
  const Matrix i_and_a = Matrix::Identity(5, 5) + fitted.pooled->totals[0].precision;
  const Matrix s = i_and_a.inverse();
  const Scaling& scale = fitted.standardisation->outputs;
  for (Index r = 0; r < points.rows(); ++r)
    for (Index k = 0; k < 2; ++k) {
      const Vector mu = s * fitted.pooled->totals[0].weighted.col(k);
      const double variance = phi.col(r).dot(s * phi.col(r)) + 1 - phi.col(r).squaredNorm();  // k(x,x) = 1
      EXPECT_NEAR(predicted.mean(r, k), scale.shift(k) + scale.scale(k) * phi.col(r).dot(mu), 1e-9);
      EXPECT_NEAR(predicted.latent_variance(r, k), variance * scale.scale(k) * scale.scale(k), 1e-9);
    }
}

TEST_F(Portable, WithoutLandmarksItNeedsRows) {
  terms.model.landmarks.count = 0;
  EXPECT_THROW(exported(false).to_file(), InputError);
  const PortableModel model = exported(true);
  EXPECT_EQ(again(model).predict(points).mean,
            FittedExperts(terms, model.fitted, rows[0]).at_home(points).mean);
}

TEST_F(Portable, BadFilesAreRefusedInOneSentence) {
  const auto says = [&](const std::string& words) { return load_error().find(words) != std::string::npos; };
  EXPECT_TRUE(says("cannot be read")) << load_error();
  const std::string good = exported(true).to_file();
  const auto write = [&](const std::string& bytes) { write_whole(file, bytes); };
  for (const std::size_t size : {std::size_t{30}, good.size() / 2, good.size() - 1}) {
    write(good.substr(0, size));
    EXPECT_TRUE(says("the file is damaged; export it again")) << load_error();
  }
  write(good.substr(0, 10));
  EXPECT_TRUE(says("not a model written by tacit export")) << load_error();
  for (const std::size_t at : {std::size_t{12}, std::size_t{21}, good.size() / 3, good.size() - 1}) {
    std::string bent = good;
    bent[at] = static_cast<char>(bent[at] ^ 4);
    write(bent);
    EXPECT_TRUE(says("the file is damaged; export it again")) << at << load_error();
  }
  std::string newer = good;
  newer[8] = 3;
  write(newer);
  EXPECT_TRUE(says("was written by a newer Tacit (format 3")) << load_error();
  newer[8] = 1;
  write(newer);
  EXPECT_TRUE(says("saved in format 1, this program reads format 2; export it again")) << load_error();
}

TEST_F(Portable, PointsOutsideOfTheAgreementAreRefused) {
  points(0, 0) = terms.inputs[0].high + 1;
  EXPECT_THROW(exported(true).predict(points), InputError);
}

}  // namespace
}  // namespace tacit
