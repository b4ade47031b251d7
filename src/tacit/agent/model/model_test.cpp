// Sealed models: what is signed, what is sent and what is stored.
#include "tacit/agent/model/model.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "tacit/agent/daemon/utc.hpp"
#include "tacit/agent/model/model.pb.h"
#include "tacit/agent/model/model_for_display.hpp"
#include "tacit/agent/model/model_store.hpp"
#include "tacit/agent/model/model_text.hpp"
#include "tacit/base/system/files.hpp"
#include "tacit/identity/identity_testing.hpp"
#include "tacit/secrecy/bytes.hpp"

namespace tacit {
namespace {

using namespace testing;

class Models : public ::testing::Test {
 protected:
  PaperConsortium paper{4};
  Samples rows{Matrix{{30, 1, 0}, {40, 0, 1}}, Matrix{{100}, {200}}};

  FittedModel fitted(std::vector<AgentId> roster = {0, 1, 2, 3}) const {
    FittedModel model;
    model.version = 7;
    model.fit = std::string(32, 'a');
    model.charter = charter_hash(paper.charter);
    model.fitted_at = "2026-11-16T03:08:54.123Z";
    model.originator = roster.front();
    model.roster = std::move(roster);
    model.likelihood = -12.25;
    model.evaluations = 9;
    const Terms terms = terms_of(paper.charter);
    model.priors.assign(1, checked_prior(terms.model.start, static_cast<Index>(width(paper.charter.inputs))));
    model.standardisation = Standardisation{
        80, {Vector{{50, 0.5, 0.5}}, Vector{{10, 0.5, 0.5}}}, {Vector{{150}}, Vector{{30}}}, 0};
    return model;
  }
  SealedModel sealed(const FittedModel& model) const {
    SealedModel all{model, {}, digest_of(model)};
    for (const AgentId i : model.roster)
      all.seals.push_back(
          make_seal(all.digest, i, commitment_to(*rows_here(rows), {}, {}), paper.keys[i].identity));
    return all;
  }
  SealedModel received(std::string_view bytes) const {
    return sealed_from_bytes(bytes, paper.charter, terms_of(paper.charter));
  }
  std::string objection(const SealedModel& all) const {
    return refusal([&] { received(to_bytes(all)); });
  }
};

TEST_F(Models, TravelAndAreKeptToTheBit) {
  const SealedModel all = sealed(fitted());
  EXPECT_EQ(to_bytes(received(to_bytes(all))), to_bytes(all));
  const ReadModel read = model_from_text(to_text(all, paper.charter, "5a17"), paper.charter);
  EXPECT_EQ(to_bytes(read.sealed), to_bytes(all));
  EXPECT_EQ(read.salt, "5a17");
  EXPECT_EQ(to_text(all, paper.charter).find("salt"), std::string::npos);
}

// A kernel with a length-scale for each of 200 inputs is long but allowed.
TEST_F(Models, OfManyInputsTravelAndAreKept) {
  FittedModel model = fitted();
  paper.charter.inputs.clear();
  for (int k = 0; k < 200; ++k) paper.charter.inputs.push_back({"x" + std::to_string(k), 0, 1, {}});
  paper.charter.model.kernel = "se-ard + linear-ard + constant";
  model.charter = charter_hash(paper.charter);
  const Kernel start = checked_prior(terms_of(paper.charter).model.start, 200).kernel;
  model.priors[0].kernel = start.with(std::vector<double>(start.parameters(), -1.0 / 3 + 0.7));
  ASSERT_GT(model.priors[0].kernel.text().size(), 5 * most_kernel_text);
  const SealedModel all = sealed(model);
  EXPECT_EQ(to_bytes(received(to_bytes(all))), to_bytes(all));
  EXPECT_EQ(to_bytes(model_from_text(to_text(all, paper.charter), paper.charter).sealed), to_bytes(all));
}

// Only the numbers of a kernel are sent. They give the same kernel to the bit, so that the seals are valid.
TEST_F(Models, KernelsTravelAsNumbers) {
  for (const char* form : {"se", "se-ard * periodic + linear-ard", "(matern32 + constant) * rq + linear",
                           "se-ard(lengthscale=[1,2,3], signal=2) + constant(signal=0.1)"}) {
    SCOPED_TRACE(form);
    paper.charter.model.kernel = form;
    FittedModel model = fitted();
    std::vector<double> numbers = model.priors[0].kernel.numbers();
    for (double& number : numbers) number *= 1.0 / 3 + 0.7;
    model.priors[0].kernel = model.priors[0].kernel.with(numbers);
    const SealedModel all = sealed(model);
    EXPECT_EQ(objection(all), "");
    EXPECT_EQ(received(to_bytes(all)).model.priors[0], model.priors[0]);
    requests::SignedModel message;
    message.ParseFromString(to_bytes(all));
    const auto& sent = message.model().priors(0).numbers();
    EXPECT_EQ(std::vector<double>(sent.begin(), sent.end()), numbers);
  }
}

// A page shows these numbers and does not parse the kernel's text.
TEST_F(Models, TheNumbersOfAKernelAreShownByName) {
  paper.charter.model.kernel = "se-ard(lengthscale=[1,2,3], signal=2) + constant(signal=0.1)";
  const SealedModel all = sealed(fitted());
  const nlohmann::ordered_json prior = model_json(shown(all, paper.charter))["priors"][0];
  EXPECT_EQ(prior["kernel"], all.model.priors[0].kernel.text());
  EXPECT_EQ(prior["numbers"].dump(),
            R"({"se.lengthscale[0]":1.0,"se.lengthscale[1]":2.0,"se.lengthscale[2]":3.0,"se.signal":2.0,)"
            R"("constant.signal":0.1})");
}

// The digest covers the whole content of a model.
TEST_F(Models, ADigestCoversAllOfIt) {
  const FittedModel model = fitted();
  const auto changed = [&](auto&& change) {
    FittedModel other = model;
    change(other);
    return digest_of(other) != digest_of(model);
  };
  EXPECT_TRUE(changed([](auto& m) { m.version = 8; }));
  EXPECT_TRUE(changed([](auto& m) { m.fit[0] = 'b'; }));
  EXPECT_TRUE(changed([](auto& m) { m.charter[0] ^= std::byte{1}; }));
  EXPECT_TRUE(changed([](auto& m) { m.fitted_at[0] = '3'; }));
  EXPECT_TRUE(changed([](auto& m) { m.originator = 1; }));
  EXPECT_TRUE(changed([](auto& m) { m.roster.pop_back(); }));
  EXPECT_TRUE(changed([](auto& m) { m.transcript[31] ^= std::byte{1}; }));
  EXPECT_TRUE(changed([](auto& m) { m.likelihood = std::nextafter(m.likelihood, 0); }));
  EXPECT_TRUE(changed([](auto& m) { ++m.evaluations; }));
  EXPECT_TRUE(changed([](auto& m) { m.priors[0].noise = std::nextafter(m.priors[0].noise, 1); }));
  EXPECT_TRUE(changed([](auto& m) { m.priors[0].kernel = parse_kernel("se"); }));
  EXPECT_TRUE(changed([](auto& m) { m.standardisation.reset(); }));
  EXPECT_TRUE(changed([](auto& m) { ++m.standardisation->rows; }));
  EXPECT_TRUE(changed([](auto& m) { ++m.standardisation->constant; }));
  EXPECT_TRUE(changed([](auto& m) { m.standardisation->inputs.shift(2) += 1; }));
  EXPECT_TRUE(changed([](auto& m) { m.standardisation->inputs.scale(0) += 1; }));
  EXPECT_TRUE(changed([](auto& m) { m.standardisation->outputs.shift(0) += 1; }));
  EXPECT_TRUE(changed([](auto& m) { m.standardisation->outputs.scale(0) += 1; }));
  FittedModel pooled = model;
  pooled.pooled_name = PooledName{80, 9, {}};
  EXPECT_NE(digest_of(pooled), digest_of(model));
  for (const PooledName& other : {PooledName{81, 9, {}}, {80, 8, {}}, {80, 9, {std::byte{1}}}}) {
    FittedModel renamed = model;
    renamed.pooled_name = other;
    EXPECT_NE(digest_of(renamed), digest_of(pooled));
  }
}

// The pooled part has its own digest, over the bits of every number.
TEST_F(Models, ANameCoversAllOfThePooledPart) {
  const FittedModel model = fitted();
  const auto name = [&](auto&& change) {
    std::size_t n = 80;
    Matrix points{{0.5, 1, 0}, {-0.5, 0, 1}};
    std::vector<PooledTotals> totals{{Matrix{{3, 1}, {1, 4}}, Matrix{{1}, {2}}}};
    change(n, points, totals[0]);
    return name_of(Pooled(n, points, totals, model.priors));
  };
  const PooledName same = name([](auto&, auto&, auto&) {});
  EXPECT_EQ(same, name([](auto&, auto&, auto&) {}));
  EXPECT_EQ(same.rows, 80u);
  EXPECT_EQ(same.landmarks, 2u);
  const auto next = [](double& value) { value = std::nextafter(value, 9); };
  EXPECT_NE(same.digest, name([](auto& n, auto&, auto&) { ++n; }).digest);
  EXPECT_NE(same.digest, name([&](auto&, auto& points, auto&) { next(points(1, 2)); }).digest);
  EXPECT_NE(same.digest, name([&](auto&, auto&, auto& totals) { next(totals.precision(1, 1)); }).digest);
  EXPECT_NE(same.digest, name([&](auto&, auto&, auto& totals) { next(totals.weighted(1, 0)); }).digest);
  FittedModel other = model;
  other.pooled_name = same;
  EXPECT_EQ(received(to_bytes(sealed(other))).model.pooled_name, same);
  EXPECT_EQ(model_from_text(to_text(sealed(other), paper.charter), paper.charter).sealed.model.pooled_name,
            same);
  other.pooled_name->landmarks = 1001;
  EXPECT_TRUE(says(objection(sealed(other)), "number of landmarks"));
}

TEST_F(Models, CountOnlyWithEverySealOfTheirRoster) {
  const SealedModel all = sealed(fitted());
  EXPECT_EQ(objection(all), "");
  SealedModel other = all;
  other.seals.pop_back();
  EXPECT_TRUE(says(objection(other), "no valid seal of agent-d"));
  other = all;
  other.model.priors[0].noise = 0.01;  // a change in one member's interest
  EXPECT_TRUE(says(objection(other), "no valid seal of agent-a"));
  other.digest = digest_of(other.model);
  other.seals[0] = make_seal(other.digest, 0, {}, paper.keys[0].identity);
  EXPECT_TRUE(says(objection(other), "no valid seal of agent-b"));
  other = all;
  other.seals[1].commitment[0] ^= std::byte{1};
  EXPECT_TRUE(says(objection(other), "no valid seal of agent-b"));
  other = all;
  other.seals[2] =
      make_seal(all.digest, 2, {}, paper.keys[0].identity);  // signed with the key of another agent
  EXPECT_TRUE(says(objection(other), "no valid seal of agent-c"));
  other = all;
  std::swap(other.seals[1], other.seals[2]);
  EXPECT_TRUE(says(objection(other), "no valid seal of agent-b"));
  other = all;
  other.seals.push_back(other.seals[0]);
  EXPECT_TRUE(says(objection(other), "more seals"));
}

TEST_F(Models, MalformedOnesAreRefused) {
  const auto bent = [&](auto&& bend) {
    FittedModel model = fitted();
    bend(model);
    return objection(sealed(model));
  };
  EXPECT_TRUE(says(bent([](auto& m) { m.charter = {}; }), "another charter"));
  EXPECT_TRUE(says(bent([](auto& m) { m.fitted_at = "2026-02-30T00:00:00.000Z"; }), "its time is invalid"));
  EXPECT_TRUE(says(bent([](auto& m) { m.fit = "x"; }), "name of its fit"));
  EXPECT_TRUE(says(bent([](auto& m) { m.version = 0; }), "a number"));
  EXPECT_TRUE(
      says(bent([](auto& m) { m.likelihood = std::numeric_limits<double>::infinity(); }), "a number"));
  EXPECT_TRUE(says(bent([](auto& m) { m.roster = {0, 2, 1}; }), "roster"));
  EXPECT_TRUE(says(bent([](auto& m) { m.roster = {0, 1, 1}; }), "roster"));
  EXPECT_TRUE(says(bent([](auto& m) { m.originator = 2, m.roster = {0, 1, 3}; }), "not in its roster"));
  EXPECT_TRUE(says(bent([](auto& m) { m.priors.push_back(m.priors[0]); }), "more targets"));
  requests::SignedModel message;
  message.ParseFromString(to_bytes(sealed(fitted())));
  const auto sent = [&](auto&& bend) {
    requests::SignedModel other = message;
    bend(other);
    return refusal([&] { received(other.SerializeAsString()); });
  };
  EXPECT_TRUE(says(sent([](auto& m) { m.mutable_model()->add_roster(4); }), "roster"));
  EXPECT_TRUE(says(sent([](auto& m) { m.mutable_model()->clear_roster(); }), "roster"));
  EXPECT_TRUE(says(sent([](auto& m) { m.mutable_model()->set_transcript("x"); }), "transcript"));
  EXPECT_TRUE(
      says(sent([](auto& m) { m.mutable_seals(0)->set_signature(std::string(65, 'x')); }), "64 bytes"));
  const auto kernel = [](requests::SignedModel& m) {
    return m.mutable_model()->mutable_priors(0)->mutable_numbers();
  };
  const std::string count = "must have " + std::to_string(kernel(message)->size()) + " numbers";
  EXPECT_TRUE(says(sent([&](auto& m) { kernel(m)->Add(1); }), count));
  EXPECT_TRUE(says(sent([&](auto& m) { kernel(m)->RemoveLast(); }), count));
  for (const double value : {0., -1., 1e101, std::numeric_limits<double>::infinity(), std::nan("")})
    EXPECT_NE(sent([&](auto& m) { kernel(m)->Set(0, value); }), "") << value;
  EXPECT_TRUE(says(sent([](auto& m) {
                     for (int k = 0; k < 1000; ++k) *m.add_seals() = m.seals(0);
                   }),
                   "cannot be read"));  // too large
  EXPECT_TRUE(says(refusal([&] { received("\xff\xff garbage"); }), "cannot be read"));
}

TEST_F(Models, ACommitmentBindsToRowsAndSalt) {
  const std::array<std::byte, 32> salt{}, other{std::byte{1}};
  const auto of = [&](const Samples& one, const Samples& held, const auto& salted) {
    return commitment_to(*rows_here(one), held, salted);
  };
  EXPECT_EQ(of(rows, {}, salt), of(rows, {}, salt));
  EXPECT_NE(of(rows, {}, salt), of(rows, {}, other));
  Samples changed = rows;
  changed.outputs(1, 0) += 1e-9;
  EXPECT_NE(of(rows, {}, salt), of(changed, {}, salt));
  const Samples reshaped{Matrix{{30, 0}, {40, 0}, {1, 1}}, Matrix{{100}, {200}}};
  EXPECT_NE(of(rows, {}, salt), of(reshaped, {}, salt));
  EXPECT_NE(of(rows, {}, salt), of(rows, rows, salt)) << "held-out rows are included";
  EXPECT_NE(of(rows, rows, salt), of(rows, changed, salt));
}

// Seals of earlier releases commit to rows in this form.
TEST_F(Models, CommitmentsAreTheDigestOfCellsColumnByColumn) {
  const Samples holdout{Matrix{{50, 1, 0}}, Matrix{{150}}};
  const std::array<std::uint64_t, 6> counts{2, 3, 1, 1, 3, 1};
  const std::array<double, 6> inputs{30, 40, 1, 0, 0, 1};
  const std::array<double, 2> outputs{100, 200};
  const std::array<double, 3> held{50, 1, 0};
  const std::array<double, 1> held_outputs{150};
  const auto bytes = [](const auto& numbers) { return std::as_bytes(std::span(numbers)); };
  const Digest shape = digest_of({bytes_of("tacit rows' shape"), bytes(counts)});
  EXPECT_EQ(commitment_to(*rows_here(rows), holdout, bytes_of("salt")),
            digest_of({bytes_of("tacit rows"), bytes_of("salt"), shape, bytes(inputs), bytes(outputs),
                       bytes(held), bytes(held_outputs)}));
}

class Kept : public Models {
 protected:
  const Terms terms = terms_of(paper.charter);
  const Samples holdout = {};
  std::string log;

