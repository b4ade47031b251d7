// A crew that holds only the rows of some experts. Other processes hold the rows of the others.
#pragma once

#include <memory>
#include <vector>

#include "tacit/gp/committee/crew.hpp"

namespace tacit {

/// Returns a crew as crew_of_threads does, for rows that are already split (split_rows): parts[e] has the
/// numbers of expert e's rows. Experts that this process does not compute may have no rows.
std::shared_ptr<const Crew> partial_crew(std::shared_ptr<const RowReader> source,
                                         std::vector<std::vector<Index>> parts, unsigned threads);

}  // namespace tacit
