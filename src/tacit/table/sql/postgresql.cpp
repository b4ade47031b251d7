// Reads PostgreSQL rows through a cursor, one block at a time: without a cursor, libpq would first load all
// of them. The cursor is declared through libpq, because SOCI takes colons in a query for parameter names. A
// server declares a cursor only for a single statement that reads.
#include <fmt/format.h>
#include <libpq-fe.h>
#include <soci/postgresql/soci-postgresql.h>
#include <soci/soci.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <optional>

#include "tacit/secrecy/wiped.hpp"
#include "tacit/table/sql/postgresql_connection.hpp"
#include "tacit/table/sql/sql.hpp"
#include "tacit/table/sql/sql_reading.hpp"
#include "tacit/table/sql/watchdog.hpp"

namespace tacit {
namespace {

constexpr std::string_view statement_time = "10min";  // unless the connection sets another
constexpr int rows_in_a_block = 5000;
constexpr std::chrono::seconds least_grace(2);  // added to the server's own limit for a statement

using Result = std::unique_ptr<PGresult, decltype(&PQclear)>;

// Removes the word ERROR or FATAL, in any language, from a server's message.
std::string_view without_severity(std::string_view message) {
  const std::size_t colon = message.find(":  ");
  return colon < message.find(' ') ? message.substr(colon + 3) : message;
}

enum class Kind { number, boolean, text };

class PostgresqlReader {
 public:
  PostgresqlReader(const std::string& connection, const ReadOptions& how)
      : name_(database_name(connection)), how_(how) {
    open(postgresql_parameters(connection, name_, how));
  }

  Table read(const TableOptions& columns) {
    try {
      begin();
      return read_all(columns);
    } catch (const Error&) {
      if (watchdog_->expired()) throw silent();
      throw;
    } catch (const soci::soci_error&) {
      if (watchdog_->expired()) throw silent();
      throw;
    }
  }

 private:
  void begin() {
    for (const std::string& setting :
         {std::string("BEGIN READ ONLY"), std::string("SET LOCAL datestyle = 'ISO, YMD'"),
          std::string("SET LOCAL cursor_tuple_fraction = 1"),  // all rows will be fetched
          fmt::format("SELECT set_config('statement_timeout', '{}', true) WHERE "
                      "current_setting('statement_timeout') = '0'",
                      statement_time)})
      session_ << setting;
    // A working server ends a statement at its own limit.
    long long server_limit = 0;
    session_ << "SELECT setting::bigint FROM pg_settings WHERE name = 'statement_timeout'",
        soci::into(server_limit);
    watchdog_->set_limit(with_grace(std::chrono::milliseconds(server_limit)));
  }

  static std::chrono::milliseconds with_grace(std::chrono::milliseconds limit) {
    return limit + std::max<std::chrono::milliseconds>(least_grace, limit / 10);
  }

  Error silent() const {
    return Error(
        fmt::format("{}: the database accepted the query but did not answer within {} s (its "
                    "statement_timeout plus 10 %, "
                    "at least {} s more); it hangs or was stopped; check the server, then try again.",
                    name_, static_cast<double>(watchdog_->limit().count()) / 1000, least_grace.count()));
  }

  Table read_all(const TableOptions& columns) {
    declare(how_.sql.empty() ? query_of_only_table(name_, tables(), how_) : how_.sql);
    TableBuilder builder(name_, "row", columns, how_);
    const std::vector<Kind> kinds = describe(builder);

    soci::statement block(session_);
    std::vector<std::string> cells(kinds.size());
    std::vector<soci::indicator> states(kinds.size());
    for (std::size_t c = 0; c < kinds.size(); ++c) block.exchange(soci::into(cells[c], states[c]));
    block.alloc();
    block.prepare(fmt::format("FETCH {} FROM tacit_rows", rows_in_a_block));
    block.define_and_bind();
    std::size_t row = 0;
    auto next = [&](bool first) {
      if (first) watchdog_->restart();
      try {
        return first ? block.execute(true) : block.fetch();
      } catch (const soci::postgresql_soci_error& error) {
        fail(error.sqlstate(), PQerrorMessage(connection_));
      }
    };
    while (next(true)) {
      do {
        builder.begin_row(++row);
        for (std::size_t c = 0; c < cells.size(); ++c)
          if (builder.reads(c)) take(builder, c, kinds[c], states[c], cells[c]);
        builder.end_row();
      } while (next(false));
    }
    return finished(builder, row);
  }

  void open(std::string text) {
    try {
      session_.open(soci::postgresql, text);
    } catch (const soci::soci_error& error) {
      sodium_memzero(text.data(), text.size());
      no_connection(error.get_error_message());
    }
    sodium_memzero(text.data(), text.size());
    connection_ = static_cast<soci::postgresql_session_backend*>(session_.get_backend())->conn_;
    PQsetErrorVerbosity(connection_, PQERRORS_TERSE);
    watchdog_.emplace(PQsocket(connection_), with_grace(std::chrono::minutes(1)));
  }

  // If the server refuses, the user must correct something (InputError). If it does not answer, it may do so
  // later (Error).
  [[noreturn]] void no_connection(std::string_view message) const {
    const std::size_t line = message.find('\n');  // SOCI's text, then libpq's
    const std::string reason = one_line(line == message.npos ? message : message.substr(line + 1));
    auto mentions = [&](std::string_view part) { return reason.find(part) != reason.npos; };
    const std::string what = fmt::format("{}: no connection to the database: {}; ", name_, reason);
    if (mentions("password"))
      throw InputError(what + "check the user, and put the correct password into " + password_setting(how_) +
                       ".");
    if (mentions("FATAL") && !mentions("the database system is"))  // starting up or shutting down
      throw InputError(what + "check the user and the database in the connection.");
    if (mentions("SSL") || mentions("sslmode") || mentions("certificate"))
      throw InputError(what +
                       "check sslmode and sslrootcert in the connection, and that the server supports TLS.");
    if (mentions("timeout expired"))
      throw Error(what +
                  "check host and port; to wait for a minute, add connect_timeout=60 to the connection.");
    throw Error(what + "check host and port, and that the server is running.");
  }

