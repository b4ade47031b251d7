// An agent whose state folder cannot be used does not take part in runs, and continues to answer at home.
#include <gtest/gtest.h>

#include "tacit/agent/work/run_handler_testing.hpp"

namespace tacit {
namespace {

using namespace testing;

class OnlyHome : public ::testing::Test, public WorkingConsortium {
 protected:
  const Matrix point{{30, 1, 0}};

  void SetUp() override {
    start();
    run(0, handlers[0]->fit("ask"));
  }
  // Restarts agent-b.
  void restart(const std::string& only_home = "") {
    WorkMaterial material = handlers[1]->material();
    material.only_home = only_home;
    handlers[1].reset();
    handlers[1] =
        std::make_unique<RunHandler>(std::move(material), paper.keys[1].identity, *policies[1],
                                     [this](LogLevel, const std::string& text) { log.push_back(text); });
  }
  void expect_only_home(const std::string& why) {
    const std::string words = "this agent does not take part in runs: " + why;
    EXPECT_EQ(handlers[1]->predict_at_home(point).predicted.mean_size(), 1);
    EXPECT_TRUE(says(refusal([&] { handlers[1]->fit("ask"); }), words));
    EXPECT_TRUE(says(refusal([&] { handlers[1]->predict("ask", point); }), words));
    EXPECT_TRUE(says(refusal([&] { handlers[1]->evaluate("ask"); }), words));
    EXPECT_TRUE(refuses(1, 0, handlers[0]->fit("ask"), ReasonCode::undecided, words));
    EXPECT_TRUE(refuses(1, 0, handlers[0]->predict("ask", point), ReasonCode::undecided, words));
  }
};

TEST_F(OnlyHome, WithoutALedger) {
  const auto file = state(1, "ledger.jsonl"), aside = state(1, "aside");
  std::filesystem::rename(file, aside);
  std::filesystem::create_directories(file);
  restart();
  expect_only_home("the ledger " + file.string() + " cannot be read: it is not a file");
  std::filesystem::remove(file);
  std::filesystem::rename(aside, file);
  restart();
  EXPECT_FALSE(handlers[1]->consent(announced(0, handlers[0]->fit("ask"))).refusal);
}

TEST_F(OnlyHome, WithoutASnapshot) {
  std::filesystem::remove(state(1, "rows-salt"));
  std::filesystem::create_directories(state(1, "rows-salt"));  // not even the rows can be named
  restart("snapshot.tacit is damaged");
  expect_only_home("snapshot.tacit is damaged");
}

}  // namespace
}  // namespace tacit
