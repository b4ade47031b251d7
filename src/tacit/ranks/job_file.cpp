#include "tacit/ranks/job_file.hpp"

#include "tacit/consortium/standardise/column_jobs.hpp"
#include "tacit/gp/expert/expert_jobs.hpp"

namespace tacit {
namespace {

struct JobKind {
  std::string_view name;
  std::unique_ptr<const Job> (*read)(SavedReader&);
};

constexpr JobKind kinds[] = {{LikelihoodJob::name, LikelihoodJob::read},
                             {LandmarkJob::name, LandmarkJob::read},
                             {EvidenceJob::name, EvidenceJob::read},
                             {ColumnSumsJob::name, ColumnSumsJob::read},
                             {MomentsJob::name, MomentsJob::read}};

void write(SavedWriter& out, const Scaling& scaling) {
  out.matrix(scaling.shift);
  out.matrix(scaling.scale);
}

Scaling read_scaling(SavedReader& in) {
  Vector shift = in.vector();
  return {std::move(shift), in.vector()};
}

}  // namespace

void write_job(SavedWriter& out, const Job& job) {
  out.text(job.kind());
  job.write(out);
}

std::unique_ptr<const Job> read_job(SavedReader& in) {
  const std::string name = in.text();
  for (const JobKind& kind : kinds)
    if (kind.name == name) return kind.read(in);
  in.damaged();
}

void write_units(SavedWriter& out, const RowUnits* units) {
  out.number<std::uint32_t>(units != nullptr);
  if (!units) return;
  write(out, units->inputs);
  write(out, units->outputs);
}

std::shared_ptr<const RowUnits> read_units(SavedReader& in) {
  if (in.choice<std::uint32_t>(2) == 0) return nullptr;
  Scaling inputs = read_scaling(in);
  return std::make_shared<const RowUnits>(RowUnits{std::move(inputs), read_scaling(in)});
}

void write_lane(SavedWriter& out, const ExpertSums& lane) {
  out.number(lane.jitter);
  out.numbers(lane.sums);
}

ExpertSums read_lane(SavedReader& in) {
  const auto jitter = in.number<double>();
  return {in.numbers(), jitter};
}

}  // namespace tacit
