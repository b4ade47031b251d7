// Writes jobs (gp/committee/crew.hpp) for another rank, and reads them.
#pragma once

#include <memory>

#include "tacit/gp/committee/crew.hpp"
#include "tacit/gp/saved_file.hpp"

namespace tacit {

void write_job(SavedWriter& out, const Job& job);

/// Throws InputError for damaged jobs, and for kinds of jobs that this release does not know.
std::unique_ptr<const Job> read_job(SavedReader& in);

void write_units(SavedWriter& out, const RowUnits* units);
std::shared_ptr<const RowUnits> read_units(SavedReader& in);

void write_lane(SavedWriter& out, const ExpertSums& lane);
ExpertSums read_lane(SavedReader& in);

}  // namespace tacit
