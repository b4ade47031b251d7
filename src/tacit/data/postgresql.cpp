// PostgreSQL's rows come through a cursor, a block at a time: without one, libpq would first load them all.
// The cursor is declared through libpq itself, because SOCI takes colons in a query for names of parameters.
// A server declares one only for a single statement that reads.
#include <fmt/format.h>
#include <libpq-fe.h>
#include <soci/postgresql/soci-postgresql.h>
#include <soci/soci.h>

#include <cstdlib>
#include <memory>

#include "tacit/data/sql.hpp"
#include "tacit/data/sql_reading.hpp"
#include "tacit/secrecy/secret_file.hpp"

namespace tacit {
namespace {

constexpr std::string_view connect_seconds = "10",
                           statement_time = "10min";  // unless the connection says others
constexpr int rows_in_a_block = 5000;

using Options = std::unique_ptr<PQconninfoOption, decltype(&PQconninfoFree)>;
using Result = std::unique_ptr<PGresult, decltype(&PQclear)>;

// The options in the connection. None may be a secret, as a connection is seen in files, logs and lists of
// processes.
Options options_in(const std::string& connection, const std::string& name, const ReadOptions& how) {
  const InputError holds_password(
      fmt::format("{}: the connection holds a password, which others could see there; put it into {}.", name,
                  password_setting(how)));
  char* text = nullptr;
  Options options(PQconninfoParse(connection.c_str(), &text), PQconninfoFree);
  const std::unique_ptr<char, decltype(&PQfreemem)> problem(text, PQfreemem);
  if (!options) {
    // The problem may quote any part of the connection.
    const std::size_t user = connection.find("://") + 3, at = connection.rfind('@');
    if (connection.find("password") != connection.npos ||
        (at != connection.npos && connection.find(':', user) < at))
      throw holds_password;
    throw InputError(
        fmt::format("{}: PostgreSQL cannot read this connection ({}); write "
                    "postgresql://user@host:5432/database?sslmode=require.",
                    name, one_line(problem ? problem.get() : "no memory")));
  }
  for (const PQconninfoOption* one = options.get(); one->keyword; ++one)
    if (one->val && *one->val && std::string_view(one->keyword).ends_with("password")) throw holds_password;
  return options;
}

SecretText password(const ReadOptions& how) {
  if (how.password_file.empty()) {
    const char* word = std::getenv("TACIT_SQL_PASSWORD");
    const std::string_view view = word ? word : "";
    return {view.begin(), view.end()};
  }
  SecretText word = read_secret(how.password_file);
  while (!word.empty() && (word.back() == '\n' || word.back() == '\r')) word.pop_back();
  if (word.empty())
    throw InputError(fmt::format("{}: there is no password in this file; write it on one line.",
                                 how.password_file.string()));
  return word;
}

// What SOCI connects with: a connection again, as SOCI cannot carry quoted values to libpq. SOCI keeps copies
// of the password in it while it is connected, and does not wipe them.
std::string parameters(const std::string& connection, const std::string& name, const ReadOptions& how) {
  std::string text = "postgresql:///";
  text.reserve(4096);  // so that no piece of a password stays behind in a smaller one
  auto add = [&](std::string_view key, std::string_view value) {
    fmt::format_to(std::back_inserter(text), "{}{}=", text.ends_with('/') ? '?' : '&', key);
    for (const char c : value)
      fmt::format_to(std::back_inserter(text), "%{:02X}", static_cast<unsigned char>(c));
  };
  const Options options = options_in(connection, name, how);
  bool has_timeout = std::getenv("PGCONNECT_TIMEOUT") != nullptr;
  for (const PQconninfoOption* one = options.get(); one->keyword; ++one) {
    if (!one->val) continue;
    add(one->keyword, one->val);
    has_timeout = has_timeout || std::string_view(one->keyword) == "connect_timeout";
  }
  if (!has_timeout) add("connect_timeout", connect_seconds);
  add("fallback_application_name", "tacit");
  add("client_encoding", "UTF8");
  if (const SecretText word = password(how); !word.empty()) add("password", {word.data(), word.size()});
  return text;
}

// What a server says, without the word ERROR or FATAL in whatever language.
std::string_view without_severity(std::string_view message) {
  const std::size_t colon = message.find(":  ");
  return colon < message.find(' ') ? message.substr(colon + 3) : message;
}

enum class Kind { number, boolean, text };

class PostgresqlReader {
 public:
  PostgresqlReader(const std::string& connection, const ReadOptions& how)
      : name_(database_name(connection)), how_(how) {
    open(parameters(connection, name_, how));
    for (const std::string& setting :
         {std::string("BEGIN READ ONLY"), std::string("SET LOCAL datestyle = 'ISO, YMD'"),
          std::string("SET LOCAL cursor_tuple_fraction = 1"),  // all rows will be fetched
          fmt::format("SELECT set_config('statement_timeout', '{}', true) WHERE "
                      "current_setting('statement_timeout') = '0'",
                      statement_time)})
      session_ << setting;
  }

