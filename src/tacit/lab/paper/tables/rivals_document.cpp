#include "tacit/lab/paper/tables/rivals_document.hpp"

#include <fmt/format.h>

#include <cmath>

#include "tacit/lab/paper/evaluation/format.hpp"

namespace tacit {
namespace {

using Row = std::vector<std::string>;

std::string megabytes(std::uint64_t bytes) { return fmt::format("{:.3f}", static_cast<double>(bytes) / 1e6); }

// Shows the largest M of each data set; phases are similar for the others.
std::string phases_text(const std::vector<TableRow>& rows) {
  std::string text;
  for (const TableRow& row : rows) {
    if (!row.rival || row.rival->phases.empty()) continue;  // refused; left_out_text() states the reason
    bool shown = true;
    for (const TableRow& other : rows)
      if (other.rival && other.data == row.data && other.variant == row.variant &&
          (other.network.agents > row.network.agents ||
           (other.network.agents == row.network.agents && &other < &row)))
        shown = false;
    if (!shown) continue;
    std::vector<Row> cells;
    for (const RivalPhase& phase : row.rival->phases)
      cells.push_back({phase.name, fmt::format("{:.4f}", phase.work), fmt::format("{:.4f}", phase.longest),
                       fmt::format("{:.4f}", phase.network), std::to_string(phase.rounds),
                       std::to_string(phase.messages), megabytes(phase.bytes), error_text(phase.error)});
    text += fmt::format("\n{}, {}, M = {}: {}{}\n\n{}", row.variant, row.data, row.network.agents,
                        row.rival->parameters, row.left_out.empty() ? "" : "; " + row.left_out,
                        markdown_table({"phase", "seconds, all parties", "longest", "network", "rounds",
                                        "messages", "MB", "largest error"},
                                       cells));
  }
  return text;
}

std::string growth_text(const std::vector<Growth>& growths) {
  std::string text;
  for (const bool with_agents : {true, false}) {
    std::vector<Row> cells;
    for (const Growth& growth : growths) {
      if (growth.with_agents != with_agents) continue;
      std::string points;
      for (const Growth::Point& point : growth.points)
        points += fmt::format("{}{}: {}", points.empty() ? "" : ", ", with_agents ? point.agents : point.rows,
                              std::isfinite(point.longest) ? fmt::format("{:.3g}", point.longest)
                              : growth.refused             ? "refused"
                                                           : growth.stopped);
      cells.push_back({growth.data, growth.method, points,
                       std::isfinite(growth.exponent) ? fmt::format("{:.2f}", growth.exponent) : "-"});
    }
    std::string reasons;
    for (const Growth& growth : growths)
      if (growth.with_agents == with_agents && growth.refused)
        reasons += fmt::format("\n- {}, {}: {}\n", growth.data, growth.method, growth.stopped);
    text += fmt::format(
        "\nSeconds of the longest agent or server and the network, {}\n\n{}",
        with_agents ? "by M, with 8 rows each" : "by the rows of each, M = 10",
        markdown_table({"data", "method", with_agents ? "M: seconds" : "rows: seconds", "exponent"}, cells));
    if (!reasons.empty()) text += "\nRefused:\n" + reasons;
  }
  return text;
}

std::string libraries_text(const std::vector<LibrarySpeed>& speeds) {
  std::vector<Row> cells;
  for (const LibrarySpeed& speed : speeds) {
    Row row{speed.data, speed.library};
    if (speed.missing.empty())
      row.insert(row.end(), {speed.version, fmt::format("{:.4f}", speed.seconds),
                             fmt::format("{:.4f}", speed.ours), fmt::format("{:.1e}", speed.difference)});
    else
      row.insert(row.end(), {speed.missing, "-", fmt::format("{:.4f}", speed.ours), "-"});
    cells.push_back(std::move(row));
  }
  return markdown_table({"data", "library", "version", "seconds", "ours", "relative difference"}, cells);
}

}  // namespace

std::string rival_seconds(const TableRow& row, const Spread& seconds) {
  if (!row.rival || !row.rival->stopped) return seconds_text(seconds);
  return fmt::format("{}> {:g} s", row.rival->stopped->before_the_total() ? "preparation " : "",
                     rival_limit_seconds);
}

std::string preparation_text(const std::vector<TableRow>& rows) {
  std::vector<Row> cells;
  for (const TableRow& row : rows)
    if (row.rival && !row.rival->phases.empty() && row.rival->phases[0].before_the_total) {
      const RivalPhase& phase = row.rival->phases[0];
      cells.push_back({row.data, std::to_string(row.network.agents), std::to_string(row.network.degree),
                       fmt::format("{:.4f}", phase.work), fmt::format("{:.4f}", phase.longest),
                       megabytes(phase.bytes)});
    }
  if (cells.empty()) return "";
  return "\nPreparation by the dealer of [11], not included in the seconds above\n\n" +
         markdown_table({"data", "M", "degree", "seconds, all parties", "longest", "MB"}, cells);
}

std::string rivals_text(const PaperTable& table) {
  std::string text;
  if (const std::string phases = phases_text(table.rows); !phases.empty())
    text +=
        "\n### The rivals, phase by phase\n\nMeans over their draws, for the largest M. Errors are the "
        "largest differences from the same values computed without encryption.\n" +
        phases;
  if (!table.growth.empty())
    text +=
        "\n### How time grows\n\nOnly the first output, one draw. The exponent is that of a power law fitted "
        "to these seconds.\n" +
        growth_text(table.growth);
  if (!table.libraries.empty())
    text +=
        "\n### Plain speed: the same local models by other libraries\n\nAll models of 20 agents one after "
        "the other on one thread, with given Θ; ours likewise. The difference is that of fused means, "
        "relative to the largest.\n\n" +
        libraries_text(table.libraries);
  return text;
}

}  // namespace tacit
