#include "study_settings.hpp"

#include <tuple>

#include "tacit/consortium/pool/draw_landmarks.hpp"
#include "tacit/protocol/consensus/hardening.hpp"

namespace tacit::python {
namespace {

using Value = KeywordValue;

constexpr unsigned usual_blinding = hardening_of_agents.blinding;

// The limits of numbers are those of the command line.

template <class Options>
void add_model(Fields<Options>& fields) {
  fields.insert({
      {"kernel", [](Options& o, const Value& v) { o.model.kernel = v.kernel(); }},
      {"fusion",
       [](Options& o, const Value& v) {
         o.model.fusion = v.word(choices_for({Fusion::poe, Fusion::gpoe, Fusion::bcm, Fusion::rbcm}));
       }},
      {"lengthscale", [](Options& o, const Value& v) { o.model.lengthscale = v.number(); }},
      {"signal", [](Options& o, const Value& v) { o.model.signal = v.number(); }},
      {"noise", [](Options& o, const Value& v) { o.model.noise = v.number(); }},
      {"expert_rows",
       [](Options& o, const Value& v) { o.model.committee.expert_rows = v.whole(1, 1'000'000); }},
      {"expert_split",
       [](Options& o, const Value& v) {
         o.model.committee.split = v.word(choices_for({RowSplit::random, RowSplit::clusters}));
       }},
  });
}

template <class Options>
void add_network(Fields<Options>& fields) {
  fields.insert({
      {"topology", [](Options& o, const Value& v) { o.plan.topology = v.topology(); }},
      {"allow_missing_triangles",
       [](Options& o, const Value& v) { o.plan.allow_missing_triangles = v.flag(); }},
      {"helpers", [](Options& o, const Value& v) { o.plan.helpers = v.whole(0, 1'000); }},
  });
}

template <class Options>
void add_protocol(Fields<Options>& fields) {
  fields.insert({
      {"protocol",
       [](Options& o, const Value& v) {
         o.plan.protocol =
             v.word(choices_for({SumProtocol::exact, SumProtocol::tree, SumProtocol::consensus}));
       }},
      {"collusion", [](Options& o, const Value& v) { o.plan.collusion = v.whole(0, 1'000'000); }},
      {"masks",
       [](Options& o, const Value& v) {
         o.plan.request.hardening.masks = v.word(choices_for({MaskSource::shares, MaskSource::seeded}));
       }},
      {"acceleration",
       [](Options& o, const Value& v) {
         o.plan.request.hardening.acceleration =
             v.word(choices_for({Acceleration::none, Acceleration::chebyshev}));
       }},
      {"blinding",
       [](Options& o, const Value& v) {
         o.plan.request.hardening.blinding =
             v.is_flag() ? (v.flag() ? usual_blinding : 0) : static_cast<unsigned>(v.whole(0, 100));
       }},
      {"iterations", [](Options& o, const Value& v) { o.plan.request.iterations = v.whole(0, 10'000'000); }},
      {"lz", [](Options& o, const Value& v) { o.plan.request.lz = v.number(); }},
      {"lw", [](Options& o, const Value& v) { o.plan.lw = v.number(); }},
      {"modulus_bits",
       [](Options& o, const Value& v) {
         o.plan.request.modulus_bits = static_cast<unsigned>(v.whole(1, 1'000));
       }},
      {"modulus_rule",
       [](Options& o, const Value& v) {
         o.plan.request.rule =
             v.word(Choices<ModulusRule>{{"paper", ModulusRule::paper}, {"range", ModulusRule::range}});
       }},
  });
}

using Simulation = cli::SimulateOptions;

void add_rows(Fields<Simulation>& fields) {
  fields.insert({
      {"data",
       [](Simulation& o, const Value& v) {
         const std::vector<std::string> all = v.texts();
         o.data.data.assign(all.begin(), all.end());
       }},
      {"target", [](Simulation& o, const Value& v) { o.data.targets = v.texts(); }},
      {"inputs", [](Simulation& o, const Value& v) { o.data.inputs = v.texts(); }},
      {"test", [](Simulation& o, const Value& v) { o.data.test = v.texts().at(0); }},
      {"test_fraction", [](Simulation& o, const Value& v) { o.data.test_fraction = v.number(); }},
      {"agents", [](Simulation& o, const Value& v) { o.data.agents = v.whole(2, 1'000'000); }},
      {"split",
       [](Simulation& o, const Value& v) {
         std::tie(o.data.split, o.data.split_column) = cli::parse_split(v.text());
       }},
      {"y_max", [](Simulation& o, const Value& v) { o.data.y_max = v.number(); }},
      {"stream", [](Simulation& o, const Value& v) { o.data.stream = v.flag(); }},
      {"scratch", [](Simulation& o, const Value& v) { o.data.scratch = v.text(); }},
      {"standardise",
       [](Simulation& o, const Value& v) {
         o.standardise = v.word(Choices<bool>{{"private", true}, {"none", false}});
       }},
      {"holdout", [](Simulation& o, const Value& v) { o.holdout = v.number(); }},
      {"holdout_model",
       [](Simulation& o, const Value& v) {
         o.holdout_fused = v.word(Choices<bool>{{"alone", false}, {"fused", true}});
       }},
  });
}

void add_reading(Fields<Simulation>& fields) {
  fields.insert({
      {"delimiter",
       [](Simulation& o, const Value& v) { o.reading.settings.delimiter = v.word(delimiter_words()); }},
      {"decimal",
       [](Simulation& o, const Value& v) { o.reading.settings.decimal_comma = v.word(decimal_words()); }},
      {"missing",
       [](Simulation& o, const Value& v) { o.reading.settings.missing = v.word(missing_row_words()); }},
      {"missing_value", [](Simulation& o, const Value& v) { o.reading.settings.missing_values = v.texts(); }},
      {"categorical", [](Simulation& o, const Value& v) { o.reading.settings.categorical = v.texts(); }},
      {"date", [](Simulation& o, const Value& v) { o.reading.settings.dates = v.texts(); }},
      {"slash_dates",
       [](Simulation& o, const Value& v) { o.reading.settings.slash_dates = v.word(slash_date_words()); }},
      {"variables", [](Simulation& o, const Value& v) { o.reading.settings.variables = v.texts(); }},
      {"sql", [](Simulation& o, const Value& v) { o.reading.settings.sql = v.text(); }},
      {"password_file", [](Simulation& o, const Value& v) { o.reading.settings.password_file = v.text(); }},
  });
}

void add_pooled_part(Fields<Simulation>& fields) {
  fields.insert({
      {"paper", [](Simulation& o, const Value& v) { o.paper = v.flag(); }},
      {"landmarks",
       [](Simulation& o, const Value& v) {
         o.landmarks = cli::LandmarkCount{v.whole_or_auto(0, most_landmarks)};
       }},
      {"landmark_points", [](Simulation& o, const Value& v) { o.data.landmarks = v.texts().at(0); }},
      {"variance",
       [](Simulation& o, const Value& v) {
         o.observed_variance = v.word(Choices<bool>{{"latent", false}, {"observed", true}});
       }},
      {"latency", [](Simulation& o, const Value& v) { o.study.network.latency = v.duration(); }},
      {"bandwidth", [](Simulation& o, const Value& v) { o.study.network.bandwidth = v.number(); }},
  });
}

void add_protection(Fields<Simulation>& fields) {
  fields.insert({
      {"protect",
       [](Simulation& o, const Value& v) {
         o.protect_rows = v.word(Choices<bool>{{"sums", false}, {"both", true}});
       }},
      {"rho", [](Simulation& o, const Value& v) { o.protection.rho = v.number(); }},
      {"colluding", [](Simulation& o, const Value& v) { o.protection.colluding = v.whole(1, 1'000'000); }},
  });
}

void add_tuning(Fields<Simulation>& fields) {
  fields.insert({
      {"tune", [](Simulation& o, const Value& v) { o.tune = v.word(cli::tune_words()); }},
      {"tune_iterations",
       [](Simulation& o, const Value& v) { o.paper_tuning.steps.iterations = v.whole(0, 10'000'000); }},
      {"tune_step", [](Simulation& o, const Value& v) { o.paper_tuning.steps.step = v.number(); }},
      {"tune_decay", [](Simulation& o, const Value& v) { o.paper_tuning.steps.decay = v.number(); }},
      {"tune_gradient",
       [](Simulation& o, const Value& v) { o.paper_tuning.steps.gradient = v.word(cli::gradient_words()); }},
      {"tune_lz", [](Simulation& o, const Value& v) { o.paper_tuning.lz = v.number(); }},
      {"tune_box", [](Simulation& o, const Value& v) { o.tune_box = v.range(); }},
      {"tune_start", [](Simulation& o, const Value& v) { o.paper_tuning.start = v.range(); }},
      {"noise_floor", [](Simulation& o, const Value& v) { o.noise_floor = v.number(); }},
      {"lengthscale_floor", [](Simulation& o, const Value& v) { o.lengthscale_floor = v.number(); }},
      {"restarts", [](Simulation& o, const Value& v) { o.search.restarts = v.whole(0, 1'000); }},
      {"tune_shared", [](Simulation& o, const Value& v) { o.search.shared = v.flag(); }},
      {"tune_landmarks", [](Simulation& o, const Value& v) { o.study.tuning.on_landmarks = v.flag(); }},
      {"tune_evaluations",
       [](Simulation& o, const Value& v) { o.search.limits.most_evaluations = v.whole(0, 10'000); }},
  });
}

void add_run(Fields<Simulation>& fields) {
  fields.insert({
      {"seed", [](Simulation& o, const Value& v) { o.data.seed = v.whole(0, UINT64_MAX); }},
      {"threads",
       [](Simulation& o, const Value& v) { o.study.threads = static_cast<unsigned>(v.whole(0, 1U << 16)); }},
      {"all_agents", [](Simulation& o, const Value& v) { o.all_agents = v.flag(); }},
  });
}

using Plan = cli::PlanCommand;

void add_values(Fields<Plan>& fields) {
  fields.insert({
      {"agents", [](Plan& o, const Value& v) { o.asked_agents = v.whole(2, 1'000'000); }},
      {"rows", [](Plan& o, const Value& v) { o.facts.rows = v.whole(1, 1'000'000'000); }},
      {"points", [](Plan& o, const Value& v) { o.points = v.whole(1, 100'000'000); }},
      {"outputs", [](Plan& o, const Value& v) { o.outputs = v.whole(1, 1'000'000); }},
      {"inputs", [](Plan& o, const Value& v) { o.inputs = v.whole(1, 1'000'000); }},
      {"x_max", [](Plan& o, const Value& v) { o.x_max = v.number(); }},
      {"y_max", [](Plan& o, const Value& v) { o.facts.output_max = v.number(); }},
      {"landmarks", [](Plan& o, const Value& v) { o.landmarks = v.whole(1, most_landmarks); }},
      {"value_bound", [](Plan& o, const Value& v) { o.value_bound = v.number(); }},
      {"dimension", [](Plan& o, const Value& v) { o.dimension = v.whole(1, 1'000'000'000); }},
      {"tune_box", [](Plan& o, const Value& v) { o.tune_box = v.range(); }},
      {"error", [](Plan& o, const Value& v) { o.error = v.number(); }},
      {"seed", [](Plan& o, const Value& v) { o.seed = v.whole(0, UINT64_MAX); }},
  });
}

}  // namespace

const Fields<cli::SimulateOptions>& simulate_fields() {
  static const Fields<Simulation> fields = [] {
    Fields<Simulation> all;
    add_model(all);
    add_network(all);
    add_protocol(all);
    add_rows(all);
    add_reading(all);
    add_pooled_part(all);
    add_tuning(all);
    add_protection(all);
    add_run(all);
    return all;
  }();
  return fields;
}

const Fields<cli::PlanCommand>& plan_fields() {
  static const Fields<Plan> fields = [] {
    Fields<Plan> all;
    add_model(all);
    add_network(all);
    add_protocol(all);
    add_values(all);
    return all;
  }();
  return fields;
}

}  // namespace tacit::python
