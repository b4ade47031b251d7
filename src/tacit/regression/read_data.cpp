#include "tacit/regression/read_data.hpp"

#include "tacit/regression/byte_source.hpp"
#include "tacit/regression/csv.hpp"
#include "tacit/regression/mat.hpp"

namespace tacit {

Table read_data(const std::filesystem::path& file, const TableOptions& columns, const ReadOptions& how) {
  ByteSource source(file);
  if (is_mat(source.peek(), file)) return read_mat_table(file, columns, how);
  return read_csv(source, file.string(), columns, how);
}

}  // namespace tacit
