#include "tacit/table/read_data.hpp"

#include <fmt/format.h>

#include "tacit/base/error.hpp"
#include "tacit/table/csv/byte_source.hpp"
#include "tacit/table/csv/csv.hpp"
#include "tacit/table/mat/mat.hpp"
#include "tacit/table/sql/sql.hpp"
#include "tacit/table/sql/sql_reading.hpp"

namespace tacit {
namespace {

void refuse_standard_input(const std::filesystem::path& source, const char* what) {
  if (source == standard_input)
    throw InputError(fmt::format("standard input: this is {}; read it from a file instead.", what));
}

}  // namespace

Table read_data(const std::filesystem::path& source, const TableOptions& columns, const ReadOptions& how) {
  if (is_database(source)) return read_sql(source.string(), columns, how);
  ByteSource bytes(source);
  if (is_sqlite(bytes.peek())) {
    refuse_standard_input(source, "a SQLite database");
    return read_sql("sqlite://" + source.string(), columns, how);
  }
  if (!how.sql.empty())
    throw InputError(fmt::format("{}: this is not a database, so a query does not apply; leave {} out.",
                                 file_name(source), query_setting(how)));
  if (is_mat(bytes.peek(), source)) {
    refuse_standard_input(source, "a MATLAB file");
    return read_mat_table(source, columns, how);
  }
  if (how.part) return read_csv_part(source, *how.part, columns, how);
  return read_csv(bytes, file_name(source), columns, how);
}

std::string source_name(const std::filesystem::path& source) {
  return is_database(source) ? database_name(source.string()) : file_name(source);
}

}  // namespace tacit
