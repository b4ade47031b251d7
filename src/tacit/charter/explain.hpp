// A charter in plain sentences, for a data protection officer.
#pragma once

#include <string>
#include <vector>

#include "tacit/charter/charter.hpp"

namespace tacit {

struct ExplainedPart {
  std::string heading;
  std::vector<std::string> points;  ///< each a few sentences
};

/// Who takes part, and what each party sees. What colluding parties can learn. What absences and repeated
/// questions could reveal, and what prevents it. What a dishonest member can still do, and what is not
/// promised. Throws InputError for an unusable model or network.
std::vector<ExplainedPart> explain_charter(const Charter& charter);

/// A page of plain text or of Markdown, with lines broken.
std::string page_of(const Charter& charter, const std::vector<ExplainedPart>& parts, bool markdown);

/// What the correctness of totals relies on.
std::string rests_on(const Charter& charter);

}  // namespace tacit
