#include "tacit/agent/rows/row_home.hpp"

#include <fmt/format.h>

#include <utility>

#include "tacit/base/error.hpp"

namespace tacit {
namespace {

class HomeHere final : public RowHome {
 public:
  FoundRows read(const AgentConfig& config, const Charter& charter) override {
    return found_rows(config.data.rows, charter, config.data.how);
  }
  Rows kept(const std::filesystem::path& folder, const std::vector<RowFile>& files) override {
    Samples all;
    for (const RowFile& file : files) append(all, read_row_file(folder, file));
    return rows_here(std::move(all));
  }
  Rows spread(Samples rows) override { return rows_here(std::move(rows)); }
};

}  // namespace

RowHome& home_here() {
  static HomeHere home;
  return home;
}

FoundRows found_rows(const RowSource& source, const Charter& charter, const ReadOptions& how) {
  AgentRows read = read_rows(source, charter, how);
  return {rows_here(std::move(read.rows)), read.dropped, std::move(read.notes), std::move(read.bad)};
}

}  // namespace tacit