  Rows now;

  ModelStore store() {
    now = rows_here(rows);
    return {
        paper.folder.path, paper.charter, terms, 1, *now, holdout, [this](LogLevel, const std::string& text) {
          log += text + '\n';
        }};
  }
  // The end of a fit.
  SealedModel fit(std::uint64_t version = 7) {
    FittedModel model = fitted();
    model.version = version;
    ModelStore models = store();
    SealedModel all = sealed(model);
    all.seals[1] = make_seal(all.digest, 1, models.commit(model), paper.keys[1].identity);
    models.keep(all);
    return all;
  }
  std::filesystem::path file(const char* name) const { return paper.folder.path / name; }
};

TEST_F(Kept, SurvivesARestart) {
  EXPECT_FALSE(store().held());
  EXPECT_EQ(store().highest(), 0u);
  const SealedModel all = fit();
  const ModelStore again = store();
  ASSERT_TRUE(again.held());
  EXPECT_EQ(to_bytes(again.held()->sealed), to_bytes(all));
  EXPECT_FALSE(again.held()->rows_changed);
  EXPECT_EQ(again.highest(), 7u);
  EXPECT_EQ(again.signed_as(7), all.digest);
  EXPECT_EQ(log, "");
}

TEST_F(Kept, ChangedRowsAreNoticed) {
  fit();
  rows.outputs(0, 0) += 1;
  EXPECT_TRUE(store().held()->rows_changed);
  EXPECT_TRUE(says(log, "this agent's rows differ from those"));
}

// signed.json still has the salt after model.json is gone. Without the salt, rows cannot be compared.
TEST_F(Kept, AModelThatIsTakenOverAgainFindsItsSalt) {
  const SealedModel all = fit();
  std::filesystem::remove(file("model.json"));
  ModelStore models = store();
  EXPECT_FALSE(models.held());
  EXPECT_FALSE(models.rows_differ(all));
  models.keep(all);
  EXPECT_FALSE(models.held()->rows_changed);
  EXPECT_FALSE(store().held()->rows_changed);
  std::filesystem::remove(file("model.json"));
  std::filesystem::remove(file("signed.json"));
  EXPECT_TRUE(store().rows_differ(all));
}

TEST_F(Kept, NoVersionIsSignedTwice) {
  fit();
  FittedModel model = fitted();
  for (const std::uint64_t version : {1, 6, 7}) {
    model.version = version;
    EXPECT_TRUE(says(refusal([&] { store().commit(model); }), "already signed model version 7"));
  }
  std::filesystem::remove(file("model.json"));
  EXPECT_TRUE(says(refusal([&] { store().commit(model); }), "already signed model version 7"));
  model.version = 8;
  store().commit(model);  // the run then fails, so no model is stored
  EXPECT_EQ(store().highest(), 8u);
}

TEST_F(Kept, WhatCannotBeUsedIsSetAside) {
  fit();
  const std::string good = read_whole(file("model.json"));
  const auto objection = [&](const std::string& text) {
    log.clear();
    write_whole(file("model.json"), text);
    EXPECT_FALSE(store().held());
    EXPECT_FALSE(std::filesystem::exists(file("model.json")));
    EXPECT_EQ(read_whole(file("model.json.set-aside")), text);
    return log;
  };
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    return text.replace(text.find(from), from.size(), to);
  };
  EXPECT_TRUE(
      says(objection(with("\"noise\": 0.5", "\"noise\": 0.01")), "model.json is not used and was renamed"));
  EXPECT_TRUE(says(log, "does not match its content"));
  EXPECT_TRUE(says(objection(""), "damaged"));
  EXPECT_TRUE(says(objection("[]"), "damaged"));
  EXPECT_TRUE(says(objection(good.substr(0, 500)), "damaged"));
  EXPECT_TRUE(says(objection(std::string(100'000, '[')), "too deeply"));
  EXPECT_TRUE(says(objection(with("\"tacit_model\": 2", "\"tacit_model\": 1")), "another version"));
  EXPECT_TRUE(says(objection(with("agent-c", "agent-x")), "not in this charter"));
  paper.charter.title = "another";
  EXPECT_TRUE(says(objection(good), "another charter"));
  write_whole(file("signed.json"), "{");
  EXPECT_EQ(store().highest(), 0u);
  EXPECT_TRUE(std::filesystem::exists(file("signed.json.set-aside")));
}

TEST_F(Kept, WhatALaterReleaseHasKeptStaysAsItIs) {
  fit();
  std::string later = read_whole(file("model.json"));
  const std::string from = "\"tacit_model\": 2";
  later.replace(later.find(from), from.size(), "\"tacit_model\": 3");
  write_whole(file("model.json"), later);
  EXPECT_TRUE(says(refusal([&] { store(); }), "the stored model was written by a newer Tacit (format 3"));
  EXPECT_EQ(read_whole(file("model.json")), later);
  std::filesystem::remove(file("model.json"));
  write_whole(file("signed.json"), "{\"format\": 2}");
  EXPECT_TRUE(says(refusal([&] { store(); }), "signed.json was written by a newer Tacit (format 2"));
  EXPECT_EQ(read_whole(file("signed.json")), "{\"format\": 2}");
}

TEST_F(Kept, AnImplausibleModelIsSetAside) {
  FittedModel model = fitted();
  model.standardisation->outputs.scale(0) = 0;
  write_whole(file("model.json"), to_text(sealed(model), paper.charter));
  EXPECT_FALSE(store().held());
  EXPECT_TRUE(says(log, "cannot be the result of a fit under this charter"));
  write_whole(file("model.json"), to_text(sealed(fitted({0, 2, 3})), paper.charter));
  EXPECT_FALSE(store().held());
  EXPECT_TRUE(says(log, "not in the model's roster"));
}

TEST(UtcTime, IsReadInOneForm) {
  const UtcTime now = utc_now();
  EXPECT_EQ(parse_utc(to_text(now)), now);
  EXPECT_EQ(to_text(*parse_utc("2024-02-29T23:59:59.999Z")), "2024-02-29T23:59:59.999Z");
  for (const char* text :
       {"", "2023-02-29T00:00:00.000Z", "2024-01-01T24:00:00.000Z", "2024-01-01 00:00:00.000Z",
        "2024-01-01T00:00:00.000+", "2024-1-001T00:00:00.000Z", "-024-01-01T00:00:00.000Z",
        "2024-01-01T00:00:00.0000Z", "2024-01-01T00:00:00.00 Z"})
    EXPECT_FALSE(parse_utc(text)) << text;
}

}  // namespace
}  // namespace tacit