  [[noreturn]] void fail(const std::string& sqlstate, std::string_view message) const {
    if (sqlstate == "57014")  // canceled
      throw InputError(
          fmt::format("{}: the server cancelled the query: {}; read less, or allow more time with "
                      "options=-c%20statement_timeout%3D1h in the connection.",
                      name_, one_line(without_severity(message))));
    if (sqlstate.starts_with("08"))
      throw Error(fmt::format("{}: the connection to the database was lost: {}; try again.", name_,
                              one_line(message)));
    throw bad_query(name_, how_, without_severity(message));
  }

  std::vector<std::string> tables() {
    const soci::rowset<std::string> found =
        (session_.prepare
         << "SELECT oid::regclass::text FROM pg_class WHERE relkind IN ('r', 'v', 'm', 'f', 'p') AND NOT "
            "relispartition AND has_table_privilege(oid, 'SELECT') AND relnamespace NOT IN (SELECT oid FROM "
            "pg_namespace WHERE nspname LIKE "
            "'pg\\_%' OR nspname = 'information_schema') ORDER BY 1 LIMIT 31");
    return {found.begin(), found.end()};
  }

  void declare(const std::string& query) {
    constexpr std::string_view before = "DECLARE tacit_rows NO SCROLL CURSOR FOR ";
    const Result result(PQexecParams(connection_, (std::string(before) + query).c_str(), 0, nullptr, nullptr,
                                     nullptr, nullptr, 0),
                        PQclear);
    if (PQresultStatus(result.get()) == PGRES_COMMAND_OK) return;
    auto field = [&](int code) {
      const char* text = PQresultErrorField(result.get(), code);
      return std::string(text ? text : "");
    };
    const std::string message = field(PG_DIAG_MESSAGE_PRIMARY), hint = field(PG_DIAG_MESSAGE_HINT);
    if (PQstatus(connection_) == CONNECTION_BAD || message.empty())
      fail("08006", PQerrorMessage(connection_));
    std::string problem = message;
    if (const auto place = std::strtoull(field(PG_DIAG_STATEMENT_POSITION).c_str(), nullptr, 10);
        place > before.size())
      problem += fmt::format(" (at character {})", place - before.size());
    if (!hint.empty()) problem += "; " + hint;
    fail(field(PG_DIAG_SQLSTATE), problem);
  }

  // Passes the names of the columns on and returns their kinds. A column that is not read may have any type.
  std::vector<Kind> describe(TableBuilder& builder) {
    const Result result(PQdescribePortal(connection_, "tacit_rows"), PQclear);
    std::vector<std::string> names;
    for (int c = 0; c < PQnfields(result.get()); ++c) names.emplace_back(PQfname(result.get(), c));
    set_names(builder, names);
    std::vector<Kind> kinds(names.size(), Kind::text);
    for (std::size_t c = 0; c < names.size(); ++c)
      if (builder.reads(c)) kinds[c] = kind_of(builder, c, PQftype(result.get(), static_cast<int>(c)));
    return kinds;
  }

  Kind kind_of(const TableBuilder& builder, std::size_t place, Oid type) {
    std::string name, category;
    session_ << fmt::format("SELECT format_type(oid, NULL), typcategory::text FROM pg_type WHERE oid = {}",
                            type),
        soci::into(name), soci::into(category);
    if (name == "money") throw bad_type(builder, place, name, "cast it, for example x::numeric");
    if (name == "uuid") return Kind::text;
    switch (category.empty() ? '?' : category[0]) {
      case 'N':
        return Kind::number;
      case 'B':
        return Kind::boolean;
      case 'S':
      case 'E':
      case 'D':
      case 'X':
        return Kind::text;
      case 'T':
        throw bad_type(builder, place, name, "convert it to a number, for example extract(epoch FROM x)");
      case 'A':
        throw bad_type(builder, place, name, "select one of its elements, for example x[1]");
      default:
        break;
    }
    throw bad_type(builder, place, name,
                   "cast it to a number or a text, for example (x->>'key')::numeric for json");
  }

  static void take(TableBuilder& builder, std::size_t place, Kind kind, soci::indicator state,
                   const std::string& cell) {
    if (state == soci::i_null)
      take_null(builder, place);
    else if (kind == Kind::text)
      builder.take(place, cell);
    else
      take_number(builder, place, kind == Kind::number ? cell : cell == "t" ? "1" : "0");
  }

  std::string name_;
  const ReadOptions& how_;
  soci::session session_;
  PGconn* connection_ = nullptr;      // the session's
  std::optional<Watchdog> watchdog_;  // must be destroyed before the session
};

}  // namespace

Table read_postgresql(const std::string& connection, const TableOptions& columns, const ReadOptions& how) {
  try {
    return PostgresqlReader(connection, how).read(columns);
  } catch (const soci::soci_error& error) {  // not caused by the query
    throw Error(fmt::format("{}: reading failed: {}; try again.", database_name(connection),
                            one_line(error.get_error_message())));
  }
}

}  // namespace tacit
