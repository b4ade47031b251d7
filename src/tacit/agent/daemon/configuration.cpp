#include "tacit/agent/daemon/configuration.hpp"

#include <fmt/format.h>

#include "tacit/agent/daemon/key_owner.hpp"
#include "tacit/agent/rows/snapshot.hpp"
#include "tacit/base/error.hpp"
#include "tacit/base/system/files.hpp"
#include "tacit/base/system/release.hpp"
#include "tacit/charter/amend.hpp"
#include "tacit/identity/encoding.hpp"
#include "tacit/link/runs/journal.hpp"

namespace tacit {
namespace {

namespace fs = std::filesystem;

// The last charter that this agent served.
fs::path served_file(const fs::path& state) { return state / "charter.toml"; }
// The charter before that one.
fs::path before_file(const fs::path& state) { return state / "charter-before.toml"; }

std::string named(const Charter& charter) {
  return fmt::format("charter number {}, {}", charter.number, hex(charter_hash(charter)).substr(0, 16));
}

void report_changes(const Charter& before, const Charter& after, std::vector<std::string>& words) {
  words.push_back(fmt::format("{} replaces {}{}", named(after), named(before),
                              follows(after, before) ? "" : ", which is not its direct predecessor"));
  for (const std::string& one : changes_in_words(before, after)) words.push_back("charter: " + one);
}

// Replaces the source's rows in the report by those of the snapshot, which fits use.
void take_snapshot(Configuration& configuration, RowHome& home) {
  WorkMaterial& material = configuration.material;
  Snapshot snapshot = settle_rows(material.state, material.charter, material.data, material.holdout,
                                  configuration.config.policy.fewest_new_rows, home);
  material.data = std::move(snapshot.rows);
  material.holdout = std::move(snapshot.holdout);
  material.taken_at = snapshot.taken_at;
  configuration.waiting = snapshot.waiting.why;
  if (!snapshot.holdout_waiting.why.empty())
    configuration.waiting += fmt::format("{}held-out rows: {}", configuration.waiting.empty() ? "" : "; ",
                                         snapshot.holdout_waiting.why);
  configuration.rows_replaced = snapshot.replaced;
  configuration.words = std::move(snapshot.words);
  if (configuration.config.refit_every && !material.charter.protocol.refits)
    configuration.words.emplace_back(
        "[refit] is set, but the charter does not allow automatic fits (protocol.agents_may_refit); no fit "
        "is requested");
}

Configuration configured(AgentConfig config, Preflight report) {
  return {
      std::move(config), std::move(report.keys.value()), std::move(report.material.value()), false, {}, {}};
}

// `before` is the charter in served_file().
void store_charter(const Configuration& configuration, const std::optional<Charter>& before) {
  const fs::path state = configuration.material.state, served = served_file(state);
  const Charter& charter = configuration.material.charter;
  const std::string text = to_toml(charter);
  record_member(state, configuration.keys.card.name);
  if (before) {
    const std::string stored = read_whole(served);
    if (stored == text) return;
    if (charter_hash(*before) != charter_hash(charter)) write_whole(before_file(state), stored, 0600);
  }
  write_whole(served, text, 0600);
}

// The state folder has served a later charter, or another one with the same number.
class OtherCharter : public InputError {
 public:
  using InputError::InputError;
};

// Without a valid snapshot or journal, or without a record of its charter, an agent must not take part in
// runs. It can still answer at home, from its model and the rows of its source. Errors of the system count as
// well, such as a folder that cannot be read.
template <class Work>
void or_stay_home(Configuration& configuration, Work&& work) {
  if (!configuration.material.only_home.empty()) return;
  try {
    work();
  } catch (const NewerFormat&) {
    throw;
  } catch (const OtherCharter&) {
    throw;
  } catch (const std::exception& e) {
    configuration.material.only_home = e.what();
  }
}

// The charter that this state folder has served; nullopt if there is none. Usually it is `known`.
std::optional<Charter> served_charter(const fs::path& state, const Charter& known) {
  const fs::path file = served_file(state);
  if (!fs::exists(file)) return std::nullopt;
  try {
    return read_charter(file, known);
  } catch (const NewerFormat&) {
    throw;
  } catch (const Error& e) {
    throw InputError(fmt::format(
        "{} is the copy of the charter that this agent has served, and it is damaged ({}); restore it from a "
        "backup, or remove it",
        file.string(), e.what()));
  }
}

// Throws OtherCharter. Returns what has changed since the charter that was served.
std::vector<std::string> compare_with_served(const AgentConfig& config, const Charter& charter,
                                             const Charter& before) {
  std::vector<std::string> words;
  if (charter.number < before.number)
    throw OtherCharter(fmt::format(
        "{}: this is charter number {}, but this agent has already served number {}. Restore "
        "that charter, or remove {} to go back on purpose",
        config.charter.string(), charter.number, before.number, served_file(config.state).string()));
  const bool other = charter_hash(charter) != charter_hash(before);
  if (other && charter.number == before.number)
    throw OtherCharter(fmt::format(
        "{}: {} is not {}, which this agent has served. Restore that charter, or create a successor with "
        "tacit charter amend. Use another state folder for another consortium",
        config.charter.string(), named(charter), named(before)));
  if (other) report_changes(before, charter, words);
  return words;
}

void check_journal(const Configuration& configuration) {
  (void)read_journal(journal_folder(configuration.material.state, configuration.material.charter));
}

bool same_keys(const AgentKeys& a, const AgentKeys& b) {
  return a.card.identity == b.card.identity && a.card.certificate == b.card.certificate;
}

}  // namespace

Configuration load_configuration(AgentConfig config, Preflight report, RowHome& home) {
  Configuration configuration = configured(std::move(config), std::move(report));
  const Charter& charter = configuration.material.charter;
  std::optional<Charter> before;
  std::vector<std::string> words;
  or_stay_home(configuration, [&] {
    before = served_charter(configuration.config.state, charter);
    if (before) words = compare_with_served(configuration.config, charter, *before);
  });
  or_stay_home(configuration, [&] {
    take_snapshot(configuration, home);
    store_charter(configuration, before);
  });
  or_stay_home(configuration, [&] { check_journal(configuration); });
  configuration.words.insert(configuration.words.begin(), words.begin(), words.end());
  return configuration;
}

ReloadedConfiguration reload_configuration(const Configuration& now, AgentConfig config, Preflight report,
                                           RowHome& home) {
  const Charter &before = now.material.charter, &charter = report.material.value().charter;
  if (config.state != now.config.state || config.control != now.config.control)
    throw InputError("state and control cannot change while the agent runs; restart the agent");
  const bool other_charter = charter_hash(charter) != charter_hash(before);
  if (charter.number < before.number)
    throw InputError(fmt::format(
        "{}: this is charter number {}, but this agent already serves number {}; restore that charter",
        config.charter.string(), charter.number, before.number));
  if (other_charter && charter.number <= before.number)
    throw InputError(
        fmt::format("{}: {} is not a successor of {}, which this agent serves. Create a successor with tacit "
                    "charter amend. Use another state folder for another consortium",
                    config.charter.string(), named(charter), named(before)));
  std::vector<std::string> words;
  if (other_charter) report_changes(before, charter, words);
  const bool other_settings = to_toml(config) != to_toml(now.config);
  if (other_settings) words.emplace_back("agent.toml has changed");
  if (!same_keys(*report.keys, now.keys)) words.emplace_back("the keys have changed");
  const bool only_home = !now.material.only_home.empty();
  if (only_home) {
    (void)compare_with_served(config, charter);  // this was not possible before
    words.emplace_back("the state folder can be used again");
  }
  const bool other = !words.empty();
  Configuration next = configured(std::move(config), std::move(report));
  if (only_home) check_journal(next);
  take_snapshot(next, home);
  words.insert(words.end(), next.words.begin(), next.words.end());
  next.words = words;
  ReloadedConfiguration again{std::nullopt, words, next.waiting};
  if (!other && !next.rows_replaced) return again;
  store_charter(next, served_charter(next.material.state, before));
  again.next = std::move(next);
  return again;
}

std::optional<Charter> previous_charter(const fs::path& state) {
  const fs::path file = before_file(state);
  if (!fs::exists(file)) return std::nullopt;
  return read_charter(file);
}

fs::path journal_folder(const fs::path& state, const Charter& charter) {
  const fs::path folder = state / "journal";
  return charter.previous ? folder / hex(charter_hash(charter)).substr(0, 16) : folder;
}

}  // namespace tacit
