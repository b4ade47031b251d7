#include "tacit/charter/amend.hpp"

#include <gtest/gtest.h>

#include "tacit/charter/check.hpp"
#include "tacit/identity/encoding.hpp"
#include "tacit/identity/identity_testing.hpp"

namespace tacit {
namespace {

using testing::PaperConsortium;
using testing::refusal;
using testing::says;

CharterAgent agent_of(const AgentKeys& keys) {
  return {keys.card.name, keys.card.address, keys.card.identity, keys.card.certificate,
          fingerprint_of(keys.card.certificate, keys.card.name)};
}

class Amending : public ::testing::Test {
 protected:
  PaperConsortium paper{4};
  const Charter& charter = paper.charter;

  AgentKeys fresh_keys(const std::string& name, const std::string& folder) {
    return make_keys(paper.folder.path / folder, name, "127.0.0.1:7900");
  }
  static bool any_says(const std::vector<std::string>& all, const std::string& words) {
    return std::any_of(all.begin(), all.end(), [&](const std::string& one) { return says(one, words); });
  }
};

TEST_F(Amending, ASuccessorNamesItsPredecessorAndHasNoSignatures) {
  paper.sign_all();
  Amendment changes;
  changes.settings = {{"timeouts.gather", "30"}};
  const Charter next = amended(charter, changes);
  EXPECT_EQ(next.number, 2u);
  EXPECT_EQ(next.previous, charter_hash(charter));
  EXPECT_TRUE(follows(next, charter));
  EXPECT_FALSE(follows(charter, next));
  EXPECT_TRUE(next.signatures.empty());
  EXPECT_EQ(next.timeouts.gather, 30);
  EXPECT_EQ(changes_in_words(charter, next), std::vector<std::string>{"timeout, gather: 30 instead of 20"});
  // Reading it back gives the same charter, and its own successor follows it.
  const Charter again = parse_charter("next", to_toml(next));
  EXPECT_EQ(charter_hash(again), charter_hash(next));
  changes.settings = {{"timeouts.gather", "40"}};
  const Charter third = amended(again, changes);
  EXPECT_EQ(third.number, 3u);
  EXPECT_TRUE(follows(third, next));
  EXPECT_FALSE(follows(third, charter));
}

TEST_F(Amending, NumberAndPredecessorCountInTheHash) {
  Charter next = charter;
  next.number = 2;
  next.previous = Digest{};
  const Digest one = charter_hash(next);
  next.number = 3;
  EXPECT_NE(charter_hash(next), one);
  next.number = 2;
  next.previous->front() = std::byte{1};
  EXPECT_NE(charter_hash(next), one);
}

TEST_F(Amending, AMemberJoinsAndBoundsGoWithIt) {
  Amendment changes;
  changes.add = {agent_of(fresh_keys("dresden", "d"))};
  const Charter next = amended(charter, changes);
  EXPECT_EQ(next.agents.size(), 5u);
  EXPECT_EQ(next.name_of(4), "dresden");
  EXPECT_EQ(next.protocol.collusion, 3u);  // all but two, as before
  EXPECT_EQ(next.protocol.fewest, 5u);     // all, as before
  EXPECT_TRUE(check_charter(next).problems.empty());
  const auto words = changes_in_words(charter, next);
  EXPECT_TRUE(any_says(
      words, "dresden joins, with address 127.0.0.1:7900, identity " + hex(next.agents[4].identity)));
  EXPECT_TRUE(any_says(words, "protocol, collusion: 3 instead of 2"));
  EXPECT_TRUE(any_says(words, "protocol, fewest agents: 5 instead of 4"));
}

TEST_F(Amending, AMemberLeavesWithItsLinks) {
  paper.charter.topology.clear();
  paper.charter.links = {
      {"agent-a", "agent-b"}, {"agent-b", "agent-c"}, {"agent-c", "agent-a"}, {"agent-c", "agent-d"}};
  Amendment changes;
  changes.drop = {"agent-d"};
  const Charter next = amended(charter, changes);
  EXPECT_EQ(next.agents.size(), 3u);
  EXPECT_EQ(next.links.size(), 3u);
  EXPECT_EQ(next.protocol.collusion, 1u);
  EXPECT_EQ(next.protocol.fewest, 3u);
  EXPECT_TRUE(any_says(changes_in_words(charter, next), "agent-d leaves"));
  changes.drop = {"agent-d", "agent-c"};
  EXPECT_TRUE(says(refusal([&] { amended(charter, changes); }), "three agents or more"));
}

TEST_F(Amending, BoundsThatMeantANumberStay) {
  PaperConsortium six(6);
  six.charter.protocol.collusion = 1;
  six.charter.protocol.fewest = 4;
  Amendment changes;
  changes.drop = {"agent-f"};
  Charter next = amended(six.charter, changes);
  EXPECT_EQ(next.protocol.collusion, 1u);
  EXPECT_EQ(next.protocol.fewest, 4u);
  changes.drop = {"agent-f", "agent-e", "agent-d"};
  next = amended(six.charter, changes);
  EXPECT_EQ(next.protocol.collusion, 1u);
  EXPECT_EQ(next.protocol.fewest, 3u);  // only three agents remain
}

TEST_F(Amending, ALostKeyIsReplacedAndTheAddressStays) {
  CharterAgent fresh = agent_of(fresh_keys("agent-b", "b2"));
  fresh.address.clear();
  Amendment changes;
  changes.replace = {fresh};
  const Charter next = amended(charter, changes);
  EXPECT_EQ(next.agents[1].identity, fresh.identity);
  EXPECT_EQ(next.agents[1].address, charter.agents[1].address);
  const auto words = changes_in_words(charter, next);
  ASSERT_EQ(words.size(), 1u);
  EXPECT_TRUE(says(words[0], "agent-b has new keys: identity " + hex(fresh.identity)));
  changes.replace = {agent_of(paper.keys[1])};
  EXPECT_TRUE(says(refusal([&] { amended(charter, changes); }), "has the same keys as the charter"));
}

TEST_F(Amending, ColumnsAndAddressesChange) {
  Amendment changes;
  add_column(changes.columns, "age:0..130");
  add_column(changes.columns, "bmi:10..80");
  changes.addresses = {{"agent-c", "10.0.0.9:7500"}};
  const Charter next = amended(charter, changes);
  ASSERT_EQ(next.inputs.size(), 3u);
  EXPECT_EQ(next.inputs[0].high, 130);
  EXPECT_EQ(next.inputs[2].name, "bmi");
  const auto words = changes_in_words(charter, next);
  EXPECT_TRUE(any_says(words, "agent-c changes its address to 10.0.0.9:7500; it was 127.0.0.1:7502"));
  EXPECT_TRUE(any_says(words, "input \"age\", high: 130 instead of 120"));
  EXPECT_TRUE(any_says(words, "input \"bmi\", low: 10, which is a new field"));
  changes = {};
  changes.drop_columns = {"age"};
  EXPECT_TRUE(any_says(changes_in_words(charter, amended(charter, changes)),
                       "input \"age\", high: removed; it was 120"));
  changes.drop_columns = {"weight"};
  EXPECT_TRUE(says(refusal([&] { amended(charter, changes); }), "no column named \"weight\""));
}

TEST_F(Amending, SettingsAreWordsNumbersAndFlags) {
  Amendment changes;
  changes.settings = {{"model.fusion", "poe"},        {"title", "New name, \"quoted\""},
                      {"model.landmarks", "0"},       {"protocol.agents_may_refit", "true"},
                      {"network.topology", "ring:2"}, {"protocol.unit", "0.001"}};
  Charter next = amended(charter, changes);
  EXPECT_EQ(next.model.fusion, Fusion::poe);
  EXPECT_EQ(next.title, "New name, \"quoted\"");
  EXPECT_TRUE(next.protocol.refits);
  EXPECT_EQ(next.topology, "ring:2");
  EXPECT_EQ(next.protocol.unit, 0.001);
  changes.settings = {{"protocol.unit", ""}};
  EXPECT_FALSE(amended(next, changes).protocol.unit);
}

TEST_F(Amending, WhatCannotBeIsRefusedInOneSentence) {
  const auto refused = [&](const Amendment& changes) { return refusal([&] { amended(charter, changes); }); };
  const auto setting = [&](const std::string& field, const std::string& value) {
    Amendment changes;
    changes.settings = {{field, value}};
    return refused(changes);
  };
  EXPECT_TRUE(says(refused({}), "the amendment changes nothing"));
  Amendment changes;
  changes.drop = {"agent-x"};
  EXPECT_TRUE(says(refused(changes), "no member named \"agent-x\" in this charter; did you mean agent-"));
  changes = {};
  changes.add = {agent_of(paper.keys[0])};
  EXPECT_TRUE(says(refused(changes), "is already a member"));
  changes = {};
  changes.links = {{"agent-a", "agent-b"}};
  EXPECT_TRUE(says(refused(changes), "the network is \"complete\""));
  EXPECT_TRUE(says(setting("timeouts.gathr", "30"), "did you mean gather?"));
  EXPECT_TRUE(says(setting("timeouts.gather", "soon"), "timeouts.gather: this must be a finite number"));
  EXPECT_TRUE(says(setting("number", "9"), "this field cannot be set"));
  EXPECT_TRUE(says(setting("signatures.agent-a", "00"), "this field cannot be set"));
  EXPECT_TRUE(says(setting("protocol.collusion", "3"), "a whole number from 0 to 2"));
}

// An earlier release must not misread a charter, and this release must not misread one of a later format.
TEST_F(Amending, FormatsAreNumbered) {
  EXPECT_EQ(charter_format(charter), 1u);
  Charter next = charter;
  next.protocol.refits = true;
  EXPECT_EQ(charter_format(next), 2u);
  EXPECT_TRUE(says(to_toml(next), "\ncharter = 2\n"));
  std::string text = to_toml(charter);
  text.replace(text.find("charter = 1"), 11, "charter = 3");
  EXPECT_TRUE(says(refusal([&] { parse_charter("c.toml", text); }), "written by a newer Tacit (format 3"));
  text = to_toml(charter);
  text.replace(text.find("charter = 1"), 11, "charter = 2\nnumber = 2");
  EXPECT_TRUE(says(refusal([&] { parse_charter("c.toml", text); }), "every later charter needs previous"));
}

}  // namespace
}  // namespace tacit
