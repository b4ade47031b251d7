// Requests to an agent over its socket. Its consortium is simulated.
#include "tacit/agent/control/control.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tacit/agent/control/control_testing.hpp"
#include "tacit/agent/model/model_for_display.hpp"
#include "tacit/agent/work/prediction_message.hpp"

namespace tacit {
namespace {

using namespace testing;

TEST_F(Socket, TheSocketIsForItsOwnerAlone) {
  namespace fs = std::filesystem;
  EXPECT_EQ(fs::status(socket).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  server.reset();
  EXPECT_FALSE(fs::exists(socket));
  EXPECT_THROW(ControlClient{socket}, Error);
}

TEST_F(Socket, FitPredictEvaluateStatus) {
  ControlClient client(socket);
  std::vector<std::string> words;
  const auto listening = [&](const std::string& line) { words.push_back(line); };
  EXPECT_TRUE(says(refusal([&] { client.predict(Matrix{{30, 1, 0}}, true, {}); }), "run tacit fit first"));
  EXPECT_FALSE(client.status().has_model());
  const auto fitted = client.fit({}, listening);
  const std::string held = shown(handlers[1]->held()->sealed, paper.charter).SerializeAsString();
  EXPECT_EQ(fitted.fitted().model().SerializeAsString(), held);
  EXPECT_EQ(fitted.without_size(), 0);
  EXPECT_EQ(fitted.roster_size(), 4);
  EXPECT_EQ(fitted.notes_size(), 0);
  EXPECT_FALSE(words.empty());

  const auto answer = client.predict(Matrix{{30, 1, 0}, {40, 0, 1}}, true, {});
  const Prediction predictions = prediction_of(answer.predicted());
  EXPECT_EQ(answer.predicted().targets(0), "y");
  EXPECT_NEAR(predictions.mean(0, 0), 185, 6);
  EXPECT_NEAR(predictions.mean(1, 0), 185, 6);
  EXPECT_GT(client.evaluate({}).evaluated().rows(), 0u);
  EXPECT_FALSE(answer.at_home());

  // At home, without a ledger line.
  const auto home = client.predict(Matrix{{30, 1, 0}}, false, {});
  EXPECT_TRUE(home.at_home());
  EXPECT_EQ(home.roster_size(), 4);
  EXPECT_EQ(home.notes(0), "answered at home; no other agent was asked");
  EXPECT_EQ(home.predicted().mean(0), handlers[1]->predict_at_home(Matrix{{30, 1, 0}}).predicted.mean(0));
  EXPECT_EQ(client.exported(true), handlers[1]->portable(true).to_file());
  EXPECT_EQ(client.exported(false), handlers[1]->portable(false).to_file());

  const control::StatusReply status = client.status();
  EXPECT_EQ(status.name(), "agent-b");
  EXPECT_EQ(status.rows(), 20u);
  EXPECT_EQ(status.requests_refused(), 1u);
  EXPECT_EQ(status.peers_size(), 3);
  EXPECT_EQ(status.model().SerializeAsString(), held);
  EXPECT_FALSE(status.rows_changed());
  EXPECT_EQ(status.ledger_lines(), 7u);  // three for the fit
  EXPECT_EQ(status.ledger_hash(), handlers[1]->ledger().state().last);
  for (int time = 0; time < 2; ++time)
    EXPECT_EQ(charter_hash(client.charter()), charter_hash(paper.charter)) << time;
}

TEST_F(Socket, BadRequestsAreRefusedAndTheAgentContinues) {
  ControlClient client(socket);
  client.fit({}, {});
  EXPECT_TRUE(says(refusal([&] { client.predict(Matrix{{30, 1}}, true, {}); }), "3 inputs each"));
  EXPECT_TRUE(says(refusal([&] { client.predict(Matrix(0, 3), true, {}); }), "1 to 10000 points"));
  EXPECT_TRUE(says(refusal([&] {
                     client.predict(Matrix{{130, 1, 0}}, true, {});
                   }),
                   "point 1, column age: 130 is outside the agreed range 0 to 120"));
  EXPECT_TRUE(says(refusal([&] {
                     client.predict(Matrix{{30, 1, std::nan("")}}, true, {});
                   }),
                   "exactly one of the 2"));
  EXPECT_TRUE(says(refusal([&] {
                     client.predict(Matrix{{130, 1, 0}}, false, {});
                   }),
                   "point 1, column age: 130 is outside the agreed range 0 to 120"));
  EXPECT_EQ(client.predict(Matrix{{30, 1, 0}}, true, {}).predicted().mean_size(), 1);
}

// Each has one log line, without the points, and one count.
TEST_F(Socket, WhatIsRefusedOrFailsHereIsOneLineAndOneNumber) {
  ControlClient client(socket);
  const auto last = [&] { return lines().empty() ? "" : lines().back(); };
  EXPECT_THROW(client.predict(Matrix{{30, 1, 0}}, false, {}), InputError);
  EXPECT_EQ(last(), "predict requested here: refused: there is no fitted model yet; run tacit fit first");
  EXPECT_THROW(client.exported(false), InputError);
  EXPECT_TRUE(says(last(), "export requested here: refused: there is no fitted model"));
  client.fit({}, {});
  EXPECT_EQ(lines().size(), 2u);
  for (const bool together : {false, true}) {
    EXPECT_TRUE(says(refusal([&] { client.predict(Matrix{{131.25, 1, 0}}, together, {}); }), "131.25"));
    EXPECT_EQ(
        last(),
        "predict requested here: refused: the request is outside the charter: points outside the ranges or "
        "levels, or too many points");
  }
  EXPECT_THROW(client.predict(Matrix(0, 3), true, {}), InputError);
  EXPECT_THROW(client.fit({"agent-c"}, {}), InputError);
  EXPECT_TRUE(says(last(), "fit requested here: refused: the policy of agent-b does not allow"));
  stuck = true;
  std::thread user([&] { EXPECT_THROW(client.fit({}, {}), Error); });
  const auto asked = [&] {
    const std::lock_guard lock(guard);
    return static_cast<bool>(waiting);
  };
  while (!asked()) std::this_thread::yield();
  {
    const std::lock_guard lock(guard);
    waiting({.error = "agent-d is away", .away = {3}});
  }
  user.join();
  EXPECT_EQ(last(), "fit requested here: failed: agent-d is away");
  EXPECT_EQ(lines().size(), 7u);
  const control::StatusReply status = client.status();
  EXPECT_EQ(status.requests_refused(), 6u);
  EXPECT_EQ(status.runs_failed(), 1u);
}

TEST_F(Socket, ARequestIsStoppedByItsAsker) {
  ControlClient(socket).fit({}, {});
  stuck = true;
  ControlClient client(socket);
  std::atomic<bool> told = false;
  std::string words;
  std::thread user([&] {
    try {
      client.fit({}, [&](const std::string&) {
        told = true;
        told.notify_all();
      });
    } catch (const StoppedByAsker& e) {
      words = e.what();
    }
  });
  told.wait(false);
  client.stop();
  user.join();
  EXPECT_EQ(words,
            "stopped: agent-a, agent-c and agent-d were notified; no model was created, and version 1 "
            "remains in use; 44 numbers had already been opened and remain in the ledger");
  EXPECT_TRUE(lines().empty());  // it was a run, which the node logs
}

// A request that is stopped before the agent has named it is stopped as soon as it has a name.
TEST_F(Socket, StoppedBeforeItIsAskedNothingIsDone) {
  stuck = true;
  ControlClient client(socket);
  client.stop();
  EXPECT_THROW(client.fit({}, {}), StoppedByAsker);
  EXPECT_FALSE(handlers[1]->held());
}

// Another fit came first, unknown to this agent: it asks again with a version above the reported one.
TEST_F(Socket, AVersionThatIsTakenIsNotTheEnd) {
  FittedModel other;
  other.version = 41;
  handlers[3]->models().commit(other);
  ControlClient client(socket);
  client.fit({}, {});
  EXPECT_EQ(handlers[1]->held()->sealed.model.version, 42u);
}

TEST_F(Socket, AFitWithoutAMemberNeedsTheOwnersPermission) {
  ControlClient client(socket);
  EXPECT_TRUE(says(refusal([&] { client.fit({"agent-c"}, {}); }), "policy of agent-b does not allow"));
  EXPECT_TRUE(says(refusal([&] { client.fit({"agent-b"}, {}); }), "without itself"));
  EXPECT_TRUE(says(refusal([&] { client.fit({"nobody"}, {}); }), "no agent called \"nobody\""));
}

TEST_F(Socket, TwoUsersAtOnceAreNotMixedUp) {
  ControlClient(socket).fit({}, {});
  std::vector<double> alone;
  for (int k = 0; k < 8; ++k)
    alone.push_back(ControlClient(socket).predict(Matrix{{30.0 + k, 1, 0}}, true, {}).predicted().mean(0));
  std::vector<double> got(8);
  {
    std::vector<std::jthread> users;
    for (int k = 0; k < 8; ++k)
      users.emplace_back([&, k] {
        ControlClient client(socket);
        got[static_cast<std::size_t>(k)] =
            client.predict(Matrix{{30.0 + k, 1, 0}}, true, {}).predicted().mean(0);
      });
  }
  EXPECT_EQ(got, alone);
  EXPECT_EQ(most, 1);
}

TEST_F(Socket, AnAgentThatStopsReportsIt) {
  stuck = true;
  std::atomic<bool> asked = false;
  std::string message;
  std::thread user([&] {
    try {
      ControlClient(socket).fit({}, [&](const std::string&) {
        asked = true;
        asked.notify_all();
      });
    } catch (const Error& e) {
      message = e.what();
    }
  });
  asked.wait(false);
  server.reset();
  user.join();
  EXPECT_TRUE(says(message, "the agent was stopped")) << message;
}

}  // namespace
}  // namespace tacit
