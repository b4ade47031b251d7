// Jobs (gp/committee/crew.hpp) as another rank reads them.
#pragma once

#include <memory>

#include "tacit/gp/committee/crew.hpp"
#include "tacit/gp/saved_file.hpp"

namespace tacit {

void write_job(SavedWriter& out, const Job& job);

/// Throws InputError for a kind of job that this release does not know, and for damaged ones.
std::unique_ptr<const Job> read_job(SavedReader& in);

void write_units(SavedWriter& out, const RowUnits* units);
std::shared_ptr<const RowUnits> read_units(SavedReader& in);

void write_lane(SavedWriter& out, const ExpertSums& lane);
ExpertSums read_lane(SavedReader& in);

}  // namespace tacit
