// Simulated and real consortia agree: the same files, split and terms give bitwise the same fitted numbers
// and predictions in `tacit simulate` and from real agents over TLS.
#include <cmath>

#include "agents_testing.hpp"
#include "program_json_testing.hpp"

namespace tacit::testing {
namespace {

class SameAnswer : public Consortium {
 protected:
  // The charter has the ranges that the simulation takes from the data: x from the rows and points, z from
  // the bound given to both.
  void SetUp() override {}
  void set_up(std::vector<std::string> more, std::vector<std::pair<std::string, std::string>> lines = {}) {
    agreed = {"--column", "x:-9..8.1", "--column", "z:-90..90:target", "--rows", "25"};
    agreed.insert(agreed.end(), more.begin(), more.end());
    changed = std::move(lines);
    Consortium::SetUp();
  }

  Json simulated(const std::vector<std::string>& more) {
    std::vector<std::string> words{"simulate", "--target", "z", "--y-max", "90"};
    words.insert(words.end(), {"--test", folder.path("points.csv")});
    for (const std::string& name : names) words.insert(words.end(), {"--data", at(name, "data.csv")});
    words.insert(words.end(), more.begin(), more.end());
    return run_json(words);
  }

  void compare(const Json& simulation) {
    start_all();
    const Output fit = ask(0, {"fit", "--json"});
    ASSERT_EQ(fit.exit_code, 0) << fit.err << log(0);
    const Json model = Json::parse(fit.out)["model"];
    const Json &prior = model["priors"][0], &found = simulation["hyperparameters"];
    EXPECT_EQ(prior["noise"], found["noise"]);
    EXPECT_EQ(prior["kernel"], found["kernel"]);
    EXPECT_EQ(model["likelihood"], simulation["tuning"]["likelihood_after"]);
    for (const char* number : {"shift", "scale"}) {
      EXPECT_EQ(model["standardisation"]["inputs"][number], simulation["standardise"]["inputs"][number]);
      EXPECT_EQ(model["standardisation"]["outputs"][number], simulation["standardise"]["targets"][number]);
    }
    same_points(simulation["predictions"], {"predict", "--together"});
    same_points(simulation["at_home"], {"predict"});
  }

  void same_points(const Json& expected, std::vector<std::string> asked) {
    asked.insert(asked.end(), {"--input", folder.path("points.csv"), "--json"});
    const Output output = ask(0, asked);
    ASSERT_EQ(output.exit_code, 0) << output.err << log(0);
    const Json points = Json::parse(output.out)["predictions"];
    ASSERT_EQ(points.size(), 3u);
    for (std::size_t k = 0; k < points.size(); ++k) {
      EXPECT_EQ(points[k]["mean"], expected[k]["mean"]);
      EXPECT_EQ(points[k]["latent_sd"][0].get<double>(), std::sqrt(expected[k]["variance"][0].get<double>()));
    }
  }
};

TEST_F(SameAnswer, ByExactSums) {
  set_up({"--landmarks", "0", "--fusion", "poe"});
  compare(simulated({"--landmarks", "0", "--fusion", "poe"}));
}

// The defaults of a new charter are those of tacit simulate.
TEST_F(SameAnswer, WithoutOptions) {
  set_up({});
  const Json simulation = simulated({});
  EXPECT_GT(simulation["landmarks"]["count"], 5);
  compare(simulation);
}

TEST_F(SameAnswer, ByExactSumsWithAnotherKernelAndRule) {
  set_up({"--kernel", "matern32 + constant", "--fusion", "rbcm"}, {{"expert_rows = 500", "expert_rows = 9"}});
  const Json simulation =
      simulated({"--kernel", "matern32 + constant", "--fusion", "rbcm", "--expert-rows", "9"});
  EXPECT_EQ(simulation["experts"], 12);
  compare(simulation);
}

// Without blinding, because each agent draws its own noise, which changes roundings.
TEST_F(SameAnswer, ByTheConsensus) {
  set_up({"--protocol", "consensus", "--landmarks", "0", "--fusion", "poe"},
         {{"blinding = 40", "blinding = 0"}});
  const Json simulation = simulated({"--protocol", "consensus", "--masks", "seeded", "--acceleration",
                                     "chebyshev", "--modulus-rule", "range", "--tune", "exact"});
  compare(simulation);
}

}  // namespace
}  // namespace tacit::testing
