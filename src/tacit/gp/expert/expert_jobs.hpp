// What is asked of experts (crew.hpp), job by job.
#pragma once

#include <memory>
#include <vector>

#include "tacit/gp/committee/crew.hpp"
#include "tacit/gp/committee/fusion.hpp"
#include "tacit/gp/expert/likelihood.hpp"
#include "tacit/gp/landmarks/landmark_sums.hpp"
#include "tacit/gp/saved_file.hpp"

namespace tacit {

/// Columns of a block's outputs.
struct OutputColumns {
  Index first, count;
  Matrix of(const Block& block) const { return block.outputs.middleCols(first, count); }
};

/// h of (lml) and its slopes; with a pooled part, the rows' part of the likelihood through landmarks.
class LikelihoodJob final : public SumJob {
 public:
  LikelihoodJob(const Prior& prior, OutputColumns outputs, std::shared_ptr<const PooledPart> pooled = {});
  static constexpr std::string_view name = "likelihood";
  std::string_view kind() const override { return name; }
  void write(SavedWriter& out) const override;
  static std::unique_ptr<const Job> read(SavedReader& in);

  static Likelihood from(const ExpertSums& all);

 private:
  void add(const Block& block, ExpertSums& all) const override;

  Prior prior_;
  OutputColumns outputs_;
  std::shared_ptr<const PooledPart> pooled_;
};

/// What rows say through landmarks of the prior's kernel.
class LandmarkJob final : public Job {
 public:
  LandmarkJob(const Prior& prior, OutputColumns outputs, std::shared_ptr<const Landmarks> landmarks)
      : prior_(prior), outputs_(outputs), landmarks_(std::move(landmarks)) {}
  std::unique_ptr<Part> part() const override;
  std::size_t most_parts() const override { return 16; }  // each takes 8 m² bytes
  static constexpr std::string_view name = "landmark sums";
  std::string_view kind() const override { return name; }
  void write(SavedWriter& out) const override;
  static std::unique_ptr<const Job> read(SavedReader& in);

  LandmarkSums from(const ExpertSums& all) const;

 private:
  struct Sum;
  Prior prior_;
  OutputColumns outputs_;
  std::shared_ptr<const Landmarks> landmarks_;
};

/// What experts say at some points, by each of some rules. With a pooled part they are experts of residuals.
class EvidenceJob final : public Job {
 public:
  /// `fitted` are the experts, by number, where they were fitted before; else they are fitted for the
  /// occasion.
  EvidenceJob(const Prior& prior, OutputColumns outputs, const MatrixView& points,
              std::span<const Fusion> rules, std::shared_ptr<const PooledPart> pooled,
              const std::vector<Expert>* fitted = nullptr);
  std::unique_ptr<Part> part() const override;
  static constexpr std::string_view name = "evidence";
  std::string_view kind() const override { return name; }
  void write(SavedWriter& out) const override;
  static std::unique_ptr<const Job> read(SavedReader& in);

  const Matrix& features() const { return features_; }  ///< the landmarks', of the points
  const Vector& before() const { return before_; }      ///< the variance at the points before the experts
  struct PointEvidence {
    std::vector<Evidence> evidence;  ///< by rule
    std::size_t clamped = 0;
    double jitter = 0;
  };
  PointEvidence from(const ExpertSums& all) const;

 private:
  struct Sum;
  Prior prior_;
  OutputColumns outputs_;
  Matrix points_;
  std::vector<Fusion> rules_;
  std::shared_ptr<const PooledPart> pooled_;
  const std::vector<Expert>* fitted_;
  Matrix features_;
  Vector before_;
};

/// An expert of these output columns; of what the pooled part leaves over, if there is one.
Expert fit_expert(const Block& block, const Prior& prior, OutputColumns outputs, const PooledPart* pooled);

}  // namespace tacit
