// In SQLite, each value has its own type, which may differ from the type of its column. SOCI knows only the
// types of columns. So SOCI opens the database, prepares the query and steps through the rows, but cells are
// read from SQLite's statement.
#include <fmt/format.h>
#include <soci/soci.h>
#include <soci/sqlite3/soci-sqlite3.h>

#include <algorithm>

#include "tacit/table/sql/sql_reading.hpp"

namespace tacit {
namespace {

using namespace sqlite_api;  // where SOCI puts SQLite's functions

constexpr std::size_t scheme = std::string_view("sqlite://").size();
constexpr int seconds_for_locks = 10;

void check_file(const std::filesystem::path& file, const std::string& name) {
  std::error_code unknown;
  const auto status = std::filesystem::status(file, unknown);
  if (file.empty())
    throw InputError(name + ": the path is missing; write sqlite:// and then the path of a database.");
  if (!std::filesystem::exists(status))
    throw InputError(fmt::format("{}: there is no file {}; check the path.", name, file.string()));
  if (!std::filesystem::is_regular_file(status))
    throw InputError(fmt::format("{}: {} is not a file; name a SQLite database.", name, file.string()));
  if (file.string().find('"') != std::string::npos)
    throw InputError(name + ": a path with double quotes cannot be opened; rename the file.");
}

class SqliteReader {
 public:
  SqliteReader(const std::string& connection, const ReadOptions& how) : name_(connection), how_(how) {}

  Table read(const TableOptions& columns) {
    session_.open(soci::sqlite3, parameters());
    connection_ = static_cast<soci::sqlite3_session_backend*>(session_.get_backend())->conn_;
    soci::statement statement(session_);
    sqlite3_stmt* rows =
        prepared(statement, how_.sql.empty() ? query_of_only_table(name_, tables(), how_) : how_.sql);
    TableBuilder builder(name_, "row", columns, how_);
    std::vector<std::string> names;
    const int width = sqlite3_column_count(rows);
    for (int c = 0; c < width; ++c) names.emplace_back(sqlite3_column_name(rows, c));
    set_names(builder, names);
    std::size_t row = 0;
    auto* steps = statement.get_backend();
    for (auto got = steps->execute(1); got == soci::details::statement_backend::ef_success;
         got = steps->fetch(1)) {
      builder.begin_row(++row);
      for (int c = 0; c < width; ++c)
        if (builder.reads(static_cast<std::size_t>(c))) take(builder, rows, c);
      builder.end_row();
    }
    return finished(builder, row);
  }

  /// Throws the error message for a fault that SQLite found.
  [[noreturn]] void fail(const soci::sqlite3_soci_error& error) const {
    switch (error.result()) {
      case SQLITE_NOTADB:
        throw InputError(name_ +
                         ": this is not a SQLite database; for a file of another format, omit sqlite://.");
      case SQLITE_CANTOPEN:
        throw InputError(
            name_ + ": SQLite cannot open the database; check that you may read the file and its folder.");
      case SQLITE_BUSY:
        throw Error(fmt::format(
            "{}: another program has kept the database locked for {} s; try again when it has finished.",
            name_, seconds_for_locks));
      case SQLITE_CORRUPT:
        throw InputError(name_ + ": the database is damaged; restore it from a backup.");
      default:
        break;
    }
    if (!connection_) throw InputError(fmt::format("{}: {}.", name_, one_line(error.what())));
    std::string problem = sqlite3_errmsg(connection_);
    if (const int offset = sqlite3_error_offset(connection_); offset >= 0) {  // in bytes of UTF-8
      const std::string before = how_.sql.substr(0, static_cast<std::size_t>(offset));
      const auto characters =
          std::count_if(before.begin(), before.end(), [](char c) { return (c & 0xC0) != 0x80; });
      problem += fmt::format(" (at character {})", characters + 1);
    }
    throw bad_query(name_, how_, problem);
  }

 private:
  std::string parameters() const {
    const std::string file = name_.substr(scheme);
    check_file(file, name_);
    return fmt::format("dbname=\"{}\" readonly=true timeout={}", file, seconds_for_locks);
  }

  std::vector<std::string> tables() {
    const soci::rowset<std::string> found =
        (session_.prepare
         << "SELECT printf('\"%w\"', name) FROM sqlite_master WHERE type IN ('table', 'view') "
            "AND name NOT GLOB 'sqlite_*' ORDER BY name");
    return {found.begin(), found.end()};
  }

  // SQLite stops reading at the end of the first statement and would ignore any others.
  sqlite3_stmt* prepared(soci::statement& statement, const std::string& query) {
    auto native = [](soci::statement& of) {
      return static_cast<soci::sqlite3_statement_backend*>(of.get_backend())->stmt_;
    };
    statement.alloc();
    statement.prepare(query);
    sqlite3_stmt* rows = native(statement);
    if (!rows || sqlite3_column_count(rows) == 0 || !sqlite3_stmt_readonly(rows))
      throw bad_query(name_, how_, "it must be a SELECT, which reads rows and changes nothing");
    soci::statement rest(session_);
    rest.alloc();
    rest.prepare(query.substr(std::string_view(sqlite3_sql(rows)).size()));
    if (native(rest)) throw bad_query(name_, how_, "it must be a single statement");
    return rows;
  }

  void take(TableBuilder& builder, sqlite3_stmt* rows, int c) const {
    const auto place = static_cast<std::size_t>(c);
    switch (sqlite3_column_type(rows, c)) {
      case SQLITE_NULL:
        return take_null(builder, place);
      case SQLITE_INTEGER:
        return take_number(builder, place, fmt::to_string(sqlite3_column_int64(rows, c)));
      case SQLITE_FLOAT:
        return builder.take(place, sqlite3_column_double(rows, c));
      case SQLITE_BLOB:
        throw bad_type(builder, place, "blob", "cast it, such as CAST(x AS TEXT)");
      default:
        break;
    }
    const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(rows, c));
    builder.take(place, std::string_view(text, static_cast<std::size_t>(sqlite3_column_bytes(rows, c))));
  }

  std::string name_;
  const ReadOptions& how_;
  soci::session session_;
  sqlite3* connection_ = nullptr;
};

}  // namespace

Table read_sqlite(const std::string& connection, const TableOptions& columns, const ReadOptions& how) {
  SqliteReader reader(connection, how);
  try {
    return reader.read(columns);
  } catch (const soci::sqlite3_soci_error& error) {
    reader.fail(error);
  }
}

}  // namespace tacit
