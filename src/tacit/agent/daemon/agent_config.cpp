#include "tacit/agent/daemon/agent_config.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>

#include "tacit/agent/control/local_http.hpp"
#include "tacit/agent/daemon/log.hpp"
#include "tacit/base/system/files.hpp"
#include "tacit/base/system/release.hpp"
#include "tacit/identity/card.hpp"
#include "tacit/identity/encoding.hpp"
#include "tacit/identity/toml_table.hpp"
#include "tacit/table/read_settings.hpp"
#include "tacit/table/sql/sql.hpp"

namespace tacit {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t longest_socket = 107;  // the limit of the system's socket addresses

// The names in the file, such as "predictions", and the kinds of requests.
constexpr std::pair<const char*, RequestKind> daily[] = {{"predictions", RequestKind::predict},
                                                         {"fits", RequestKind::fit},
                                                         {"evaluations", RequestKind::evaluate}};

// Names of agents, or "*" for all.
std::vector<std::string> agent_names(const TomlTable& table, const std::string& field) {
  std::vector<std::string> all = table.texts(field);
  for (const std::string& name : all)
    if (name != "*") check_name(name, table.where(field));
  return all;
}

PolicyRules read_policy(const TomlTable& table) {
  PolicyRules rules;
  rules.fewest = table.count("fewest_agents", 3, 1'000'000);
  rules.without = table.has("without") ? agent_names(table, "without") : std::vector<std::string>();
  rules.most_opened = table.maybe_number("most_opened").value_or(rules.most_opened);
  if (!(rules.most_opened >= 0)) throw table.wrong("most_opened", "this must be at least 0");
  rules.fewest_new_rows =
      table.maybe_count("fewest_new_rows", 1, 1'000'000'000).value_or(rules.fewest_new_rows);
  if (const auto a_day = table.maybe_table("a_day")) {
    for (const auto& [field, kind] : daily)
      if (const auto limit = a_day->maybe_count(field, 0, 1'000'000'000'000)) rules.a_day[kind] = *limit;
    a_day->done();
  }
  if (const auto may = table.maybe_table("may")) {
    for (const RequestKind kind : all_request_kinds) rules.may[kind] = agent_names(*may, to_string(kind));
    may->done();
  }
  table.done();
  return rules;
}

// The address of a server that only this machine can reach.
std::string read_local(const TomlTable& table, const char* what, int usual) {
  const std::string listen = table.text("listen");
  check_address(listen, table.where("listen"));
  if (!is_loopback(host_and_port(listen).first))
    throw table.wrong("listen",
                      fmt::format("{} available only on this machine; use 127.0.0.1, [::1] or localhost, "
                                  "such as 127.0.0.1:{}",
                                  what, usual));
  table.done();
  return listen;
}

fs::path path_of(const TomlTable& table, const char* key, const std::string& said, const fs::path& here) {
  if (said.empty()) throw table.wrong(key, "this must name a file or folder");
  return (here / said).lexically_normal();
}

fs::path path_in(const TomlTable& table, const char* key, const fs::path& here) {
  return path_of(table, key, table.text(key), here);
}

// Several files that form one table.
void read_files(const TomlTable& table, const fs::path& here, RowSource& rows) {
  if (table.has("file") || table.has("connection"))
    throw table.wrong("files", "rows come from one source; specify only one of file, files, connection");
  const std::vector<std::string> said = table.texts("files");
  if (said.empty()) throw table.wrong("files", "this must name at least one file");
  for (const std::string& one : said) rows.more.push_back(path_of(table, "files", one, here));
  rows.file = rows.more.front();
  rows.more.erase(rows.more.begin());
}

// A database. The path of an SQLite file is also relative to the folder of agent.toml.
fs::path connection_in(const TomlTable& table, const fs::path& here) {
  const std::string said = table.text("connection");
  if (table.has("file"))
    throw table.wrong("connection", "rows come from a file or from a database; specify only one of them");
  if (!is_database(said))
    throw table.wrong(
        "connection",
        "this must begin with postgresql:// or sqlite://; for an ordinary file, use the field file");
  constexpr std::string_view sqlite = "sqlite://";
  return said.starts_with(sqlite)
             ? std::string(sqlite) + (here / said.substr(sqlite.size())).lexically_normal().string()
             : said;
}

// The same settings as on the command line. Each is checked at once, so that the error can name its field.
ReadOptions read_how(const TomlTable& table) {
  ReadSettings said;
  const auto take = [&](const char* key, auto& into, auto read) {
    if (!table.has(key)) return;
    into = (table.*read)(key);
    try {
      said.checked(SettingsIn::agent_toml);
    } catch (const InputError& e) {
      throw table.wrong(key, e.what());
    }
  };
  const auto choose = [&](const char* key, auto& into, const auto& words) {
    if (!table.has(key)) return;
    try {
      into = value_of(std::string("[data] ") + key, table.text(key), words);
    } catch (const InputError& e) {
      throw table.wrong(key, e.what());
    }
  };
  choose("delimiter", said.delimiter, delimiter_words());
  choose("decimal", said.decimal_comma, decimal_words());
  choose("missing", said.missing, missing_row_words());
  choose("slash_dates", said.slash_dates, slash_date_words());
  take("missing_values", said.missing_values, &TomlTable::texts);
  take("variables", said.variables, &TomlTable::texts);
  return said.checked(SettingsIn::agent_toml);
}

// In TOML, all fields after a section's name belong to it, up to the next section.
void refuse_misplaced(const TomlTable& root) {
  if (!root.is_table("data")) return;
  const TomlTable table = root.table("data");
  for (const std::string& key : table.keys())
    if (key == "charter" || key == "identity" || key == "listen" || key == "state" || key == "control")
      throw table.wrong(
          key, "this field is below [data] and therefore part of that section; move it above [data]");
}

// data = "rows.csv", or a section [data] that also has settings for reading.
AgentData read_source(const TomlTable& root, const fs::path& here) {
  AgentData data;
  if (!root.is_table("data")) {
    data.rows.file = path_in(root, "data", here);
    if (root.has("holdout")) data.holdout = RowSource{path_in(root, "holdout", here)};
    return data;
  }
  const TomlTable table = root.table("data");
  if (root.has("holdout")) throw root.wrong("holdout", "move this field into the section [data]");
  if (table.has("files"))
    read_files(table, here, data.rows);
  else
    data.rows.file = table.has("connection") ? connection_in(table, here) : path_in(table, "file", here);
  data.rows.sql = table.maybe_text("sql").value_or("");
  data.rows.shares = table.maybe_count("shares", 1, 1'000'000).value_or(0);
  if (table.has("holdout")) data.holdout = RowSource{path_in(table, "holdout", here)};
  if (table.has("holdout_sql")) {
    if (data.holdout)
      throw table.wrong("holdout_sql", "rows are held out by a file or by a query; specify only one of them");
    data.holdout = RowSource{data.rows.file, table.text("holdout_sql")};
  }
  data.how = read_how(table);
  if (table.has("password_file")) data.how.password_file = path_in(table, "password_file", here);
  table.done();
  return data;
}

constexpr std::pair<char, long> units[] = {{'d', 86'400}, {'h', 3'600}, {'m', 60}, {'s', 1}};

// "7d"
std::chrono::seconds read_time(const TomlTable& table, const char* key) {
  const std::string text = table.text(key);
  long count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error == std::errc() && end + 1 == text.data() + text.size() && count > 0 && count <= 100'000)
    for (const auto& [unit, seconds] : units)
      if (*end == unit) return std::chrono::seconds(count * seconds);
  throw table.wrong(key, "this must be a duration such as \"7d\", \"12h\" or \"30m\"");
}

std::string list_of(const std::vector<std::string>& all) {
  std::string text;
  for (const std::string& one : all) text += (text.empty() ? "" : ", ") + in_quotes(one);
  return "[" + text + "]";
}

std::string data_lines(const AgentData& data) {
  const ReadOptions& how = data.how;
  const bool database = is_database(data.rows.file);
  std::string text = "# This agent's rows.\n[data]\n";
  if (data.rows.more.empty()) {
    text += fmt::format("{} = {}\n", database ? "connection" : "file", in_quotes(data.rows.file.string()));
  } else {
    std::vector<std::string> files{data.rows.file.string()};
    for (const fs::path& one : data.rows.more) files.push_back(one.string());
    text += fmt::format("files = {}\n", list_of(files));
  }
  if (!data.rows.sql.empty()) text += fmt::format("sql = {}\n", in_quotes(data.rows.sql));
  if (data.rows.shares > 0) text += fmt::format("shares = {}\n", data.rows.shares);
  if (!how.password_file.empty())
    text += fmt::format("password_file = {}\n", in_quotes(how.password_file.string()));
  if (data.holdout)
    text += fmt::format("{}   # rows that are not used in fits, for evaluate\n",
                        data.holdout->sql.empty() ? "holdout = " + in_quotes(data.holdout->file.string())
                                                  : "holdout_sql = " + in_quotes(data.holdout->sql));
  if (how.delimiter)
    text += fmt::format("delimiter = \"{}\"\n", *how.delimiter == ','   ? "comma"
                                                : *how.delimiter == ';' ? "semicolon"
                                                                        : "tab");
  if (how.decimal_comma) text += "decimal = \"comma\"\n";
  if (how.missing == Missing::drop) text += "missing = \"drop\"\n";
  if (how.slash_dates != SlashDates::refuse)
    text += fmt::format("slash_dates = \"{}\"\n",
                        how.slash_dates == SlashDates::day_first ? "day-first" : "month-first");
  std::vector<std::string> missing;
  for (const ColumnWords& one : how.missing_values)
    missing.push_back(fmt::format("{}:{}", one.column, fmt::join(one.words, "|")));
  if (!missing.empty()) text += fmt::format("missing_values = {}\n", list_of(missing));
  if (!how.variables.empty()) text += fmt::format("variables = {}\n", list_of(how.variables));
  return text;
}

}  // namespace

AgentConfig parse_agent_config(const fs::path& file, std::string_view text) {
  const TomlTable root = TomlTable::parse(file.string(), text);
  if (!root.has("agent"))
    throw InputError(file.string() + ": this is not an agent's configuration; see docs/consortium.md");
  check_format(file.string(), root.count("agent", 1, 1'000'000), 1);
  const fs::path here = fs::absolute(file).parent_path();
  const auto path = [&](const char* key) { return path_in(root, key, here); };
  AgentConfig config;
  refuse_misplaced(root);
  config.name = root.maybe_text("name");
  config.charter = path("charter");
  config.identity = path("identity");
  config.data = read_source(root, here);
  config.listen = root.text("listen");
  check_address(config.listen, root.where("listen"));
  config.state = path("state");
  config.control = root.has("control") ? path("control") : config.state / "control.sock";
  if (config.control.string().size() > longest_socket)
    throw root.wrong("control",
                     fmt::format("the socket's path {} is longer than the {} characters that the system "
                                 "allows; choose a shorter path",
                                 config.control.string(), longest_socket));
  if (const auto log = root.maybe_table("log")) {
    config.json_log = log->word("format", {"text", "json"}) == "json";
    config.log_level = parse_log_level(log->word("level", {"debug", "info", "warning", "error"}));
    log->done();
  }
  if (const auto policy = root.maybe_table("policy")) config.policy = read_policy(*policy);
  if (const auto refit = root.maybe_table("refit")) {
    config.refit_every = read_time(*refit, "every");
    refit->done();
  }
  if (const auto metrics = root.maybe_table("metrics"))
    config.metrics = read_local(*metrics, "metrics are", 9464);
  if (const auto page = root.maybe_table("page")) config.page = read_local(*page, "the page is", 8741);
  root.done();
  return config;
}

AgentConfig read_agent_config(const fs::path& said) {
  std::error_code ignored;
  const bool folder = fs::is_directory(said, ignored);
  const fs::path file = folder ? said / "agent.toml" : said;
  if (folder && !fs::exists(file, ignored))
    throw InputError(fmt::format(
        "{}: there is no agent.toml in this folder; specify an agent's configuration or its folder",
        said.string()));
  return parse_agent_config(file, read_whole(file, 1 << 20));
}

std::string to_toml(const AgentConfig& config) {
  std::string text = fmt::format(
      "# This agent's configuration. Paths are relative to this file's folder.\n"
      "agent = 1\n"
      "{}"
      "charter = {}\n"
      "identity = {}      # the folder of keys\n"
      "listen = {}\n"
      "state = {}         # the folder of model, journal and counts\n"
      "control = {}\n\n"
      "{}\n"
      "[log]\nformat = \"{}\"\nlevel = \"{}\"\n\n"
      "# What the owner allows.\n"
      "[policy]\n"
      "fewest_agents = {}   # an answer needs the data of at least this many agents; the minimum is 3\n"
      "without = {}       # members that a fit may exclude; \"*\" means any\n"
      "# Fits on the same rows may open at most this many times the numbers that the rows of all agents "
      "hold.\n"
      "# After that, no fit is possible until rows change.\n"
      "most_opened = {}\n"
      "# Two fits whose rows differ by a few reveal sums over these few. So tacit agent reload takes a new\n"
      "# snapshot only once this many rows were added or removed.\n"
      "fewest_new_rows = {}\n\n"
      "# The agents that may ask this agent to take part; \"*\" means every agent of the charter.\n"
      "[policy.may]\n",
      config.name ? fmt::format("name = {}      # of this agent, in the charter\n", in_quotes(*config.name))
                  : "",
      in_quotes(config.charter.string()), in_quotes(config.identity.string()), in_quotes(config.listen),
      in_quotes(config.state.string()), in_quotes(config.control.string()), data_lines(config.data),
      config.json_log ? "json" : "text", to_string(config.log_level), config.policy.fewest,
      list_of(config.policy.without), real(config.policy.most_opened), config.policy.fewest_new_rows);
  for (const RequestKind kind : all_request_kinds) {
    const auto may = config.policy.may.find(kind);
    text += fmt::format("{} = {}\n", to_string(kind),
                        may == config.policy.may.end() ? "[]" : list_of(may->second));
  }
  text +=
      "\n# Limits for each asker per day (UTC). A kind that is not listed has no limit.\n[policy.a_day]\n";
  for (const auto& [field, kind] : daily)
    if (const auto limit = config.policy.a_day.find(kind); limit != config.policy.a_day.end())
      text += fmt::format("{} = {}\n", field, limit->second);
  if (config.refit_every)
    text += fmt::format(
        "\n# This agent requests a fit automatically when the model reaches this age, if the charter allows "
        "it.\n"
        "[refit]\nevery = \"{}\"\n",
        to_text(*config.refit_every));
  text += config.metrics
              ? fmt::format("\n# Metrics for Prometheus, only on this machine.\n[metrics]\nlisten = {}\n",
                            in_quotes(*config.metrics))
              : "";
  if (config.page)
    text += fmt::format(
        "\n# A page for a browser on this machine; tacit page prints the link.\n[page]\nlisten = {}\n",
        in_quotes(*config.page));
  return text;
}

std::string to_text(std::chrono::seconds time) {
  for (const auto& [unit, seconds] : units)
    if (time.count() % seconds == 0) return fmt::format("{}{}", time.count() / seconds, unit);
  return "";
}

}  // namespace tacit
