#include "tacit/agent/model/opened_numbers.hpp"

#include <algorithm>

#include "tacit/agent/work/ledger.hpp"

namespace tacit {

void OpenedCounter::add(const LedgerLine& line) {
  if (line.kind != "fit" || line.rows.empty()) return;
  if (line.event == "opens") begun_[line.run] = {line.rows, line.opened};
  if (line.event != "ended") return;
  begun_.erase(line.run);
  OnRows& fits = all_[line.rows];
  // An agent that leaves a run early has not received all opened numbers, so its content digest is
  // incomplete.
  const std::string key =
      line.outcome == "done" ? line.content : line.charter + line.content + std::to_string(line.opened);
  std::uint64_t& opened = fits.opened[key];
  opened = std::max(opened, line.opened);
  if (line.held > 0) fits.held = line.held;
  last_ = line.rows;
}

OpenedCount OpenedCounter::on(const std::string& rows) const {
  OpenedCount together;
  if (const auto found = all_.find(rows); found != all_.end()) {
    together.held = found->second.held;
    for (const auto& [content, opened] : found->second.opened) together.opened += opened;
  }
  for (const auto& [run, begun] : begun_)
    if (begun.rows == rows) together.opened += begun.opens;
  return together;
}

}  // namespace tacit
