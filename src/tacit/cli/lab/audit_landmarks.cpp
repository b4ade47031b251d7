#include "tacit/cli/lab/audit_landmarks.hpp"

#include <fmt/format.h>

#include "tacit/base/system/parallel.hpp"
#include "tacit/cli/lab/plan_words.hpp"
#include "tacit/cli/options/console.hpp"
#include "tacit/cli/options/setting_words.hpp"
#include "tacit/cli/options/values.hpp"
#include "tacit/cli/text/about.hpp"
#include "tacit/consortium/pool/draw_landmarks.hpp"
#include "tacit/gp/expert/blas_threads.hpp"
#include "tacit/lab/audit/landmark_audit.hpp"

namespace tacit::cli {
namespace {

Json nearness_json(const Nearness& near) {
  return {
      {"rows", number(near.found)}, {"inputs", number(near.inputs_found)}, {"median", number(near.median)}};
}

Json json_of(const LandmarkAudit& report, double unit) {
  Json out{{"agents", report.shape.agents},
           {"rows", report.shape.rows},
           {"inputs", report.shape.inputs},
           {"outputs", report.outputs},
           {"landmarks", report.shape.landmarks},
           {"opened", report.opened()},
           {"held", report.held()},
           {"share", number(report.share())},
           {"share_alone", number(report.share_alone())},
           {"share_targets", number(report.share_targets())},
           {"ceiling", report.ceiling},
           {"ceiling_alone", report.ceiling_alone},
           {"attack", nullptr}};
  if (const auto& trial = report.trial)
    out["attack"] = {{"unit", unit},
                     {"misfit", number(trial->misfit)},
                     {"found", nearness_json(trial->fitted)},
                     {"chance", nearness_json(trial->chance)},
                     {"within_reach", number(trial->within_reach())},
                     {"least_left", number(trial->least_left)}};
  out["findings"] = findings_in_words(report);
  out["advice"] = advice_in_words(report);
  return out;
}

void print_text(const LandmarkAudit& report) {
  const std::size_t m = report.shape.landmarks;
  fmt::print("Who       {} with {} of {} and {}; {}\n", plural(report.shape.agents, "agent"),
             plural(report.shape.rows, "row"), plural(report.shape.inputs, "input"),
             plural(report.outputs, "output"), plural(m, "landmark"));
  fmt::print("Opened    {}: {} of A, {} of a\n", plural(report.opened(), "number"), count(m * (m + 1) / 2),
             count(m * report.outputs));
  fmt::print("Held      {} in all rows\n", plural(report.held(), "number"));
  const char* heading = "Found";
  for (const std::string& sentence : in_options(findings_in_words(report))) {
    fmt::print("{:<9} {}\n", heading, sentence);
    heading = "";
  }
  heading = "Advice";
  for (const std::string& sentence : in_options(advice_in_words(report))) {
    fmt::print("{:<9} {}\n", heading, sentence);
    heading = "";
  }
}

}  // namespace

void LandmarkOptions::add_to(CLI::App& command, std::initializer_list<const char*> not_with) {
  const char* group = "Landmarks";
  auto* m =
      command
          .add_option("--landmarks", landmarks,
                      "Instead of a network: audit what the sum over this many landmarks opens about rows")
          ->check(whole_number(1, 1'000'000))
          ->group(group);
  auto* n = command.add_option("--rows", rows, "Number of rows of all agents together")
                ->check(whole_number(1, 1'000'000'000))
                ->needs(m)
                ->group(group);
  auto* d = command.add_option("--inputs", inputs, "Number of inputs of a row")
                ->check(whole_number(1, 1'000'000))
                ->needs(m)
                ->group(group);
  command.add_option("--outputs", outputs, "Number of targets of a row")
      ->check(whole_number(1, 1'000'000))
      ->needs(m)
      ->capture_default_str()
      ->group(group);
  m->needs(n)->needs(d);
  for (const char* other : not_with) m->excludes(command.get_option(other));
}

void run_landmarks(const LandmarkOptions& options, std::size_t agents, std::uint64_t seed,
                   const ResultOptions& result, Console& console) {
  const BlasThreads one(1);  // matrices are small, and the starts run in parallel
  LandmarkAttackSettings settings;
  settings.starts = 4;
  settings.hops = 20;
  settings.seed = seed;
  settings.threads = default_threads();
  LandmarkAudit asked;
  asked.shape = {
      .rows = *options.rows, .inputs = *options.inputs, .landmarks = *options.landmarks, .agents = agents};
  asked.outputs = options.outputs;
  asked.ceiling = landmark_ceiling(*options.rows, *options.inputs);
  asked.ceiling_alone = landmark_ceiling(*options.rows / agents, *options.inputs);
  const LandmarkAudit report = audit_landmarks(asked, settings);
  const auto json = [&] {
    Json all{{"about", about("audit", console, seed)}};
    all.update(json_of(report, settings.unit));
    return all;
  };
  result.give(console, json, [&] { print_text(report); });
}

}  // namespace tacit::cli
