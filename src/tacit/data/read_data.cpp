#include "tacit/data/read_data.hpp"

#include "tacit/data/byte_source.hpp"
#include "tacit/data/csv.hpp"
#include "tacit/data/mat.hpp"

namespace tacit {

Table read_data(const std::filesystem::path& file, const TableOptions& columns, const ReadOptions& how) {
  ByteSource source(file);
  if (is_mat(source.peek(), file)) return read_mat_table(file, columns, how);
  return read_csv(source, file.string(), columns, how);
}

}  // namespace tacit
