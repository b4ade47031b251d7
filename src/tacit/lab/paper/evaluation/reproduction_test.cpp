#include <fmt/format.h>
#include <gtest/gtest.h>
#include <matio.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <sstream>

#include "tacit/base/base_testing.hpp"
#include "tacit/base/error.hpp"
#include "tacit/graph/generators.hpp"
#include "tacit/lab/paper/evaluation/document.hpp"
#include "tacit/lab/paper/evaluation/figures.hpp"
#include "tacit/lab/paper/evaluation/format.hpp"
#include "tacit/lab/paper/tables/rivals.hpp"
#include "tacit/lab/paper/tables/table_data.hpp"
#include "tacit/protocol/consensus/consensus.hpp"

namespace tacit {
namespace {

class InFolder : public ::testing::Test {
 protected:
  std::string content(const std::string& name) const { return testing::content(folder / name); }

 private:
  testing::ScratchFolder own_;

 protected:
  const std::filesystem::path folder = own_.path;
};

using testing::error_of;

TEST(DataSets, DiabetesIsScaledAsScikitLearnShipsIt) {
  const DataSet data = diabetes();
  ASSERT_EQ(data.samples.inputs.rows(), 442);
  ASSERT_EQ(data.samples.inputs.cols(), 10);
  // The first rows of sklearn.datasets.load_diabetes().data, and target.
  EXPECT_NEAR(data.samples.inputs(0, 0), 0.03807591, 1e-8);
  EXPECT_NEAR(data.samples.inputs(0, 2), 0.06169621, 1e-8);
  EXPECT_NEAR(data.samples.inputs(1, 9), -0.09220405, 1e-8);
  EXPECT_EQ(data.samples.outputs(0, 0), 151);
  const Matrix standard = diabetes(DiabetesInputs::standardised).samples.inputs;
  EXPECT_NEAR(standard.col(3).squaredNorm() / 442, 1, 1e-12);
}

// Each row goes to exactly one agent or to the test, and another seed gives another division.
TEST(DataSets, DealsEveryRowOnce) {
  const DataSet data = diabetes();
  const Parties a = deal(data, 10, 7);
  EXPECT_EQ(a.rows(), 353u);
  EXPECT_EQ(a.test.inputs.rows(), 89);
  std::multiset<double> dealt, all;  // numbers that identify almost every patient
  const auto add = [](std::multiset<double>& set, const Matrix& x) {
    for (Index r = 0; r < x.rows(); ++r) set.insert(x(r, 2) + 1e3 * x(r, 8) + 1e6 * x(r, 9));
  };
  for (const Samples& agent : a.agents) add(dealt, agent.inputs);
  add(dealt, a.test.inputs);
  add(all, data.samples.inputs);
  EXPECT_EQ(dealt, all);
  EXPECT_EQ(deal(data, 10, 7).test.inputs, a.test.inputs);
  EXPECT_NE(deal(data, 10, 8).test.inputs, a.test.inputs);
}

class Sarcos : public InFolder {
 protected:
  static Matrix arm(Index rows, Index columns) {
    std::mt19937_64 engine(3);
    return Matrix::NullaryExpr(rows, columns, [&] { return static_cast<double>(engine() % 1000) / 8; });
  }
  void write_csv(const Matrix& m) const {
    std::ofstream out(folder / "sarcos.csv");
    for (const char* stem : {"q", "dq", "ddq", "tau"})
      for (int joint = 1; joint <= 7; ++joint)
        out << (std::string(stem) + std::to_string(joint) == "q1" ? "" : ",") << stem << joint;
    out << '\n' << m.format(Eigen::IOFormat(17, Eigen::DontAlignCols, ",", "\n")) << '\n';
  }
  void write_mat(const Matrix& m, const char* name) const {
    mat_t* file = Mat_CreateVer((folder / name).c_str(), nullptr, MAT_FT_MAT5);
    std::size_t dims[2] = {static_cast<std::size_t>(m.rows()), static_cast<std::size_t>(m.cols())};
    Matrix copy = m;
    matvar_t* v = Mat_VarCreate("sarcos_inv", MAT_C_DOUBLE, MAT_T_DOUBLE, 2, dims, copy.data(), 0);
    Mat_VarWrite(file, v, MAT_COMPRESSION_ZLIB);
    Mat_VarFree(v);
    Mat_Close(file);
  }
};

TEST_F(Sarcos, IsTheSameFromCsvAndFromMatlab) {
  EXPECT_FALSE(find_sarcos(folder));
  EXPECT_NE(how_to_get_sarcos(folder).find(folder.string()), std::string::npos);
  const Matrix all = arm(4200, 28);
  write_mat(all, "sarcos_inv_test.mat");
  const auto from_mat = find_sarcos(folder);
  write_csv(all);
  const auto from_csv = find_sarcos(folder);
  ASSERT_TRUE(from_mat && from_csv);
  EXPECT_EQ(from_mat->samples.inputs, all.leftCols(21));
  EXPECT_EQ(from_csv->samples.inputs, all.leftCols(21));
  EXPECT_EQ(from_csv->samples.outputs, all.rightCols(7));
  EXPECT_EQ(first_output(*from_csv).samples.outputs, all.col(21));
  EXPECT_EQ(from_csv->inputs[7], "dq1");
}

TEST_F(Sarcos, RefusesAFileThatIsTooShortOrHasOtherColumns) {
  write_mat(arm(100, 28), "sarcos_inv.mat");
  EXPECT_NE(error_of([&] { find_sarcos(folder); }).find("only 100 rows, but the paper uses 4200"),
            std::string::npos);
  write_mat(arm(4200, 27), "sarcos_inv.mat");
  EXPECT_NE(error_of([&] { find_sarcos(folder); }).find("27 columns"), std::string::npos);
}

// Compares our copy of the published table with the paper's source, cell by cell, if the source is present.
TEST(Published, IsWhatThePaperPrints) {
  std::ifstream in(TACIT_SOURCE_DIR "/../shared/paper.tex");
  if (!in) GTEST_SKIP() << "../shared/paper.tex is absent";
  std::string tex{std::istreambuf_iterator<char>(in), {}};
  const std::size_t begin = tex.find("\\midrule"), end = tex.find("\\bottomrule");
  std::string table = tex.substr(begin, end - begin);
  // "0.4797(1084)" is 0.4797 ± 0.1084; "$20$ & $19$" are M and degree.
  std::size_t at = 0;
  const auto next = [&](std::string text, const std::string& what) {
    const std::size_t found = table.find(text, at);
    ASSERT_NE(found, std::string::npos) << what << ": " << text;
    EXPECT_LT(found - at, 200u) << what << ": " << text << " is not among the next cells";
    at = found + text.size();
  };
  const std::map<std::string_view, std::string> signs{
      {"*", "$*$"}, {"<1e-4", "$<10^{-4}$"}, {">300", "$>300$"}};
  const auto cell = [&](std::string_view text, const std::string& what) {
    if (signs.contains(text)) return next(signs.at(text), what);
    const std::size_t plus = text.find(" ± 0.");
    std::string printed(text.substr(0, plus));
    if (plus != text.npos) printed.append("(").append(text.substr(plus + 6)).append(")");
    next(printed, what);
  };
  for (const PublishedRow& row : published_table) {
    const std::string what = fmt::format("{} M = {}", row.data, row.agents);
    next(fmt::format("${}$ & ${}$", row.agents, row.degree), what);
    for (const auto& value : row.rmse_mean) cell(value, what);
    for (const auto& value : row.rmse_variance) cell(value, what);
    cell(row.plain, what);
    for (const auto& value : row.total) cell(value, what);
  }
}

// A run that is divided into parts gives the same result, to the bit.
TEST(Accuracy, LookingOnTheWayChangesNothing) {
  const Graph graph = ring_lattice(12, 4);
  PlanRequest request;
  request.dimension = 5;
  request.value_bound = 1e5;
  request.lz = 1e-4;
  request.iterations = 30;
  const ConsensusPlan plan = make_plan(graph, request);
  const auto start = [](AgentId i) {
    Values z;
    for (int k = 0; k < 5; ++k) z.push_back(1e4 * std::sin(1.7 * i + k) + 1e-3 * i);
    return z;
  };
  const auto whole = Simulator(graph).run<Values>(
      [&](tacit::Run& net) { return secure_average(net, plan, start(net.self())); });
  const auto cut = Simulator(graph).run<std::vector<Values>>([&](tacit::Run& net) {
    return averages_at(net, plan, start(net.self()), {1, 2, 11, 30});
  });
  for (std::size_t i = 0; i < 12; ++i) {
    EXPECT_EQ(cut[i].size(), 4u);
    EXPECT_EQ(cut[i][3], whole[i]) << i;
  }
}

TEST(Accuracy, FallsToTheFloorOfTheTheorem) {
  const auto curves = reproduce_accuracy({diabetes()}, {});
  ASSERT_EQ(curves.size(), 3u);
  for (const AccuracyCurve& curve : curves) {
    EXPECT_EQ(curve.points_without_floor, 0u);
    EXPECT_TRUE(curve.falls()) << curve.lz;
    EXPECT_TRUE(curve.reaches_floor()) << curve.lz;
    // The bound is not loose.
    EXPECT_GT(curve.rmse_mean.back(), curve.floor_mean / 30) << curve.lz;
  }
  for (std::size_t k = 1; k < 3; ++k) {
    EXPECT_LT(curves[k].rmse_mean.back(), curves[k - 1].rmse_mean.back());
    EXPECT_LT(curves[k].rmse_variance.back(), curves[k - 1].rmse_variance.back());
    EXPECT_LT(curves[k].floor_mean, curves[k - 1].floor_mean);
  }
}

TEST(Accuracy, ReportsWhereTheTheoremGivesNoBound) {
  ReproduceSettings settings;
  settings.noise = 60;  // so large that 1/V(x) is below L_z = 1
  const auto curves = reproduce_accuracy({diabetes()}, settings);
  EXPECT_GT(curves[0].points_without_floor, 0u);
  const Document document = accuracy_document(curves, settings);
  EXPECT_TRUE(document.json["curves"][0]["floor_mean"].is_null());
  EXPECT_TRUE(document.json["curves"][0]["falls"].is_null());
}

TEST(Tuning, AgentsMeetAndTheWeightsUnitDoesNotMatter) {
  const DataSet data = diabetes();
  const TuningRun fine = run_tuning(data, GradientOf::likelihood_per_row, 40, {});
  const TuningRun coarse = run_tuning(data, GradientOf::likelihood_per_row, 10, {});
  EXPECT_LT(fine.spread_lengthscale, 0.5);
  EXPECT_LT(fine.spread_signal, 0.5);
  EXPECT_GT(fine.likelihood_after, fine.likelihood_before);
  EXPECT_EQ(fine.traces.size(), 20u);
  EXPECT_EQ(fine.traces[0].size(), 31u);
  EXPECT_LE(fine.required_bits, tuning_bits);
  // Both quantise Θ to multiples of L_z and have exact weights, so they differ only by rounding of the state.
  EXPECT_NEAR(fine.agreed().lengthscale, coarse.agreed().lengthscale, 1e-4);
  EXPECT_NEAR(fine.agreed().signal, coarse.agreed().signal, 1e-4);
  for (const TuneTrace& trace : fine.traces) {
    EXPECT_GE(trace[0][0].lengthscale, 5);
    EXPECT_LE(trace[0][0].signal, 15);
  }
}

TEST(Table, SpreadIsTheSamples) {
  const Spread s = spread_of({1, 2, 3, 4});
  EXPECT_DOUBLE_EQ(s.mean, 2.5);
  EXPECT_NEAR(s.deviation, 1.2909944487, 1e-9);
  EXPECT_TRUE(std::isnan(spread_of({5}).deviation));  // not a number for one draw
  EXPECT_EQ(seconds_text(spread_of({5})), "5.0000 (one draw)");
  EXPECT_EQ(error_text(spread_of({0.5})), "0.5000 (one draw)");
  EXPECT_EQ(seconds_text(spread_of({1, 1})), "1.0000 ± 0.0000");
}

TEST(Table, ARowIsWhatThePlanAndTheTheoremSay) {
  ReproduceSettings settings;
  const DataSet data = diabetes();
  const OutputHyperparameters shared = tuned_hyperparameters(data, settings);
  const TableRow row = run_table_row(data, {10, 4}, table_variants()[0], shared, 2, settings);
  EXPECT_EQ(row.plan.iterations, 100u);
  EXPECT_EQ(row.plan.lz, 1e-4);
  EXPECT_EQ(row.plan.dimension, 178u);
  const Traffic planned = planned_traffic(ring_lattice(10, 4), row.plan);
  EXPECT_EQ(row.messages, planned.messages);
  EXPECT_EQ(row.bytes, planned.bytes);
  EXPECT_EQ(row.rounds, 200u);
  EXPECT_NEAR(row.network_seconds.mean, 200 * 0.2e-3, 1e-9);  // each round waits for the one before
  EXPECT_EQ(row.published()->rmse_mean[2], "0.0128");
  EXPECT_GE(row.total_work.mean, row.total_longest.mean);
  // M = 10 has converged at T = 100, so the floor of Theorem 4 holds: slightly more than L_z (|f̂| V + V).
  const Parties parties = deal(data, 10, settings.seed);
  const Prediction fused = plain_gpr(parties, shared, settings).fused;
  double worst = 0;
  for (Index k = 0; k < fused.mean.size(); ++k)
    worst = std::max(worst, beta_bound(1e-4, fused.latent_variance.data()[k],
                                       std::abs(fused.mean.data()[k]) / fused.latent_variance.data()[k]));
  EXPECT_LT(row.rmse_mean.mean, 2 * worst);
  EXPECT_GT(row.rmse_mean.mean, 0);
  // With the noise in V_i, σ_ε = 6 gives the published order of magnitude; without it, it does not.
  settings.noise_in_variance = true;
  const TableRow noisy = run_table_row(data, {10, 4}, table_variants()[0], shared, 1, settings);
  EXPECT_NEAR(noisy.rmse_mean.mean, 0.0128, 0.004);
  EXPECT_LT(row.rmse_mean.mean, 0.001);
}

// Inputs are standardised, so that predictions are not constant. Only the model differs from row to row.
TEST(Table, LandmarksOnTheSameRows) {
  const ReproduceSettings settings;
  const DataSet data = diabetes(DiabetesInputs::standardised);
  const OutputHyperparameters shared{{.lengthscale = 5, .signal = 150, .noise = 55}};
  const auto run = [&](const char* name) {
    return run_table_row(data, {10, 4}, variant_named(name), shared, 1, settings);
  };
  const TableRow poe = run("protocol exact"), rbcm = run("rbcm"), alone = run("alone"),
                 together = run("landmarks, together"), home = run("landmarks, at home");
  EXPECT_EQ(together.landmarks, 42u);  // 42·45/2 ≤ 353·11/4; 43 are too many
  EXPECT_EQ(home.landmarks, 42u);
  EXPECT_EQ(rbcm.landmarks, 0u);
  const Parties parties = deal(data, 10, settings.seed);
  const PlainResult plain = plain_gpr(parties, shared, settings);
  double own = 0;
  std::vector<Matrix> means, variances;
  for (const Prediction& one : plain.alone) {
    own += test_error(one, parties) / 10;
    means.push_back(one.mean);
    variances.push_back(one.latent_variance);
  }
  EXPECT_NEAR(alone.test_error.mean, own, 1e-9);
  EXPECT_NEAR(poe.test_error.mean, test_error(plain.fused, parties), 0.01);  // units of L_z/1024
  const Matrix prior = Matrix::Constant(means[0].rows(), 1, 150 * 150);
  EXPECT_NEAR(rbcm.test_error.mean, test_error(fuse(Fusion::rbcm, means, variances, prior), parties), 1e-4);
  // At home is as good as together, and better than alone.
  EXPECT_NEAR(home.test_error.mean, together.test_error.mean, 0.5);
  EXPECT_LT(home.test_error.mean, alone.test_error.mean - 2);
  EXPECT_EQ(alone.messages, 0u);
  EXPECT_GT(home.messages, 0u);
  EXPECT_GT(together.messages, home.messages);  // by the messages of the prediction
  EXPECT_GT(together.bytes, home.bytes);

  const Document document = table_document({.rows = {poe, together, home}}, settings);
  EXPECT_TRUE(document.json["rows"][1]["rmse_mean"]["mean"].is_null());
  EXPECT_EQ(document.json["rows"][1]["landmarks"], 42);
  EXPECT_FALSE(document.json["rows"][0].contains("landmarks"));
  EXPECT_NE(document.text.find("| landmarks, at home   | 42  |"), std::string::npos) << document.text;
}

// Names of variants contain commas.
TEST(Table, CsvHasAsManyCellsInEveryLine) {
  TableRow paper, other;
  paper.variant = "seeded, Chebyshev";
  other.variant = "landmarks, at home";
  other.other_model = true;
  const std::string csv = table_document({.rows = {paper, other}}, {}).csv;
  std::istringstream lines(csv);
  std::set<std::ptrdiff_t> commas;
  for (std::string line; std::getline(lines, line);) {
    bool quoted = false;
    commas.insert(std::count_if(line.begin(), line.end(), [&](char c) {
      if (c == '"') quoted = !quoted;
      return c == ',' && !quoted;
    }));
  }
  EXPECT_EQ(commas.size(), 1u) << csv;
}

// A rival's row summarises its draws and appears beside the published numbers, in all formats of the
// document.
TEST(Table, MultiKeyCkksIsAColumn) {
  ReproduceSettings settings;
  settings.shares = false;
  const DataSet data = diabetes();
  const OutputHyperparameters shared{{.lengthscale = 5, .signal = 150, .noise = 55}};
  const std::vector<Rival> asked = rivals(settings);
  ASSERT_EQ(asked.size(), 2u);
  EXPECT_EQ(asked[1].name, "[12] multi-key CKKS, lean");
  const TableRow paper = run_table_row(data, {10, 4}, table_variants()[0], shared, 1, settings);
  TableRow rival = run_rival_row(data, {10, 4}, asked[1], shared, 2, settings);
  EXPECT_EQ(rival.repeats, 2u);
  EXPECT_EQ(rival.rounds, 6u);
  EXPECT_EQ(rival.messages, 60u);
  EXPECT_LT(rival.rmse_mean.mean, 1e-2);  // of means near 150
  EXPECT_GT(rival.rmse_mean.mean, 0);
  EXPECT_GT(rival.total_work.mean, rival.total_longest.mean);
  ASSERT_EQ(rival.rival->phases.size(), 8u);
  double work = 0;
  for (const RivalPhase& phase : rival.rival->phases) work += phase.work;
  EXPECT_LE(work, 1.001 * rival.protocol_work.mean);  // phases are parts of the work

  rival.variant = "[12] multi-key CKKS";  // the column's name
  const Document document = table_document({.rows = {paper, rival}}, settings);
  const auto& json = document.json["rows"][1]["rival"];
  EXPECT_EQ(json["published"]["total_seconds"], "3.6482 ± 0.6539");
  EXPECT_EQ(json["phases"][4]["name"], "encryption");
  EXPECT_TRUE(json["phases"][4]["largest_error"].is_null());
  EXPECT_TRUE(json["phases"][7]["largest_error"].is_number());
  EXPECT_FALSE(document.json["rows"][1].contains("published"));  // only for our rows
  EXPECT_NE(document.text.find("| 3.6482 ± 0.6539 | " + seconds_text(rival.total_work) + " |"),
            std::string::npos)
      << document.text;
  EXPECT_NE(document.text.find("| partial decryption "), std::string::npos);
  EXPECT_NE(document.text.find("Left out because of `rivals`: [11] two servers."), std::string::npos);
  EXPECT_NE(document.csv.find(",3.6482 ± 0.6539,\"\",\n"), std::string::npos) << document.csv;
}

// A stopped run has no number, and all formats state that it was stopped.
TEST(Table, ReportsWhatExceedsTheLimitOrIsLeftOut) {
  const DataSet data = diabetes();
  const Rival endless{"[11] two servers", 0,
                      [](const auto&, const auto&, const auto&, std::uint64_t, double limit) {
                        EXPECT_EQ(limit, 300);
                        Rival::Outcome stopped;
                        stopped.phases.push_back({.name = "inversion", .work = 7});
                        stopped.stopped = {12.5, "inversion"};
                        return stopped;
                      }};
  const TableRow over = run_rival_row(data, {10, 4}, endless, {{}}, 5, {});
  EXPECT_EQ(over.repeats, 1u);
  EXPECT_EQ(over.rival->phases[0].work, 7);
  TableRow paper = left_out_row(data, {10, 4}, table_variants()[0].name, "");
  const TableRow helper = left_out_row(data, {20, 19}, "one helper", "this graph is complete");
  Rival::Outcome early;
  early.stopped = {3, "preparation"};
  Rival unready = endless;
  unready.run = [&](auto&&...) { return early; };
  const TableRow before = run_rival_row(data, {20, 4}, unready, {{}}, 5, {});
  const TableRow paper_20 = left_out_row(data, {20, 4}, table_variants()[0].name, "");
  const Document document = table_document({.rows = {paper, over, helper, paper_20, before}}, {});
  EXPECT_NE(document.text.find("| 8.4878 ± 0.4520 | > 300 s             |"), std::string::npos)
      << document.text;
  EXPECT_NE(document.text.find("| preparation > 300 s |"), std::string::npos);
  EXPECT_NE(
      document.text.find("- [11] two servers: stopped after 12.5 s in the phase inversion, because it would"),
      std::string::npos);
  EXPECT_NE(document.text.find("stopped after 3 s of its preparation, which is timed separately"),
            std::string::npos);
  EXPECT_EQ(document.json["rows"][1]["rival"]["stopped_in"], "inversion");
  EXPECT_EQ(document.json["rows"][1]["rival"]["stopped_after"], 12.5);
  EXPECT_EQ(document.json["rows"][4]["rival"]["stopped_in"], "preparation");
  EXPECT_NE(document.text.find("- one helper: this graph is complete (Diabetes M = 20 degree 19)"),
            std::string::npos);
  EXPECT_EQ(document.json["rows"][2]["left_out"], "this graph is complete");
  EXPECT_EQ(document.json["rows"][2]["variant"], "one helper");  // the same with and without numbers
  EXPECT_TRUE(document.json["rows"][2]["traffic"]["rounds"].is_null());
  EXPECT_TRUE(document.json["rows"][1]["seconds"]["total_all_agents"]["mean"].is_null());
  EXPECT_EQ(document.json["rows"][1]["rival"]["over_limit"], true);
  EXPECT_NE(document.csv.find("because it would take more than 300 s\",inversion\n"), std::string::npos);
}

// A signal far above the noise does not fit the servers' fixed point. The other results must still be
// complete.
TEST(Table, LeavesOutARivalThatRefusesTheModel) {
  ReproduceSettings settings;
  settings.ckks = false;
  const DataSet data = diabetes();
  const OutputHyperparameters strong{{.lengthscale = 9, .signal = 12, .noise = 0.3}};
  const TableRow row = run_rival_row(data, {10, 4}, rivals(settings)[0], strong, 3, settings);
  EXPECT_NE(row.left_out.find("the signal is 40 times the noise"), std::string::npos) << row.left_out;
  EXPECT_FALSE(row.rival->stopped);
  EXPECT_TRUE(row.rival->phases.empty());
  const auto growths = measure_growth(data, strong, settings);
  ASSERT_EQ(growths.size(), 6u);  // ours as in the paper, exact, [11]; against M and rows
  EXPECT_TRUE(growths[0].stopped.empty());
  EXPECT_TRUE(std::isfinite(growths[0].exponent));
  EXPECT_TRUE(growths[5].refused);
  ASSERT_EQ(growths[5].points.size(), 1u);
  const Document document = table_document({.rows = {row}, .growth = growths}, settings);
  EXPECT_NE(document.text.find("- [11] two servers: two servers cannot hold this model"), std::string::npos);
  EXPECT_NE(document.text.find("| 5: refused "), std::string::npos) << document.text;
  EXPECT_EQ(document.text.find("### The rivals, phase by phase"), std::string::npos);  // it has no phases
  EXPECT_EQ(document.json["rows"][0]["left_out"], row.left_out);
  EXPECT_EQ(document.json["rows"][0]["rival"]["over_limit"], false);
}

// With --variance observed, all methods are compared with the same plain GPR.
TEST(Table, TwoServersHaveTheNoiseInTheirVariancesWhereAsked) {
  ReproduceSettings settings;
  settings.noise_in_variance = true;
  const OutputHyperparameters shared{{.lengthscale = 9.05, .signal = 11.9, .noise = 6}};
  const TableRow row = run_rival_row(diabetes(), {10, 4}, rivals(settings)[0], shared, 1, settings);
  EXPECT_LT(row.rmse_mean.mean, 1e-3);
  EXPECT_LT(row.rmse_variance.mean, 1e-5);
  TableRow paper = left_out_row(diabetes(), {10, 4}, table_variants()[0].name, ""), lean = row;
  lean.variant = "[12] multi-key CKKS, lean";
  lean.rmse_mean = {0.0123, 0.0045};
  const std::string text = table_document({.rows = {paper, row, lean}}, settings).text;
  EXPECT_NE(text.find("[12] here, lean | Ours"), std::string::npos) << text;
  EXPECT_NE(text.find("| 0.0123 ± 0.0045 | 0.0128 |"), std::string::npos) << text;
  // The dealer's preparation is shown separately from the totals, for each network.
  const std::size_t prepared = text.find("Preparation by the dealer of [11]");
  ASSERT_NE(prepared, std::string::npos);
  EXPECT_NE(
      text.find(fmt::format("{:.3f} |", static_cast<double>(row.rival->phases[0].bytes) / 1e6), prepared),
      std::string::npos);
}

TEST(Growth, FitsTheExponent) {
  EXPECT_NEAR(fitted_exponent({1, 2, 4, 8}, {3, 12, 48, 192}), 2, 1e-12);
  EXPECT_NEAR(fitted_exponent({10, 20}, {7, 7}), 0, 1e-12);
  EXPECT_TRUE(std::isnan(fitted_exponent({10}, {7})));
}

TEST(Libraries, AgreeWithOursOrAreReportedMissing) {
  const OutputHyperparameters shared{{.lengthscale = 5, .signal = 150, .noise = 55}};
  const auto speeds = library_speeds(diabetes(DiabetesInputs::standardised), shared, {});
  ASSERT_EQ(speeds.size(), 2u);
  for (const LibrarySpeed& speed : speeds) {
    EXPECT_GT(speed.ours, 0);
    if (!speed.missing.empty()) continue;
    EXPECT_LT(speed.difference, 1e-9) << speed.library;
    EXPECT_GT(speed.seconds, 0);
  }
  EXPECT_EQ(library_speeds(diabetes(), shared, {}, {"/nowhere/python3"})[0].missing, "not installed");
  ReproduceSettings none;
  none.shares = none.ckks = false;
  EXPECT_TRUE(library_speeds(diabetes(), shared, none).empty());
  EXPECT_TRUE(measure_growth(diabetes(), shared, none).empty());
}

TEST(Causes, TheRingExplainsThePublishedRatio) {
  const Causes causes = reproduce_causes({}, {});
  EXPECT_NEAR(causes.rates[0].ratio(), 0.6767 / 0.0192, 6);
  EXPECT_LT(causes.rates[1].ratio(), 10);
  // With inputs near 0.05 and a length-scale near 10, predictions are nearly constant.
  EXPECT_LT(causes.inputs[0].prediction_deviation, 2);
  EXPECT_NEAR(causes.inputs[0].error, causes.inputs[0].error_constant, 0.5);
  EXPECT_LT(causes.inputs[1].error, 0.92 * causes.inputs[1].error_constant);
}

TEST(Documents, TablesLineUpWhateverTheLetters) {
  EXPECT_EQ(markdown_table({"a", "θ_l"}, {{"f̂", "12345"}, {"xyz", ""}}),
            "| a   | θ_l   |\n"
            "|-----|-------|\n"
            "| f̂   | 12345 |\n"
            "| xyz |       |\n");
}

TEST(Documents, WhatIsNotFiniteIsLeftOut) {
  const double none = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(json_number(none).is_null());
  EXPECT_EQ(csv_cell(none), "");
  EXPECT_EQ(error_text(none), "-");
  EXPECT_EQ(error_text(0.00042), "4.2e-04");
  EXPECT_EQ(error_text(0.0192), "0.0192");
}

class Figures : public InFolder {
 protected:
  void write(const char* name, const std::string& text) const { std::ofstream(folder / name) << text; }
};

TEST_F(Figures, AreDrawnFromTheFilesAlone) {
  write("tuning.csv", tuning_document({run_tuning(diabetes(), GradientOf::likelihood, 40, {})}, {}).csv);
  write("accuracy.csv", accuracy_document(reproduce_accuracy({diabetes()}, {}), {}).csv);
  TableRow row = left_out_row(diabetes(), {10, 4}, "[11] two servers", "more than 300 s");
  row.rival.emplace();
  row.rival->stopped = {100, "inversion"};
  const double none = std::numeric_limits<double>::quiet_NaN();
  const Growth growth{.data = "Diabetes",
                      .method = "protocol exact",
                      .with_agents = true,
                      .points = {{5, 8, 2, 1}, {10, 8, 4, 2}, {20, 8, none, none}},
                      .stopped = "over 60 s",
                      .exponent = 1.23};
  write("table.csv",
        table_document({.rows = {row, left_out_row(diabetes(), {10, 4}, "protocol exact", "")}}, {}).csv);
  write("growth.csv", growth_csv({growth}));
  EXPECT_EQ(draw_figures(folder), "");
  for (const char* name : {"tuning.svg", "accuracy.svg", "table.svg", "growth.svg"}) {
    const std::string svg = content(name);
    EXPECT_NE(svg.find("<svg"), std::string::npos) << name;
    EXPECT_NE(svg.find("</svg>"), std::string::npos) << name;
  }
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 9);
  // Arrows mark stopped runs. Matplotlib omits those that begin or end outside the axes.
  EXPECT_NE(content("table.svg").find("id=\"bound\""), std::string::npos);
  EXPECT_NE(content("growth.svg").find("id=\"bound\""), std::string::npos);
  EXPECT_NE(content("growth.svg").find("hollow: stopped at the limit"), std::string::npos);
  EXPECT_NE(content("growth.svg").find("M^{1.23}"), std::string::npos);
}

TEST_F(Figures, SayWhatIsMissing) {
  EXPECT_NE(draw_figures(folder, {"/nowhere/python3"}).find("install python3-matplotlib"), std::string::npos);
  EXPECT_TRUE(std::filesystem::exists(folder / "figures.py"));
  write("accuracy.csv", "data,lz\nDiabetes,1\n");
  EXPECT_NE(draw_figures(folder).find("drawing failed"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(folder / "accuracy.svg"));
}

}  // namespace
}  // namespace tacit