  Table read(const TableOptions& columns) {
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
      try {
        return first ? block.execute(true) : block.fetch();
      } catch (const soci::postgresql_soci_error& error) {
        throw fault(error.sqlstate(), PQerrorMessage(connection_));
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

 private:
  void open(std::string text) {
    try {
      session_.open(soci::postgresql, text);
    } catch (const soci::soci_error& error) {
      sodium_memzero(text.data(), text.size());
      throw no_connection(error.get_error_message());
    }
    sodium_memzero(text.data(), text.size());
    connection_ = static_cast<soci::postgresql_session_backend*>(session_.get_backend())->conn_;
    PQsetErrorVerbosity(connection_, PQERRORS_TERSE);
  }

  InputError no_connection(std::string_view message) const {
    const std::size_t line = message.find('\n');  // SOCI's own words, then libpq's
    const std::string words = one_line(line == message.npos ? message : message.substr(line + 1));
    auto says = [&](std::string_view part) { return words.find(part) != words.npos; };
    std::string cure = "check host and port, and that the server runs";
    if (says("timeout expired"))
      cure = "check host and port; ?connect_timeout=SECONDS in the connection waits longer";
    else if (says("password"))
      cure = "check the user, and put the right password into " + password_setting(how_);
    else if (says("FATAL"))
      cure = "check user and database in the connection";
    return InputError(fmt::format("{}: no connection to the database: {}; {}.", name_, words, cure));
  }

  InputError fault(const std::string& sqlstate, std::string_view message) const {
    if (sqlstate == "57014")  // canceled
      return InputError(
          fmt::format("{}: the server gave up the query: {}; ask for less, or allow more time by "
                      "?options=-c%20statement_timeout=30min in the connection.",
                      name_, one_line(without_severity(message))));
    if (sqlstate.starts_with("08"))
      return InputError(fmt::format("{}: the connection to the database was lost: {}; try again.", name_,
                                    one_line(message)));
    return bad_query(name_, how_, without_severity(message));
  }

  std::vector<std::string> tables() {
    const soci::rowset<std::string> found =
        (session_.prepare
         << "SELECT oid::regclass::text FROM pg_class WHERE relkind IN ('r', 'v', 'm', 'f', 'p') AND NOT "
            "relispartition AND relnamespace NOT IN (SELECT oid FROM pg_namespace WHERE nspname LIKE "
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
    if (message.empty()) throw fault(field(PG_DIAG_SQLSTATE), PQerrorMessage(connection_));
    std::string problem = message;
    if (const auto place = std::strtoull(field(PG_DIAG_STATEMENT_POSITION).c_str(), nullptr, 10);
        place > before.size())
      problem += fmt::format(" (at character {})", place - before.size());
    if (!hint.empty()) problem += "; " + hint;
    throw fault(field(PG_DIAG_SQLSTATE), problem);
  }

  // The names and kinds of the columns. One that is not read may be of any type.
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
    if (name == "money") throw bad_type(builder, place, name, "cast it, such as x::numeric");
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
        throw bad_type(builder, place, name, "make it a number, such as extract(epoch FROM x)");
      case 'A':
        throw bad_type(builder, place, name, "take one of its elements, such as x[1]");
      default:
        break;
    }
    throw bad_type(builder, place, name,
                   "cast it to a number or a text, such as (x->>'key')::numeric for json");
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
  PGconn* connection_ = nullptr;  // the session's
};

}  // namespace

Table read_postgresql(const std::string& connection, const TableOptions& columns, const ReadOptions& how) {
  return PostgresqlReader(connection, how).read(columns);
}

}  // namespace tacit
