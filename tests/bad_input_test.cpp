// Every kind of bad input gives exit code 2 and one line with the file, line, column or option, and the
// correction.
#include <gtest/gtest.h>

#include <algorithm>

#include "program_testing.hpp"
#include "refused_testing.hpp"

namespace tacit::testing {
namespace {

constexpr const char* good_rows =
    "1,2,3\n2,1,4\n3,5,1\n4,2,2\n5,1,3\n6,2,1\n7,3,2\n8,1,1\n9,4,3\n10,2,2\n11,3,1\n12,5,4\n";

class BadInput : public ::testing::Test {
 protected:
  Folder folder;
  std::string good = folder.write("good.csv", std::string("a,b,y\n").append(good_rows));

  // Runs simulate on `data` with more options. Expects a refusal in one line that contains all of `words`.
  void refused(const std::string& data, std::vector<std::string> options,
               const std::vector<std::string>& words) {
    std::vector<std::string> arguments = {"simulate", "--data", data};
    if (std::find(options.begin(), options.end(), "--target") == options.end())
      options.insert(options.end(), {"--target", "y"});
    if (std::find(options.begin(), options.end(), "--agents") == options.end())
      options.insert(options.end(), {"--agents", "5"});
    arguments.insert(arguments.end(), options.begin(), options.end());
    check_refused(run_tacit(arguments), words);
  }
};

TEST_F(BadInput, ControlGoodInputIsAccepted) {
  const Output output = run_tacit({"simulate", "--data", good, "--target", "y", "--agents", "5"});
  EXPECT_EQ(output.exit_code, 0) << output.err;
  EXPECT_EQ(output.err, "");
  EXPECT_NE(output.out.find("5 agents"), std::string::npos) << output.out;
}

TEST_F(BadInput, MissingFile) { refused(folder.path("nowhere.csv"), {}, {"nowhere.csv"}); }
TEST_F(BadInput, FileIsAFolder) { refused(folder.path(""), {}, {"directory"}); }
TEST_F(BadInput, EmptyFile) { refused(folder.write("empty.csv", ""), {}, {"empty.csv", "empty"}); }
TEST_F(BadInput, HeaderOnly) { refused(folder.write("head.csv", "a,b,y\n"), {}, {"head.csv", "row"}); }
TEST_F(BadInput, RaggedRow) {
  refused(folder.write("ragged.csv", std::string("a,b,y\n") + good_rows + "1,2\n"), {},
          {"ragged.csv", "line 14", "2", "3"});
}
TEST_F(BadInput, TextInANumericCell) {
  refused(folder.write("text.csv", std::string("a,b,y\n1,two,3\n") + good_rows), {},
          {"text.csv", "line 2", "\"b\"", "two"});
}
TEST_F(BadInput, EmptyCell) {
  refused(folder.write("gap.csv", std::string("a,b,y\n1,,3\n") + good_rows), {},
          {"gap.csv", "line 2", "\"b\""});
}
TEST_F(BadInput, NotANumber) {
  refused(folder.write("nan.csv", std::string("a,b,y\n1,nan,3\n") + good_rows), {},
          {"nan.csv", "line 2", "\"b\""});
}
TEST_F(BadInput, Infinite) {
  refused(folder.write("inf.csv", std::string("a,b,y\n1,2,inf\n") + good_rows), {},
          {"inf.csv", "line 2", "\"y\""});
}
TEST_F(BadInput, UnknownTarget) { refused(good, {"--target", "z"}, {"good.csv", "\"z\""}); }
TEST_F(BadInput, UnknownInput) { refused(good, {"--inputs", "a,zz"}, {"good.csv", "\"zz\""}); }
TEST_F(BadInput, DuplicateColumnName) {
  refused(folder.write("twice.csv", std::string("a,a,y\n") + good_rows), {}, {"twice.csv", "\"a\""});
}
TEST_F(BadInput, TargetNamedTwice) { refused(good, {"--target", "y,y"}, {"'y'", "twice"}); }
TEST_F(BadInput, ColumnIsInputAndTarget) { refused(good, {"--inputs", "a,y"}, {"'y'"}); }
TEST_F(BadInput, NothingToLearnFrom) {
  refused(folder.write("one.csv", "y\n1\n2\n3\n4\n5\n6\n7\n8\n9\n"), {}, {"one.csv"});
}
TEST_F(BadInput, FewerRowsThanAgents) { refused(good, {"--agents", "11"}, {"9", "11"}); }
TEST_F(BadInput, OneAgent) { refused(good, {"--agents", "1"}, {"--agents"}); }
TEST_F(BadInput, AgentsThatAreNoNumber) { refused(good, {"--agents", "many"}, {"--agents"}); }

TEST_F(BadInput, DisconnectedGraph) {
  const std::string edges = folder.write("apart.txt", "0 1\n1 2\n0 2\n3 4\n");
  refused(good, {"--topology", "edges:" + edges}, {"agent 3"});
}
TEST_F(BadInput, EdgeInNoTriangle) {
  const std::string edges = folder.write("tail.txt", "0 1\n1 2\n0 2\n2 3\n3 4\n2 4\n0 4\n1 3\n");
  refused(good,
          {"--topology", "edges:" + folder.write("tail2.txt", "0 1\n1 2\n0 2\n1 3\n2 3\n3 4\n"), "--protocol",
           "consensus"},
          {"3", "4", "triangle"});
  EXPECT_EQ(run_tacit({"simulate", "--data", good, "--target", "y", "--agents", "5", "--topology",
                       "edges:" + edges, "--allow-missing-triangles"})
                .exit_code,
            0);
}
TEST_F(BadInput, SelfLoop) {
  refused(good, {"--topology", "edges:" + folder.write("loop.txt", "0 1\n1 2\n0 2\n3 3\n")},
          {"loop.txt", "line 4", "3"});
}
TEST_F(BadInput, EdgeToAMissingAgent) {
  refused(good, {"--topology", "edges:" + folder.write("far.txt", "0 1\n1 9\n")},
          {"far.txt", "10 agents", "--agents"});
}
TEST_F(BadInput, MissingEdgeFile) {
  refused(good, {"--topology", "edges:" + folder.path("none.txt")}, {"none.txt"});
}
TEST_F(BadInput, UnknownTopology) { refused(good, {"--topology", "star"}, {"star", "ring:D"}); }
TEST_F(BadInput, RingOfOddDegree) { refused(good, {"--topology", "ring:3"}, {"3"}); }

TEST_F(BadInput, LzNotPositive) {
  for (const char* lz : {"0", "-1", "nan"}) {
    refused(good, {"--lz", lz}, {"--lz"});
    refused(good, {"--lz", lz, "--protocol", "consensus"}, {"--lz"});
  }
}
TEST_F(BadInput, NoIterations) { refused(good, {"--iterations", "0"}, {"T = 0", "--iterations"}); }
TEST_F(BadInput, TooFewModulusBits) {
  refused(good, {"--modulus-bits", "20"}, {"20 bits", "--modulus-bits"});
}
TEST_F(BadInput, TooManyModulusBits) { refused(good, {"--modulus-bits", "200"}, {"200", "128"}); }
TEST_F(BadInput, LwThatDoesNotDivide) { refused(good, {"--lw", "0.03"}, {"--lw", "0.03"}); }
TEST_F(BadInput, LzTooCoarseForXi) { refused(good, {"--lz", "1000"}, {"precision condition", "--lz"}); }
TEST_F(BadInput, HyperparametersNotPositive) {
  refused(good, {"--lengthscale", "0"}, {"length"});
  refused(good, {"--signal", "-2"}, {"signal"});
  refused(good, {"--noise", "0"}, {"noise"});
}

TEST_F(BadInput, TestFileWithOtherColumns) {
  refused(good, {"--test", folder.write("other.csv", "a,c\n1,2\n")}, {"other.csv", "\"b\""});
}
TEST_F(BadInput, TestFileWithBadCell) {
  refused(good, {"--test", folder.write("cell.csv", "a,b\n1,x\n")}, {"cell.csv", "line 2", "\"b\""});
}
TEST_F(BadInput, TestFractionOutOfRange) {
  for (const char* fraction : {"0", "1", "-0.5", "2"})
    refused(good, {"--test-fraction", fraction}, {"fraction"});
}
TEST_F(BadInput, SecondFileWithOtherColumns) {
  const std::string other = folder.write("second.csv", "a,c,y\n1,2,3\n");
  check_refused(run_tacit({"simulate", "--data", good, "--data", other, "--target", "y"}),
                {"second.csv", "\"b\""});
}
TEST_F(BadInput, YMaxTooSmall) {
  refused(good, {"--y-max", "3.5"}, {"good.csv", "line 3", "\"y\"", "--y-max"});
}
TEST_F(BadInput, SplitByUnknownColumn) {
  check_refused(run_tacit({"simulate", "--data", good, "--target", "y", "--split", "by:ward"}),
                {"good.csv", "\"ward\""});
}
TEST_F(BadInput, UnknownSplit) { refused(good, {"--split", "randomly"}, {"--split", "randomly"}); }

TEST_F(BadInput, OptionsOfTheOtherProtocol) {
  refused(good, {"--protocol", "gossip"}, {"--protocol gossip", "unknown"});
  refused(good, {"--protocol", "exact", "--iterations", "10"}, {"--iterations", "--protocol consensus"});
  refused(good, {"--protocol", "exact", "--tune", "paper"}, {"--tune paper", "--tune exact"});
  refused(good, {"--protocol", "consensus", "--collusion", "2"}, {"--collusion", "--protocol exact"});
  refused(good, {"--masks", "seeded", "--collusion", "2"}, {"--collusion", "--protocol exact"});
}

TEST_F(BadInput, WhatThisVersionDoesNotHaveIsSaid) {
  refused(good, {"--masks", "none"}, {"--masks none", "shares or seeded"});
  refused(good, {"--acceleration", "fast"}, {"--acceleration fast", "none or chebyshev"});
  refused(good, {"--blinding", "-1"}, {"--blinding", "-1 is not a whole number"});
  refused(good, {"--blinding", "forty"}, {"--blinding", "forty is not a whole number"});
  refused(good, {"--blinding", "100"}, {"blinding", "bits"});
  refused(good, {"--acceleration", "chebyshev", "--iterations", "10001"}, {"10001", "10000"});
  refused(good, {"--fusion", "moe"}, {"--fusion moe", "unknown"});
  refused(good, {"--kernel", "rbf"}, {"--kernel", "\"rbf\" is not a kernel", "character 1"});
  refused(good, {"--kernel", "se + linear("}, {"--kernel", "character 13"});
  refused(good, {"--kernel", "se-ard(lengthscale=[1,2,3,4,5,6,7])"}, {"7 length-scales"});
  refused(good, {"--kernel", "se(signal=2)", "--signal", "3"}, {"--kernel already contains numbers"});
  refused(good, {"--kernel", "linear"}, {"k(x,x)", "+ constant"});
  refused(good, {"--kernel", "linear + constant", "--tune", "paper"}, {"kernel", "se"});
  refused(good, {"--expert-rows", "0"}, {"--expert-rows"});
  refused(good, {"--expert-split", "kd"}, {"--expert-split kd", "unknown"});
}

TEST_F(BadInput, NumbersBeyondReason) {
  refused(good, {"--agents", "-1"}, {"--agents", "-1"});
  refused(good, {"--agents", "99999999999"}, {"--agents"});
  refused(good, {"--iterations", "18446744073709551615"}, {"--iterations"});
  refused(good, {"--latency", "nan"}, {"--latency", "ms"});
  refused(good, {"--latency", "-5ms"}, {"--latency"});
  refused(good, {"--bandwidth", "nan"}, {"--bandwidth"});
  refused(good, {"--lw", "1e-300"}, {"--lw"});
  check_refused(run_tacit({"plan", "--rows", "-1"}), {"--rows"});
  check_refused(run_tacit({"plan", "--points", "100000000", "--outputs", "1000000"}), {"points"});
  check_refused(run_tacit({"plan", "--lz", "2000"}), {"precision condition"});
}

TEST_F(BadInput, TestFileWithSomeOfTheTargets) {
  refused(good, {"--target", "b,y", "--test", folder.write("some.csv", "a,b\n1,2\n")}, {"some.csv", "'y'"});
}

TEST_F(BadInput, EveryTargetZero) {
  refused(folder.write("zero.csv", "a,y\n1,0\n2,0\n3,0\n4,0\n5,0\n6,0\n7,0\n8,0\n"), {}, {"'y'", "--y-max"});
}

TEST_F(BadInput, TuningOptions) {
  refused(good, {"--tune", "paper", "--tune-lz", "0"}, {"--tune-lz"});
  refused(good, {"--tune", "paper", "--tune-lz", "1e300"}, {"--tune-lz"});
  refused(good, {"--tune", "paper", "--tune-iterations", "0"}, {"iterations"});
  refused(good, {"--tune", "paper", "--tune-step", "-1"}, {"--tune-step"});
  refused(good, {"--tune", "paper", "--tune-box", "5"}, {"--tune-box"});
  refused(good, {"--tune", "paper", "--tune-box", "0,5"}, {"--tune-box"});
  refused(good, {"--tune", "paper", "--tune-start", "5,500"}, {"--tune-box"});
}

TEST_F(BadInput, StandardisingTuningOverSumsAndHoldingOut) {
  refused(good, {"--standardise", "secretly"}, {"--standardise secretly", "private"});
  refused(good, {"--tune", "exact", "--tune-box", "0.6,10"}, {"0.5", "--tune-box"});
  refused(good, {"--noise-floor", "-1"}, {"--noise-floor"});
  refused(good, {"--lengthscale-floor", "200"}, {"--lengthscale-floor", "100"});
  refused(good, {"--tune", "exact", "--tune-evaluations", "0"}, {"0 evaluations"});
  refused(good, {"--tune", "exact", "--helpers", "1", "--agents", "7"}, {"--tune exact", "--helpers"});
  refused(good, {"--restarts", "-1"}, {"--restarts"});
  for (const char* share : {"0", "1", "nan"}) refused(good, {"--holdout", share}, {"--holdout"});
  refused(good, {"--holdout", "0.2", "--agents", "9"}, {"'agent 0'", "--holdout"});
  refused(good, {"--holdout", "0.2", "--holdout-model", "best"}, {"--holdout-model best", "fused"});
}

// Options of one tuning method have no effect in another, so they are refused.
TEST_F(BadInput, OptionsOfTheOtherTuning) {
  refused(good, {"--tune-start", "1,2"}, {"--tune-start", "--tune paper", "--tune exact"});
  refused(good, {"--tune-step", "1", "--tune", "none"}, {"--tune-step", "--tune paper"});
  refused(good, {"--restarts", "1", "--tune", "paper"}, {"--restarts", "--tune exact"});
  refused(good, {"--restarts", "1", "--lengthscale", "2"}, {"--restarts", "--tune exact", "--tune none"});
  refused(good, {"--tune-box", "1,2", "--paper"}, {"--tune-box", "--tune none"});
}

TEST_F(BadInput, MisspeltWordsGetTheNearest) {
  const auto refused_with = [&](std::vector<std::string> words, const std::string& answer) {
    check_refused(run_tacit(std::move(words)), {answer});
  };
  refused_with({"simulate", "--dta", good},
               "there is no option --dta; did you mean --data? see tacit simulate --help");
  refused_with({"simulate", "--data", good, "--taget=y"}, "--taget; did you mean --target?");
  refused_with({"audit", "--agnets", "5"}, "--agnets; did you mean --agents? see tacit audit --help");
  refused_with({"charter", "new", "--crd", "x"}, "--crd; did you mean --card? see tacit charter new --help");
  refused_with({"plan", "--colour"}, "there is no option --colour; see tacit plan --help");
  refused_with({"--verison"}, "--verison; did you mean --version? see tacit --help");
  refused_with({"simulat"},
               "there is no command 'simulat'; did you mean simulate? tacit --help lists the commands");
  refused_with({"charter", "chek"}, "'chek'; did you mean check? tacit charter --help lists the commands");
  refused_with({"juggle"}, "there is no command 'juggle'; tacit --help lists the commands");
  refused_with({"charter"}, "no command given; tacit charter --help lists the commands");
}

TEST_F(BadInput, NetworksOfOtherSizes) {
  const std::string five = "edges:" + folder.write("five.txt", "0 1\n1 2\n0 2\n2 3\n3 4\n2 4\n");
  const std::string wrong = "has 5 agents, but --agents is 4; omit --agents";
  refused(good, {"--topology", five, "--agents", "4"}, {"five.txt", wrong});
  for (const char* command : {"plan", "audit"})
    check_refused(run_tacit({command, "--topology", five, "--agents", "4"}), {"five.txt", wrong});
  check_refused(run_tacit({"simulate", "--data", good, "--data", good, "--target", "y", "--topology", five}),
                {"five.txt", "has 5 agents", "the data have 2"});
}

TEST_F(BadInput, Usage) {
  check_refused(run_tacit({}), {"tacit --help"});
  check_refused(run_tacit({"simulate", "--target", "y"}), {"--data", "tacit simulate --help"});
  check_refused(run_tacit({"simulate", "--data", good}), {"--target"});
  check_refused(run_tacit({"plan", "--agents", "5", "--lz", "0"}), {"--lz"});
  check_refused(run_tacit({"plan", "--agents", "5", "--lz", "nan", "--protocol", "consensus"}), {"--lz"});
  check_refused(run_tacit({"plan", "--agents", "5", "--topology", "ring:2", "--protocol", "consensus"}),
                {"triangle"});
  check_refused(run_tacit({"plan", "--error", "0"}), {"--error"});
  check_refused(run_tacit({"plan", "--dimension", "4"}), {"--dimension", "--value-bound"});
  check_refused(run_tacit({"plan", "--landmarks", "4", "--iterations", "9"}), {"--landmarks", "exact sums"});
}

}  // namespace
}  // namespace tacit::testing
