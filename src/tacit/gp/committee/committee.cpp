#include "tacit/gp/committee/committee.hpp"

#include "tacit/base/error.hpp"
#include "tacit/gp/expert/expert_jobs.hpp"

namespace tacit {
namespace {

// A non-owning shared pointer to an object that the caller keeps until the job is done.
template <class T>
std::shared_ptr<const T> kept_by_caller(const T* what) {
  return {std::shared_ptr<void>(), what};
}

Committee::PointEvidence evidence_at(const EvidenceJob& job, const Crew& crew, const PooledPart* pooled,
                                     Index outputs) {
  EvidenceJob::PointEvidence all = job.from(crew.add_up(job));
  Committee::PointEvidence result;
  result.evidence = std::move(all.evidence);
  result.clamped = all.clamped;
  result.jitter = all.jitter;
  result.prior = job.before();
  if (pooled)
    result.pooled = {pooled->mean(job.features()), pooled->variance(job.features()).replicate(1, outputs)};
  return result;
}

}  // namespace

Likelihood Committee::likelihood(const Prior& given, Index first_output, Index outputs) const {
  const LikelihoodJob job(checked_prior(given, crew_->inputs()), {first_output, outputs});
  return LikelihoodJob::from(crew_->add_up(job));
}

Likelihood Committee::landmark_likelihood(const Prior& given, Index first_output, Index outputs,
                                          const PooledPart& pooled) const {
  const LikelihoodJob job(checked_prior(given, crew_->inputs()), {first_output, outputs},
                          kept_by_caller(&pooled));
  return LikelihoodJob::from(crew_->add_up(job));
}

LandmarkSums Committee::landmark_sums(const Prior& prior, Index first_output, Index outputs,
                                      const Landmarks& landmarks) const {
  const LandmarkJob job(prior, {first_output, outputs}, kept_by_caller(&landmarks));
  return job.from(crew_->add_up(job));
}

Committee::PointEvidence Committee::evidence(const Prior& given, Index first_output, Index outputs,
                                             const MatrixView& points, std::span<const Fusion> rules,
                                             const PooledPart* pooled) const {
  const EvidenceJob job(checked_prior(given, crew_->inputs()), {first_output, outputs}, points, rules,
                        kept_by_caller(pooled));
  return evidence_at(job, *crew_, pooled, outputs);
}

Committee::PointEvidence Committee::evidence(const std::vector<Expert>& fitted, const MatrixView& points,
                                             std::span<const Fusion> rules, const PooledPart* pooled) const {
  if (fitted.empty())
    throw InputError("fitted experts are not available for rows on several ranks; pass the prior instead");
  const EvidenceJob job(fitted[0].prior(), {0, fitted[0].outputs()}, points, rules, kept_by_caller(pooled),
                        &fitted);
  return evidence_at(job, *crew_, pooled, fitted[0].outputs());
}

std::vector<Expert> Committee::make_experts(const Prior& given, Index first_output, Index outputs,
                                            const PooledPart* pooled) const {
  const Prior prior = checked_prior(given, crew_->inputs());
  return crew_->make_experts([&](const Block& block) {
    return fit_expert(block, prior, {first_output, outputs}, pooled);
  });
}

}  // namespace tacit
