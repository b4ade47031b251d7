// Reports as HTML files: what they contain without scripts, and what they never contain.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "program_testing.hpp"

namespace tacit::testing {
namespace {

using OrderedJson = nlohmann::ordered_json;

class Report : public ::testing::Test {
 protected:
  Folder folder;

  // Twenty rows for three agents. Some tests use a column name with markup, which the page must not
  // interpret.
  std::string data(const std::string& column = "x") {
    std::string text = "\"" + column + "\",y\n";
    for (int k = 0; k < 20; ++k) text += std::to_string(k * 0.3) + "," + std::to_string(k % 7) + "\n";
    return folder.write("rows.csv", text);
  }
  std::vector<std::string> simulate(const std::string& file) {
    return {"simulate", "--data", file, "--target", "y", "--agents", "3", "--json"};
  }
  // Returns the result between the tags of its element.
  static OrderedJson inside(const std::string& html) {
    const std::string start = "<script type=\"application/json\" id=\"result\">";
    const std::size_t at = html.find(start) + start.size();
    return OrderedJson::parse(html.substr(at, html.find("</script>", at) - at));
  }
};

TEST_F(Report, HoldsTheResultToTheLastDigitAndSaysItWithoutScripts) {
  std::vector<std::string> words = simulate(data());
  words.insert(words.end(), {"--report", folder.path("result.html")});
  const Output output = run_tacit(words);
  ASSERT_EQ(output.exit_code, 0) << output.err;
  EXPECT_EQ(output.err, "Wrote " + folder.path("result.html") +
                            "\nnote: the report contains the true values of the test rows\n");
  OrderedJson result = OrderedJson::parse(output.out);
  const std::string html = content(folder.path("result.html"));
  EXPECT_EQ(inside(html), result);
  for (const char* model : {"local", "private", "pooled"})
    EXPECT_TRUE(contains(html, "<td>" + result["accuracy"]["calibration"][model]["rmse"].dump() + "</td>"));
  EXPECT_TRUE(contains(html, "<h1>3 agents learn together to predict y</h1>"));
  EXPECT_TRUE(contains(html, result["about"]["data"][0]["sha256"]));

  // tacit report writes the same result from the JSON.
  const std::string file = folder.write("again.json", output.out);
  EXPECT_EQ(run_tacit({"report", file}).err, "Wrote " + folder.path("again.html") + "\n");
  EXPECT_EQ(inside(content(folder.path("again.html"))), result);
}

TEST_F(Report, TheLineCanBePutIntoAShell) {
  const Output output = run_tacit(simulate(data("it's a $HOME; ls")));
  ASSERT_EQ(output.exit_code, 0) << output.err;
  const std::string line = OrderedJson::parse(output.out)["about"]["line"];
  EXPECT_EQ(line, "tacit simulate --data " + folder.path("rows.csv") + " --target y --agents 3 --json");
  std::vector<std::string> words = simulate(data("it's a $HOME; ls"));
  words.insert(words.end(), {"--inputs", "it's a $HOME; ls"});
  EXPECT_TRUE(contains(OrderedJson::parse(run_tacit(words).out)["about"]["line"].get<std::string>(),
                       "--inputs 'it'\\''s a $HOME; ls'"));
}

TEST_F(Report, MarkupInNamesStaysText) {
  const std::string name = "</script><img src=x onerror=alert(1)>{{result}}";
  std::vector<std::string> words = simulate(data(name));
  words[4] = name;  // predicted from y
  words.insert(words.end(), {"--report", folder.path("result.html")});
  const Output output = run_tacit(words);
  ASSERT_EQ(output.exit_code, 0) << output.err;
  const std::string html = content(folder.path("result.html"));
  EXPECT_FALSE(contains(html, "<img"));
  EXPECT_EQ(inside(html)["targets"][0], name);
  EXPECT_TRUE(contains(html, "<title>3 agents learn together to predict &lt;/script&gt;&lt;img"));
}

// If rounds reveal more than totals, the file contains the same sentences as the text and does not promise
// more.
TEST_F(Report, OfTheConsensusPromisesNoMoreThanTheText) {
  const Output output =
      run_tacit({"simulate", "--data", data(), "--target", "y", "--agents", "6", "--paper", "--lengthscale",
                 "1", "--signal", "1", "--noise", "1", "--report", folder.path("result.html")});
  ASSERT_EQ(output.exit_code, 0) << output.err;
  const std::string sentence = "can compute combinations of other agents' values besides the sum";
  const OrderedJson privacy = inside(content(folder.path("result.html")))["privacy"];
  EXPECT_FALSE(privacy["trajectory_safe"]);
  EXPECT_TRUE(contains(privacy["sentences"].dump(), "an agent " + sentence)) << privacy;
  EXPECT_FALSE(contains(privacy["learns"].dump(), "single party")) << privacy;
  EXPECT_FALSE(contains(privacy.dump(), "..")) << privacy;
}

TEST_F(Report, OfAnAuditAndOfWhatIsPiped) {
  const Output audit = run_tacit({"audit", "--agents", "5", "--json"});
  const std::string file = folder.write("audit.json", audit.out);
  const Output output = run_tacit({"report", "-", "--out", folder.path("audit.html")}, 0, file);
  ASSERT_EQ(output.exit_code, 0) << output.err;
  const std::string html = content(folder.path("audit.html"));
  EXPECT_TRUE(contains(html, "<h2>Findings</h2>"));
  EXPECT_EQ(inside(html)["network"]["edges"].size(), 10u);
}

TEST_F(Report, WhatIsNoResultIsRefused) {
  const auto refused = [&](const std::string& text, const std::string& words) {
    const Output output = run_tacit({"report", folder.write("bad.json", text)});
    EXPECT_EQ(output.exit_code, 2);
    EXPECT_TRUE(contains(output.err, words)) << output.err;
    EXPECT_FALSE(std::filesystem::exists(folder.path("bad.html")));
  };
  refused("age,y\n1,2\n",
          "this is not JSON; give the --json output of simulate, evaluate, audit or reproduce");
  refused("[1, 2]", "this is not a result of this release");
  refused("{\"about\": {\"command\": \"simulate\"}}", "this is not a result of this release");
  refused("{\"about\": {\"command\": 5}}", "this is not a result of this release");
  EXPECT_TRUE(contains(run_tacit({"report", "-"}).err, "needs --out FILE"));
  std::vector<std::string> words = simulate(data());
  const std::string rows = content(folder.path("rows.csv"));
  words.insert(words.end(), {"--report", folder.path("rows.csv")});
  EXPECT_TRUE(contains(run_tacit(words).err, "rows.csv: this file is not a report and was not overwritten"));
  EXPECT_EQ(content(folder.path("rows.csv")), rows);
  words = simulate(data());
  words.insert(words.end(), {"--report", folder.path("nowhere/result.html")});
  EXPECT_TRUE(contains(run_tacit(words).err, "cannot write this file"));
}

}  // namespace
}  // namespace tacit::testing
