#include "tacit/agent/opened.hpp"

#include <algorithm>

#include "tacit/agent/ledger.hpp"

namespace tacit {

void OpenedByFits::add(const LedgerLine& line) {
  if (line.kind != "fit" || line.event != "ended" || line.rows.empty()) return;
  OnRows& fits = all_[line.rows];
  // An agent that leaves a run early has not seen all that was opened, so its content says less.
  const std::string key =
      line.outcome == "done" ? line.content : line.charter + line.content + std::to_string(line.opened);
  std::uint64_t& opened = fits.opened[key];
  opened = std::max(opened, line.opened);
  if (line.held > 0) fits.held = line.held;
  last_ = line.rows;
}

OpenedTogether OpenedByFits::on(const std::string& rows) const {
  const auto found = all_.find(rows);
  if (found == all_.end()) return {};
  OpenedTogether together{0, found->second.held};
  for (const auto& [content, opened] : found->second.opened) together.opened += opened;
  return together;
}

}  // namespace tacit
