// A charter in plain words, for a data protection officer.
#pragma once

#include <string>
#include <vector>

#include "tacit/charter/charter.hpp"

namespace tacit {

struct ExplainedPart {
  std::string heading;
  std::vector<std::string> points;  ///< a sentence or a few each
};

/// Who takes part, what each party sees, what colluding parties can learn, what absences and repeated
/// questions would show and what stops them, what a lying member can still do, and what is not promised.
/// Throws InputError for a charter whose model or network cannot be used.
std::vector<ExplainedPart> explain_charter(const Charter& charter);

/// As a page of text, lines broken, or of Markdown.
std::string page_of(const Charter& charter, const std::vector<ExplainedPart>& parts, bool markdown);

/// What the totals rest on, in one sentence.
std::string rests_on(const Charter& charter);

}  // namespace tacit
