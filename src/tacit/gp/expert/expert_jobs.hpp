// The jobs of a committee's experts (crew.hpp): likelihood, landmark sums and evidence.
#pragma once

#include <memory>
#include <vector>

#include "tacit/gp/committee/crew.hpp"
#include "tacit/gp/committee/fusion.hpp"
#include "tacit/gp/expert/likelihood.hpp"
#include "tacit/gp/landmarks/landmark_sums.hpp"
#include "tacit/gp/saved_file.hpp"

namespace tacit {

/// A range of columns of a block's outputs.
struct OutputColumns {
  Index first, count;
  Matrix of(const Block& block) const { return block.outputs.middleCols(first, count); }
};

/// Sums h of (lml) and its slopes. With a pooled part, sums the rows' part of the likelihood through
/// landmarks.
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

/// Sums the rows' information about landmarks of the prior's kernel (landmark_sums.hpp).
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

/// Sums the experts' evidence at some points for several fusion rules. With a pooled part, the experts are
/// experts of residuals.
class EvidenceJob final : public Job {
 public:
  /// `fitted` has the experts by number if they were fitted before. If it is null, each is fitted
  /// temporarily.
  EvidenceJob(const Prior& prior, OutputColumns outputs, const MatrixView& points,
              std::span<const Fusion> rules, std::shared_ptr<const PooledPart> pooled,
              const std::vector<Expert>* fitted = nullptr);
  std::unique_ptr<Part> part() const override;
  static constexpr std::string_view name = "evidence";
  std::string_view kind() const override { return name; }
  void write(SavedWriter& out) const override;
  static std::unique_ptr<const Job> read(SavedReader& in);

  const Matrix& features() const { return features_; }  ///< the landmarks' features of the points
  const Vector& before() const { return before_; }      ///< the experts' prior variance at the points
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

/// Fits an expert to these output columns; an expert of residuals if `pooled` is not null.
Expert fit_expert(const Block& block, const Prior& prior, OutputColumns outputs, const PooledPart* pooled);

}  // namespace tacit
