#include "tacit/data/read_data.hpp"

#include <fmt/format.h>

#include "tacit/data/byte_source.hpp"
#include "tacit/data/csv.hpp"
#include "tacit/data/mat.hpp"
#include "tacit/data/sql.hpp"
#include "tacit/data/sql_reading.hpp"

namespace tacit {

Table read_data(const std::filesystem::path& source, const TableOptions& columns, const ReadOptions& how) {
  if (is_database(source)) return read_sql(source.string(), columns, how);
  ByteSource bytes(source);
  if (is_sqlite(bytes.peek())) return read_sql("sqlite://" + source.string(), columns, how);
  if (!how.sql.empty())
    throw InputError(
        fmt::format("{}: this is not a database, so it cannot be asked by a query; leave {} out.",
                    source.string(), query_setting(how)));
  if (is_mat(bytes.peek(), source)) return read_mat_table(source, columns, how);
  return read_csv(bytes, source.string(), columns, how);
}

std::string source_name(const std::filesystem::path& source) {
  return is_database(source) ? database_name(source.string()) : source.string();
}

}  // namespace tacit
