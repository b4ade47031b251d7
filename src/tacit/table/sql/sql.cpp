#include "tacit/table/sql/sql.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "tacit/base/sanitised_text.hpp"
#include "tacit/table/cells/cell.hpp"
#include "tacit/table/sql/sql_reading.hpp"

namespace tacit {
namespace {

constexpr std::string_view sqlite_scheme = "sqlite://";

}  // namespace

bool is_database(const std::filesystem::path& source) {
  const std::string text = source.string();
  return text.starts_with(sqlite_scheme) || text.starts_with("postgresql://") ||
         text.starts_with("postgres://");
}

bool is_sqlite(std::string_view first_bytes) { return first_bytes.starts_with("SQLite format 3"); }

std::string database_name(const std::string& connection) {
  if (connection.starts_with(sqlite_scheme)) return connection;
  // postgresql://user:password@host/database?option=value: omits password and options, even if the text is
  // malformed and a password may be anywhere.
  const std::size_t question = std::min(connection.find('?'), connection.size());
  const std::size_t colon = connection.find(':', connection.find("://") + 3);
  if (connection.find('@', question) != connection.npos)
    return connection.substr(0, std::min(colon, question));
  const std::string before = connection.substr(0, question);
  const std::size_t at = before.rfind('@');
  return at == before.npos || colon > at ? before : before.substr(0, colon) + before.substr(at);
}

Table read_sql(const std::string& connection, const TableOptions& columns, const ReadOptions& how) {
  return connection.starts_with(sqlite_scheme) ? read_sqlite(connection, columns, how)
                                               : read_postgresql(connection, columns, how);
}

std::string query_setting(const ReadOptions& how) {
  switch (how.settings) {
    case SettingsIn::options:
      return "`sql`";
    case SettingsIn::agent_toml:
      return "sql under [data] in agent.toml";
    case SettingsIn::nowhere:
      break;
  }
  return "the query";
}

std::string password_setting(const ReadOptions& how) {
  const std::string_view environment = "the environment variable TACIT_SQL_PASSWORD";
  switch (how.settings) {
    case SettingsIn::options:
      return fmt::format("{} or into a file for `password_file`", environment);
    case SettingsIn::agent_toml:
      return fmt::format("{} or into a file that password_file under [data] in agent.toml names",
                         environment);
    case SettingsIn::nowhere:
      break;
  }
  return std::string(environment);
}

std::string query_of_only_table(const std::string& name, const std::vector<std::string>& tables,
                                const ReadOptions& how) {
  if (tables.empty())
    throw InputError(
        fmt::format("{}: there is no table in this database; check that it is the right one.", name));
  if (tables.size() > 1)
    throw InputError(fmt::format(
        "{}: there are several tables ({}); choose what to read with {}, such as SELECT * FROM {}.", name,
        fmt::join(tables, ", "), query_setting(how), tables[0]));
  return "SELECT * FROM " + tables[0];
}

void set_names(TableBuilder& builder, const std::vector<std::string>& names) {
  ColumnNames all;
  for (const std::string& name : names) {
    if (all.has(name))
      throw InputError(
          fmt::format("{}: two columns of the query result are called {}; rename one of them with AS.",
                      builder.name(), shown(name)));
    all.add(name, names.size(), builder.name());
  }
  builder.set_names(std::move(all));
}

void take_number(TableBuilder& builder, std::size_t place, std::string_view number) {
  // Taken as a number whatever the decimal mark in texts is. Taken as text if a double would not keep all its
  // digits, because the number may be an identifier.
  constexpr double all_whole_below = 9007199254740992;  // 2^53
  const auto value = parse_number(number);
  if (value && std::abs(*value) < all_whole_below)
    builder.take(place, *value);
  else
    builder.take(place, number);
}

void take_null(TableBuilder& builder, std::size_t place) { builder.take(place, "NULL"); }

Table finished(TableBuilder& builder, std::size_t given) {
  if (given == 0)
    throw InputError(fmt::format("{}: the query returns no rows; check its conditions.", builder.name()));
  return builder.finish();
}

std::string one_line(std::string_view message) {
  std::string line;
  while (!message.empty()) {
    const std::size_t end = std::min(message.find('\n'), message.size());
    std::string_view part = message.substr(0, end);
    message.remove_prefix(std::min(end + 1, message.size()));
    const bool remark = part.starts_with('\t');  // such as libpq's "Is the server running?"
    part = trimmed(part);
    while (part.ends_with('.')) part.remove_suffix(1);
    if (!remark && !part.empty()) line += fmt::format("{}{}", line.empty() ? "" : ", ", part);
  }
  for (std::size_t at = 0; (at = line.find("  ", at)) != line.npos;) line.erase(at, 1);
  return sanitised_text(line, 400);
}

InputError bad_query(const std::string& name, const ReadOptions& how, std::string_view problem) {
  return InputError(fmt::format("{}: the query cannot be run: {}; correct {} (a single SELECT).", name,
                                one_line(problem), query_setting(how)));
}

InputError bad_type(const TableBuilder& builder, std::size_t place, std::string_view type,
                    std::string_view cure) {
  return InputError(fmt::format(
      "{}, column {}: values of type {} cannot be read; leave the column out of the query, or {}.",
      builder.name(), shown(builder.names().all()[place]), type, cure));
}

}  // namespace tacit
