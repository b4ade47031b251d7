// A crew that knows the rows of some experts only: the others are some other process's.
#pragma once

#include <memory>
#include <vector>

#include "tacit/gp/committee/crew.hpp"

namespace tacit {

/// As crew_of_threads, for rows that are split already (split_rows). Experts that are never to be computed
/// here may have no rows.
std::shared_ptr<const Crew> partial_crew(std::shared_ptr<const RowReader> source,
                                         std::vector<std::vector<Index>> parts, unsigned threads);

}  // namespace tacit
