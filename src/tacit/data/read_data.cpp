#include "tacit/data/read_data.hpp"

#include "tacit/base/error.hpp"
#include "tacit/data/byte_source.hpp"
#include "tacit/data/csv.hpp"
#include "tacit/data/mat.hpp"

namespace tacit {

Table read_data(const std::filesystem::path& file, const TableOptions& columns, const ReadOptions& how) {
  ByteSource source(file);
  if (is_mat(source.peek(), file)) {
    if (file == standard_input)
      throw InputError("standard input: this is a MATLAB file, which must be named to be read.");
    return read_mat_table(file, columns, how);
  }
  return read_csv(source, file_name(file), columns, how);
}

}  // namespace tacit
