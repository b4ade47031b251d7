#include "tacit/data/read_data.hpp"

#include "tacit/data/byte_source.hpp"
#include "tacit/data/csv.hpp"
#include "tacit/data/mat.hpp"
#include "tacit/data/sql.hpp"

namespace tacit {

Table read_data(const std::filesystem::path& source, const TableOptions& columns, const ReadOptions& how) {
  if (is_database(source)) return read_sql(source.string(), columns, how);
  ByteSource bytes(source);
  if (is_mat(bytes.peek(), source)) return read_mat_table(source, columns, how);
  if (is_sqlite(bytes.peek())) return read_sql("sqlite://" + source.string(), columns, how);
  return read_csv(bytes, source.string(), columns, how);
}

}  // namespace tacit
