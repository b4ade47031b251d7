// tacit reproduce: runs the paper's evaluation on this machine and compares with the published numbers.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <functional>

#include "tacit/base/error.hpp"
#include "tacit/base/system/files.hpp"
#include "tacit/base/system/release.hpp"
#include "tacit/cli/lab/lab_commands.hpp"
#include "tacit/cli/lab/tuning_words.hpp"
#include "tacit/cli/options/console.hpp"
#include "tacit/cli/options/setting_words.hpp"
#include "tacit/cli/options/values.hpp"
#include "tacit/cli/text/about.hpp"
#include "tacit/lab/paper/evaluation/document.hpp"
#include "tacit/lab/paper/evaluation/figures.hpp"

namespace tacit::cli {
namespace {

struct Part {
  const char* name;
  const char* help;
  std::function<Document(const std::vector<DataSet>&, const ReproduceSettings&)> run;
};

const std::vector<Part>& parts() {
  static const std::vector<Part> all{
      {"tuning", "The tuning figure: hyperparameters of twenty agents over 30 steps",
       [](const auto& data, const auto& s) { return tuning_document(reproduce_tuning(data, s), s); }},
      {"accuracy", "The accuracy figure: RMSE against T for three L_z",
       [](const auto& data, const auto& s) { return accuracy_document(reproduce_accuracy(data, s), s); }},
      {"table",
       "The table: error, seconds and traffic on six networks, for our methods and rivals (--rivals)",
       [](const auto& data, const auto& s) { return table_document(reproduce_table(data, s), s); }},
      {"causes", "Experiments on the causes of differences from the published numbers",
       [](const auto& data, const auto& s) { return causes_document(reproduce_causes(data, s), s); }},
  };
  return all;
}

std::vector<const Part*> chosen_parts(const std::string& name) {
  std::vector<const Part*> chosen;
  std::vector<std::string> names;
  for (const Part& part : parts()) {
    if (name == part.name || name == "all") chosen.push_back(&part);
    names.emplace_back(part.name);
  }
  if (chosen.empty())
    throw InputError(
        fmt::format("{}; parts are {} and all",
                    name.empty() ? "name a part to reproduce" : fmt::format("there is no part '{}'", name),
                    fmt::join(names, ", ")));
  return chosen;
}

struct Rivals {
  bool shares = true, ckks = true;
  bool operator==(const Rivals&) const = default;
};

struct ReproduceOptions {
  std::vector<const Part*> chosen;
  std::string data_dir = ".", out;
  Rivals rivals;
  ReproduceSettings settings;
  ResultOptions result;
};

void add_options(CLI::App& command, ReproduceOptions& o) {
  add_parsed(command, "part", o.chosen, chosen_parts, "tuning, accuracy, table, causes or all")
      ->type_name("PART");
  command.add_option("--out", o.out,
                     "Folder for CSV, JSON, report.md and SVG figures; created if it does not exist");
  command.add_option("--data-dir", o.data_dir, "Folder with sarcos.csv or sarcos_inv.mat")
      ->capture_default_str();
  command
      .add_option("--repeats", o.settings.repeats,
                  "Number of draws of the data for each row of the table. Rivals, exact sums and other "
                  "models use a quarter of this number, further options a twentieth (at least one)")
      ->check(whole_number(1, 100'000))
      ->capture_default_str();
  command.add_option("--noise", o.settings.noise,
                     "Noise σ_ε, which the paper does not state. Default: 1 for SARCOS, 6 for Diabetes");
  add_choice(command, "--tune-gradient", o.settings.gradient, gradient_words(),
             "Gradient for tuning: per-row (∇h_i/N_i) or likelihood (∇h_i, as in the paper)");
  add_choice(command, "--variance", o.settings.noise_in_variance,
             Choices<bool>{{"latent", false}, {"observed", true}},
             "V_i of Protocol 2: latent (as in the paper) or observed (with σ_ε² added)");
  add_choice(command, "--rivals", o.rivals,
             Choices<Rivals>{{"both", {true, true}},
                             {"shares", {true, false}},
                             {"ckks", {false, true}},
                             {"none", {false, false}}},
             "Rivals to measure for the table: both, shares (two servers), ckks (multi-key encryption) "
             "or none. none also omits other libraries and growth");
  command.add_option("--seed", o.settings.seed, "Seed of the data draws, the starts and the simulated masks")
      ->check(whole_number(0, UINT64_MAX / 2))
      ->capture_default_str();
  command
      .add_option("--threads", o.settings.threads,
                  "Number of threads, 0 for all cores. Only times depend on it")
      ->capture_default_str();
  o.result.add_to(command);
}

void take_in(ReproduceOptions& o) {
  if (o.chosen.empty()) chosen_parts("");  // throws with the names of the parts
  o.settings.shares = o.rivals.shares;
  o.settings.ckks = o.rivals.ckks;
  if (o.settings.noise && !(*o.settings.noise >= 1e-3 && *o.settings.noise <= 1e3))
    throw InputError(fmt::format("--noise {:g} is not between 0.001 and 1000", *o.settings.noise));
  if (!std::filesystem::is_directory(o.data_dir))
    throw InputError(fmt::format("--data-dir {} is not a folder", o.data_dir));
}

// Runs before the long work, so that an unusable folder is reported at once.
void prepare_folder(const std::string& out) {
  std::error_code error;
  std::filesystem::create_directories(out, error);
  if (!std::filesystem::is_directory(out) || access(out.c_str(), W_OK) != 0)
    throw InputError(
        fmt::format("--out {} is not a writable folder{}", out, error ? ": " + error.message() : ""));
}

std::string report_text(const std::vector<Document>& documents, const std::string& note, bool figures) {
  std::string text = "# Reproduction of the paper's evaluation\n\nGenerated by `tacit reproduce`, version " +
                     release() +
                     ". docs/reproduction.md explains what agrees with the paper, what differs, and why.\n";
  if (!note.empty()) text += "\n" + in_options(note) + "\n";
  for (const Document& document : documents) {
    text += "\n" + in_options(document.text);
    if (figures && document.name != "causes") text += fmt::format("\n![{0}]({0}.svg)\n", document.name);
    for (const auto& [name, content] : document.also)
      if (figures && name == "growth.csv") text += "\n![growth](growth.svg)\n";
    text += fmt::format("\nData: [{0}.csv]({0}.csv), [{0}.json]({0}.json)\n", document.name);
  }
  return text;
}

void run(ReproduceOptions& o, Console& console) {
  take_in(o);
  o.result.check();
  std::vector<DataSet> data;
  std::string note;
  if (auto sarcos = find_sarcos(o.data_dir))
    data.push_back(std::move(*sarcos));
  else
    console.note(note = how_to_get_sarcos(o.data_dir));
  data.push_back(diabetes());
  const std::filesystem::path folder = o.out;
  if (!o.out.empty()) prepare_folder(o.out);

  std::vector<Document> documents;
  Json all;
  for (const Part* part : o.chosen) {
    Progress progress;
    o.settings.progress = &progress;
    {
      const Held bar = console.watch(progress);
      documents.push_back(part->run(data, o.settings));
    }
    const Document& document = documents.back();
    if (!o.out.empty()) {  // after each part, so that finished parts survive Ctrl-C
      write_whole(folder / (document.name + ".csv"), document.csv);
      write_whole(folder / (document.name + ".json"), document.json.dump(1) + "\n");
      for (const auto& [name, content] : document.also) write_whole(folder / name, content);
    }
    all[document.name] = document.json;
    if (!o.result.json) {
      fmt::print("{}\n", in_options(document.text));
      std::fflush(stdout);
    }
  }
  const auto json = [&] {
    all["about"] = about("reproduce", console, o.settings.seed);
    return all;
  };
  o.result.give(console, json, [] {});  // parts are printed as they are done
  if (o.out.empty()) return;
  const std::string missing = draw_figures(folder);
  write_whole(folder / "report.md", report_text(documents, note, missing.empty()));
  if (!missing.empty()) console.note(missing);
  console.note(fmt::format("Wrote {}", (folder / "report.md").string()));
}

}  // namespace

void add_reproduce(CLI::App& program, Console& console) {
  CLI::App* command = program.add_subcommand(
      "reproduce", "Run the paper's evaluation and compare with the published numbers");
  auto options = std::make_shared<ReproduceOptions>();
  add_options(*command, *options);
  std::string footer = "Parts:\n";
  for (const Part& part : parts()) footer += fmt::format("  {:<10} {}\n", part.name, part.help);
  footer +=
      "  all        All of these\n\n"
      "Examples:\n"
      "  tacit reproduce all --data-dir ~/sarcos --out results\n"
      "  tacit reproduce table --data-dir ~/sarcos --repeats 5\n"
      "  tacit reproduce table --rivals none\n"
      "  tacit reproduce tuning --noise 10";
  command->footer(footer);
  command->callback([options, &console] { run(*options, console); });
}

}  // namespace tacit::cli
