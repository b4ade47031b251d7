#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "tacit/charter/check.hpp"
#include "tacit/identity/encoding.hpp"
#include "tacit/identity/identity_testing.hpp"

namespace tacit {
namespace {

using namespace testing;

class OnPaper : public ::testing::Test {
 protected:
  PaperConsortium four;
  Charter& charter = four.charter;
  std::string text = to_toml(charter);

  std::string changed(const std::string& from, const std::string& to) const {
    std::string other = text;
    const std::size_t at = other.find(from);
    EXPECT_NE(at, other.npos) << from;
    if (at != other.npos) other.replace(at, from.size(), to);
    return other;
  }
  std::string error_of(const std::string& from, const std::string& to) const {
    return refusal([&] { parse_charter("c.toml", changed(from, to)); });
  }
};

TEST_F(OnPaper, ReadsBackTheSame) {
  four.sign_all();
  const Charter again = parse_charter("c.toml", to_toml(charter));
  EXPECT_EQ(charter_fields(again), charter_fields(charter));
  EXPECT_EQ(again.signatures, charter.signatures);
  EXPECT_EQ(to_toml(again), to_toml(charter));
  EXPECT_EQ(again.agents[2].certificate, charter.agents[2].certificate);
  const std::string canonical = canonical_text(charter_fields(charter));
  EXPECT_EQ(fields_from(canonical), charter_fields(charter));

  charter.topology.clear();
  charter.links = {
      {"agent-a", "agent-b"}, {"agent-b", "agent-c"}, {"agent-c", "agent-d"}, {"agent-b", "agent-d"}};
  charter.protocol.sums = SumProtocol::consensus;
  charter.model.landmarks.count = 0;
  charter.protocol.fewest = 4;
  charter.protocol.unit = 1e-7;
  const Charter linked = parse_charter("c.toml", to_toml(charter));
  EXPECT_EQ(charter_fields(linked), charter_fields(charter));
  EXPECT_EQ(linked.graph().edges(), 4u);
}

TEST_F(OnPaper, TheHashIsOverMeaningOnly) {
  const Digest hash = charter_hash(charter);
  EXPECT_EQ(charter_hash(
                parse_charter("c.toml", changed("# Who takes part.", "# Who takes part, we agreed.\n\n#"))),
            hash);
  EXPECT_EQ(
      charter_hash(parse_charter("c.toml", changed("low = 0.0, high = 120.0", "high = 1.2e2,   low = 0"))),
      hash);
  four.sign_all();
  EXPECT_EQ(charter_hash(charter), hash);
  EXPECT_NE(charter_hash(parse_charter("c.toml", changed("high = 120.0", "high = 120.5"))), hash);

  // Links have no direction and no order.
  charter.topology.clear();
  charter.links = {{"agent-a", "agent-b"}, {"agent-b", "agent-c"}};
  Charter turned = charter;
  turned.links = {{"agent-c", "agent-b"}, {"agent-a", "agent-b"}, {"agent-b", "agent-a"}};
  EXPECT_EQ(charter_hash(turned), charter_hash(charter));
}

TEST_F(OnPaper, ACharterWithoutLandmarksKeepsItsMeaning) {
  std::string old = text;
  for (const char* field :
       {"landmarks = \"auto\"", "landmarks_seed = 1", "landmarks_above_ceiling = false"}) {
    const std::size_t at = old.find(field);
    ASSERT_NE(at, old.npos) << field;
    old.erase(at, std::string(field).size());
  }
  const Charter read = parse_charter("c.toml", old);
  EXPECT_FALSE(read.model.landmarks.any());
  EXPECT_FALSE(terms_of(read).model.landmarks.any());
  for (const CharterField& field : charter_fields(read)) EXPECT_FALSE(says(field.name, "landmark"));
  EXPECT_EQ(charter_hash(parse_charter("c.toml", to_toml(read))), charter_hash(read));
  EXPECT_NE(charter_hash(read), charter_hash(charter));
}

TEST_F(OnPaper, LandmarksReadBackAndAreRefusedInOneSentence) {
  charter.model.landmarks = {.count = 17, .seed = 5, .above_ceiling = true};
  const LandmarkTerms again = terms_of(parse_charter("c.toml", to_toml(charter))).model.landmarks;
  EXPECT_EQ(again.count, 17u);
  EXPECT_EQ(again.seed, 5u);
  EXPECT_TRUE(again.above_ceiling);
  const std::string agreed = "landmarks = \"auto\"";
  for (const char* bad : {"landmarks = \"many\"", "landmarks = -1", "landmarks = 1001", "landmarks = 2.5"})
    EXPECT_TRUE(
        says(error_of(agreed, bad), "model.landmarks: this must be \"auto\" or a whole number from 0") ||
        says(error_of(agreed, bad), "model.landmarks: this must be a whole number from 0 to 1000"))
        << bad << ": " << error_of(agreed, bad);
  EXPECT_NO_THROW(
      parse_charter("c.toml", changed(agreed, "landmarks = 0")));  // the other fields may stay in the file
  charter.protocol.sums = SumProtocol::consensus;
  const CharterReport report = check_charter(charter);
  ASSERT_FALSE(report.problems.empty());
  EXPECT_TRUE(says(report.problems[0], "model.landmarks: landmarks need sums")) << report.problems[0];
}

TEST_F(OnPaper, LandmarksMayBeListedByHand) {
  charter.model.landmarks = {.count = 2, .listed = Matrix{{30, 1, 0}, {45.5, 0, 1}}};
  const std::string listed = to_toml(charter);
  EXPECT_TRUE(says(listed, "  [30.0, \"f\"],\n  [45.5, \"m\"],\n")) << listed;
  const Charter again = parse_charter("c.toml", listed);
  EXPECT_EQ(terms_of(again).model.landmarks.listed, charter.model.landmarks.listed);
  EXPECT_EQ(charter_hash(again), charter_hash(charter));
  EXPECT_TRUE(check_charter(again).problems.empty());
  Charter other = charter;
  other.model.landmarks.listed(1, 0) = 46;
  const auto different = charter_differences(charter_fields(charter), "A", charter_fields(other), "B");
  ASSERT_EQ(different.size(), 1u);
  EXPECT_TRUE(says(different[0], "model, landmark 2")) << different[0];
  const auto error_with = [&](const std::string& from, const std::string& to) {
    std::string bad = listed;
    bad.replace(bad.find(from), from.size(), to);
    return refusal([&] { parse_charter("c.toml", bad); });
  };
  EXPECT_TRUE(says(error_with("[30.0, \"f\"]", "[30.0, \"x\"]"), "landmark_points: landmark 1: column"));
  EXPECT_TRUE(
      says(error_with("[45.5, \"m\"]", "[145.5, \"m\"]"), "landmark 2: column \"age\" must be a number"));
  EXPECT_TRUE(says(error_with("[45.5, \"m\"]", "[45.5]"), "landmark 2: it has 1 values"));
  EXPECT_TRUE(says(error_with("[45.5, \"m\"]", "45.5"), "a list of lists of numbers and strings"));
  EXPECT_TRUE(
      says(error_with("landmarks = 2", "landmarks = 3"), "this must be the number of landmark_points, 2"));
  charter.model.landmarks.listed.row(1) = charter.model.landmarks.listed.row(0);
  const CharterReport twice = check_charter(charter);
  ASSERT_EQ(twice.problems.size(), 1u);
  EXPECT_TRUE(says(twice.problems[0], "landmarks 1 and 2 are the same point")) << twice.problems[0];
}

class WithDates : public OnPaper {
 protected:
  void SetUp() override {
    Column admitted{"admitted", 0, 0, {}};
    set_days(admitted, "2020-01-01", "2018-01-01", "2030-12-31");
    charter.inputs.push_back(admitted);
    charter.inputs.push_back(
        {.name = "admitted.weekday", .low = 1, .high = 7, .levels = {}, .part_of = "admitted"});
    text = to_toml(charter);
  }
};

TEST_F(WithDates, ReadBackTheSameAndAreWrittenAsDays) {
  EXPECT_TRUE(says(text,
                   "  { name = \"admitted\", date = \"2020-01-01\", low = \"2018-01-01\", high = "
                   "\"2030-12-31\" },\n"))
      << text;
  EXPECT_TRUE(says(text, "{ name = \"admitted.weekday\", part_of = \"admitted\", low = 1.0, high = 7.0 }"));
  const Charter again = parse_charter("c.toml", text);
  EXPECT_EQ(again.inputs, charter.inputs);
  EXPECT_EQ(to_toml(again), text);
  EXPECT_EQ(charter_hash(again), charter_hash(charter));
  EXPECT_EQ(again.inputs[2].low, -730);
  EXPECT_GT(again.inputs[2].high, 4017.99);
  EXPECT_LT(again.inputs[2].high, 4018);  // all of the last day, but not the next
  // TOML's own dates are accepted.
  EXPECT_EQ(charter_hash(parse_charter("c.toml", changed("date = \"2020-01-01\", low = \"2018-01-01\"",
                                                         "date = 2020-01-01, low = 2018-01-01"))),
            charter_hash(charter));
  EXPECT_TRUE(check_charter(charter).problems.empty());
}

TEST_F(WithDates, StartRangeAndPartCountInTheHashAndTheDifferences) {
  const auto differs = [&](const std::string& from, const std::string& to) {
    const Charter other = parse_charter("c.toml", changed(from, to));
    EXPECT_NE(charter_hash(other), charter_hash(charter));
    const auto differences = charter_differences(charter_fields(charter), "A", charter_fields(other), "B");
    EXPECT_EQ(differences.size(), 1u);
    return differences.empty() ? "" : differences[0];
  };
  EXPECT_EQ(differs("date = \"2020-01-01\"", "date = \"2019-01-01\""),
            "input \"admitted\", days since: A has \"2020-01-01\", B has \"2019-01-01\"");
  EXPECT_EQ(differs("low = \"2018-01-01\"", "low = \"2018-01-02\""),
            "input \"admitted\", low: A has \"2018-01-01\", B has \"2018-01-02\"");
  EXPECT_EQ(differs("high = \"2030-12-31\"", "high = \"2031-01-01\""),
            "input \"admitted\", high: A has \"2030-12-31\", B has \"2031-01-01\"");
  EXPECT_EQ(differs("part_of = \"admitted\", ", ""),
            "input \"admitted.weekday\", part of: A has \"admitted\", B does not have it");
}

TEST_F(WithDates, AreRefusedInOneSentence) {
  EXPECT_TRUE(says(error_of("date = \"2020-01-01\"", "date = \"2020-02-30\""),
                   "columns.inputs[2].date: this must be a day, such as \"2020-01-31\""));
  EXPECT_TRUE(says(error_of("low = \"2018-01-01\"", "low = 3"), "columns.inputs[2].low: this must be a day"));
  EXPECT_TRUE(says(error_of("high = \"2030-12-31\"", "high = \"2017-12-31\""),
                   "columns.inputs[2].high: this must be above low"));
  EXPECT_TRUE(says(error_of("name = \"admitted.weekday\"", "name = \"weekday\""),
                   "a part of the dates admitted must be named admitted.year, admitted.month"));
  EXPECT_TRUE(says(error_of("part_of = \"admitted\"", "part_of = \"admitted\", date = \"2020-01-01\""),
                   "columns.inputs[3].part_of: a part of a date is not a date itself"));
  EXPECT_TRUE(
      says(error_of("name = \"y\", low = -1.5, high = 346.25",
                    "name = \"y\", date = \"2020-01-01\", low = \"2020-01-01\", high = \"2021-01-01\""),
           "a target must be a number, not a date"));
}

TEST_F(OnPaper, EveryFieldCountsInTheHash) {
  // Each change must change the hash and appear in the differences.
  const std::vector<std::pair<std::string, std::function<void(Charter&)>>> changes = {
      {"title", [](Charter& c) { c.title += "x"; }},
      {"agents", [](Charter& c) { std::swap(c.agents[0], c.agents[1]); }},
      {"agent agent-b, address", [](Charter& c) { c.agents[1].address = "10.0.0.1:1"; }},
      {"agent agent-b, identity", [](Charter& c) { c.agents[1].identity[3] ^= std::byte{1}; }},
      {"agent agent-c, certificate's fingerprint",
       [](Charter& c) { c.agents[2].fingerprint[3] ^= std::byte{1}; }},
      {"network, topology", [](Charter& c) { c.topology = "ring:2"; }},
      {"inputs", [](Charter& c) { std::swap(c.inputs[0], c.inputs[1]); }},
      {"input \"age\", high", [](Charter& c) { c.inputs[0].high = 121; }},
      {"input \"sex \\\\ gender\", levels", [](Charter& c) { c.inputs[1].levels.push_back("x"); }},
      {"target \"y\", low", [](Charter& c) { c.targets[0].low = -2; }},
      {"model, kernel", [](Charter& c) { c.model.kernel = "linear"; }},
      {"model, fusion", [](Charter& c) { c.model.fusion = Fusion::poe; }},
      {"model, landmarks", [](Charter& c) { c.model.landmarks.count = 20; }},
      {"model, landmarks' seed", [](Charter& c) { c.model.landmarks.seed = 2; }},
      {"model, landmarks above the ceiling", [](Charter& c) { c.model.landmarks.above_ceiling = true; }},
      {"model, standardise", [](Charter& c) { c.model.standardise = false; }},
      {"model, length-scale", [](Charter& c) { c.model.lengthscale *= 2; }},
      {"model, rows of an expert", [](Charter& c) { c.model.expert_rows += 1; }},
      {"model, signal", [](Charter& c) { c.model.signal *= 2; }},
      {"model, noise", [](Charter& c) { c.model.noise *= 2; }},
      {"tuning, on", [](Charter& c) { c.tuning.on = false; }},
      {"tuning, low", [](Charter& c) { c.tuning.low *= 2; }},
      {"tuning, high", [](Charter& c) { c.tuning.high *= 2; }},
      {"tuning, noise floor", [](Charter& c) { c.tuning.noise_floor *= 2; }},
      {"tuning, length-scale floor", [](Charter& c) { c.tuning.lengthscale_floor *= 2; }},
      {"tuning, restarts", [](Charter& c) { c.tuning.restarts = 3; }},
      {"tuning, seed", [](Charter& c) { c.tuning.seed = 3; }},
      {"tuning, evaluations", [](Charter& c) { c.tuning.evaluations = 3; }},
      {"protocol, sums", [](Charter& c) { c.protocol.sums = SumProtocol::consensus; }},
      {"protocol, collusion", [](Charter& c) { c.protocol.collusion = 1; }},
      {"protocol, fewest agents", [](Charter& c) { c.protocol.fewest = 3; }},
      {"protocol, most rows", [](Charter& c) { c.protocol.rows = 4; }},
      {"protocol, most points", [](Charter& c) { c.protocol.points = 4; }},
      {"protocol, unit", [](Charter& c) { c.protocol.unit = 4; }},
      {"timeout, gather", [](Charter& c) { c.timeouts.gather = 4; }},
      {"timeout, loss", [](Charter& c) { c.timeouts.loss = 4; }},
      {"timeout, silence", [](Charter& c) { c.timeouts.silence = 4; }},
      {"timeout, queue", [](Charter& c) { c.timeouts.queue = 4; }}};
  const auto fields = charter_fields(charter);
  std::vector<std::string> named;
  for (const auto& [field, change] : changes) {
    Charter other = charter;
    change(other);
    EXPECT_NE(charter_hash(other), charter_hash(charter)) << field;
    const auto different = charter_differences(fields, "A", charter_fields(other), "B");
    EXPECT_TRUE(std::any_of(different.begin(), different.end(), [&, field = field](const std::string& one) {
      return one.starts_with(field + ": ");
    })) << field;
    named.push_back(field);
  }
  // This test covers all fields.
  for (const CharterField& field : fields) {
    const bool alike = field.name.starts_with("agent agent-") || field.name.starts_with("input \"age\"") ||
                       field.name.starts_with("target");
    if (field.name == "format" || alike) continue;
    EXPECT_NE(std::find(named.begin(), named.end(), field.name), named.end()) << field.name;
  }
  EXPECT_TRUE(charter_differences(fields, "A", fields, "B").empty());
}

TEST_F(OnPaper, DifferencesAreSentences) {
  Charter other = charter;
  other.protocol.collusion = 1;
  other.inputs.push_back({"bmi", 10, 60, {}});
  const auto differences =
      charter_differences(charter_fields(charter), "mine", charter_fields(other), "theirs");
  ASSERT_EQ(differences.size(), 4u);
  EXPECT_EQ(differences[1], "protocol, collusion: mine has \"2\", theirs has \"1\"");
  EXPECT_EQ(differences[2], "input \"bmi\", low: theirs has \"10\", mine does not have it");
}

TEST_F(OnPaper, ErrorsPointAtLineAndField) {
  EXPECT_TRUE(says(error_of("collusion = 2", "collusion = 3"),
                   "protocol.collusion: this must be a whole number from 0 to 2"));
  EXPECT_TRUE(says(error_of("collusion = 2", "colusion = 2"), "protocol.collusion: this field is missing"));
  EXPECT_TRUE(says(error_of("fewest_agents = 4", "fewest_agents = 2"), "from 3 to 4"));
  EXPECT_TRUE(says(error_of("fewest_agents = 4", "fewest_agents = 3"),
                   "protocol.fewest_agents: with 3 agents in a sum, 2 that collude are too many"));
  EXPECT_TRUE(
      says(error_of("noise_floor = 0.05", "noise_floor = 3"), "tuning.noise_floor: tuning starts at"));
  EXPECT_TRUE(
      says(error_of("lengthscale_floor = 0.1", "lengthscale_floor = 99"), "tuning.lengthscale_floor"));
  EXPECT_TRUE(says(error_of("sums = \"exact\"", "sums = \"secret\""), "\"tree\" or \"consensus\""));
  EXPECT_TRUE(says(error_of("[timeouts]", "[timeouts]\nwait = 3"), "timeouts.wait: this field is unknown"));
  EXPECT_TRUE(says(error_of("low = 0.0, high = 120.0", "low = 120, high = 0"),
                   "columns.inputs[0].high: this must be above low"));
  EXPECT_TRUE(says(error_of("low = 0.0, high = 120.0", "low = 0, high = inf"), "finite number"));
  EXPECT_TRUE(says(error_of("\"f\", \"m\"", "\"f\", \"f\""), "levels"));
  EXPECT_TRUE(says(error_of("name = \"age\"", "name = \"y\""),
                   "columns.targets[0].name: another entry has the same"));
  EXPECT_TRUE(says(error_of("topology = \"complete\"", "topology = \"ring:3x\""), "network.topology"));
  EXPECT_TRUE(says(error_of("topology = \"complete\"", "links = [[\"agent-a\", \"agent-x\"]]"),
                   "no agent named \"agent-x\""));
  EXPECT_TRUE(says(error_of("name = \"agent-b\"", "name = \"agent-a\""),
                   "agent[1].name: another entry has the same"));
  EXPECT_TRUE(
      says(error_of("127.0.0.1:7501", "127.0.0.1:7500"), "agent[1].address: another entry has the same"));
  EXPECT_TRUE(says(error_of(hex(charter.agents[1].identity), "12"), "agent[1].identity"));
  EXPECT_TRUE(says(error_of(hex(charter.agents[1].fingerprint), hex(charter.agents[2].fingerprint)),
                   "not the fingerprint"));
  EXPECT_TRUE(says(error_of("charter = 1", "charter = 3"), "c.toml, line 4, charter"));
  EXPECT_TRUE(says(error_of("charter = 1", ""), "not a charter"));
  EXPECT_TRUE(says(error_of("[model]", "[model"), "not valid TOML"));
  EXPECT_TRUE(says(error_of("[signatures]", "[signatures]\nagent-a = \"00\""), "128 hexadecimal"));
  EXPECT_TRUE(says(error_of("[signatures]", "[signatures]\nnobody = \"00\""),
                   "signatures.nobody: there is no agent named nobody in this charter; remove this line"));
  // The error names the line of the mistake.
  const std::string broken = changed("evaluations = 100", "evaluations = 0");
  const auto line = 1 + std::count(broken.begin(),
                                   broken.begin() + static_cast<long>(broken.find("evaluations = 0")), '\n');
  EXPECT_TRUE(says(refusal([&] { parse_charter("c.toml", broken); }),
                   "line " + std::to_string(line) + ", tuning.evaluations"));
}

TEST_F(OnPaper, TwoPartiesAreNoConsortium) {
  charter.agents.resize(2);
  charter.protocol.collusion = 0;
  EXPECT_TRUE(says(refusal([&] { parse_charter("c.toml", to_toml(charter)); }), "three agents or more"));
}

TEST_F(OnPaper, SignaturesHoldForThisCharterOnly) {
  EXPECT_EQ(check_signatures(charter).missing.size(), 4u);
  EXPECT_EQ(in_words(check_signatures(charter)), "by no member yet");
  EXPECT_EQ(refusal([&] { require_signed_and_sound(charter, "c.toml"); }),
            "c.toml: not signed by agent-a, agent-b, agent-c and agent-d. Each of them signs with tacit "
            "charter sign.");
  four.sign_all();
  EXPECT_TRUE(check_signatures(charter).complete());
  EXPECT_EQ(refusal([&] { require_signed_and_sound(charter, "c.toml"); }), "");
  EXPECT_EQ(in_words(check_signatures(charter)), "by all members: agent-a, agent-b, agent-c and agent-d");
  std::swap(charter.signatures["agent-a"], charter.signatures["agent-b"]);
  EXPECT_EQ(check_signatures(charter).bad, (std::vector<std::string>{"agent-a", "agent-b"}));
  four.sign_all();
  charter.protocol.rows = 99;
  EXPECT_EQ(check_signatures(charter).bad.size(), 4u);
  // Two members sign the new text, one does not, and one has not signed at all.
  for (const std::size_t k : {0, 1})
    charter.signatures[charter.agents[k].name] = sign_charter(charter, four.keys[k].identity);
  charter.signatures.erase("agent-d");
  EXPECT_EQ(in_words(check_signatures(charter)),
            "by agent-a and agent-b; the signature of agent-c is void: it belongs to another text, so "
            "agent-c must sign again; not signed by agent-d");
  EXPECT_TRUE(check_charter(charter).problems.empty());  // a charter can be sound before it is signed
  EXPECT_TRUE(says(refusal([&] { require_signed_and_sound(charter, "c.toml"); }),
                   "c.toml: the signature of agent-c is void"));
}

TEST_F(OnPaper, SigningLeavesTheRestOfTheFileAlone) {
  const std::string mine = changed("# Who takes part.", "# Ours, since 2024.");
  const Signature a = sign_charter(charter, four.keys[0].identity),
                  b = sign_charter(charter, four.keys[1].identity);
  const CharterFile once = with_signatures("c.toml", mine, {{"agent-a", b}});
  EXPECT_EQ(check_signatures(once.charter).bad, std::vector<std::string>{"agent-a"});
  const CharterFile twice = with_signatures("c.toml", once.text, {{"agent-a", a}, {"agent-b", b}});
  EXPECT_TRUE(twice.text.starts_with(mine));
  const Charter got = parse_charter("c.toml", twice.text);
  EXPECT_EQ(to_toml(twice.charter), to_toml(got));
  EXPECT_EQ(check_signatures(got).good, (std::vector<std::string>{"agent-a", "agent-b"}));
  EXPECT_EQ(got.signatures.size(), 2u);
  const std::string without = mine.substr(0, mine.find("[signatures]"));
  EXPECT_EQ(check_signatures(with_signatures("c.toml", without, {{"agent-a", a}}).charter).good.size(), 1u);
  EXPECT_TRUE(says(refusal([&] {
                     with_signatures("c.toml", mine + "[more]\nx = 1\n", {{"agent-a", a}});
                   }),
                   "more"));
}

TEST_F(OnPaper, CheckAuditsTheCollusionBound) {
  EXPECT_TRUE(check_charter(charter).problems.empty());
  EXPECT_TRUE(says(check_charter(charter).notes.at(0), "up to 2 agents"));
  charter.protocol.sums = SumProtocol::consensus;
  charter.model.landmarks.count = 0;
  charter.protocol.fewest = 4;
  charter.topology = "ring:2";
  charter.protocol.collusion = 2;
  charter.protocol.rows = 100;
  EXPECT_TRUE(check_charter(charter).problems.empty());
  charter.protocol.consensus.blinding = 0;
  const CharterReport ring = check_charter(charter);
  ASSERT_FALSE(ring.problems.empty());
  EXPECT_TRUE(
      says(ring.problems[0],
           "protocol.collusion: the charter requires protection against 2 colluding agents, but agents 0 "
           "and 3 together can compute the value of agent 1 from the messages"))
      << ring.problems[0];
  charter.protocol.consensus.blinding = 40;
  charter.protocol.collusion = 1;
  EXPECT_TRUE(check_charter(charter).problems.empty());
  charter.protocol.consensus.masks = MaskSource::shares;
  EXPECT_FALSE(check_charter(charter).problems.empty());  // no triangles
  charter.protocol.consensus.masks = MaskSource::seeded;
  charter.protocol.rows = 1'000'000;  // with blinding, sums over this many rows do not fit 128 bits
  EXPECT_TRUE(says(check_charter(charter).problems.at(0), "bits"));
}

TEST_F(OnPaper, CheckFindsWhatTheReaderCannot) {
  Charter apart = charter;
  apart.topology.clear();
  apart.links = {{"agent-a", "agent-b"}, {"agent-c", "agent-d"}};
  EXPECT_TRUE(says(check_charter(apart).problems.at(0), "network and protocol: "));
  Charter everywhere = charter;
  everywhere.agents[0].address = "0.0.0.0:7500";
  EXPECT_TRUE(says(check_charter(everywhere).problems.at(0), "every address"));
  Charter mixed = charter;
  for (std::size_t i = 1; i < 4; ++i) mixed.agents[i].address = "10.0.0." + std::to_string(i) + ":7500";
  EXPECT_TRUE(says(check_charter(mixed).problems.at(0), "agent agent-a, address"));
  Charter kernel = charter;
  kernel.model.kernel = "no such kernel";
  EXPECT_TRUE(says(check_charter(kernel).problems.at(0), "model.kernel"));
  Charter wrong = charter;
  wrong.agents[0].certificate = wrong.agents[1].certificate;
  EXPECT_TRUE(says(check_charter(wrong).problems.at(0), "not for an agent named agent-a"));
}

TEST_F(OnPaper, GarbageIsNotCanonicalText) {
  for (const char* bad : {"x", "\"a\"\n", "\"a\"\t\"b\"", "a\tb\n", "\"a\"\t\"b\nc = 3\"\n"})
    EXPECT_TRUE(says(refusal([&] { fields_from(bad); }), "canonical")) << bad;
  EXPECT_TRUE(fields_from("").empty());
}

}  // namespace
}  // namespace tacit
