#include "tacit/consortium/pool/saved_pooled.hpp"

#include "tacit/consortium/pool/draw_landmarks.hpp"

namespace tacit {
namespace {

constexpr SavedKind pooled_kind{"tacitpld", 1, "the pooled part of a model", "run tacit fit again"};

}  // namespace

void write(SavedWriter& out, const Pooled& pooled) {
  out.number<std::uint64_t>(pooled.rows);
  out.matrix(pooled.landmarks);
  out.number<std::uint64_t>(pooled.totals.size());
  for (const PooledTotals& one : pooled.totals) {
    out.matrix(one.precision);
    out.matrix(one.weighted);
  }
}

std::shared_ptr<const Pooled> read_pooled(SavedReader& in, const Priors& priors) {
  const auto rows = in.number<std::uint64_t>();
  Matrix landmarks = in.matrix();
  const Index m = landmarks.rows();
  if (m < 1 || m > static_cast<Index>(most_landmarks) || rows < 1 || !landmarks.allFinite()) in.damaged();
  std::vector<PooledTotals> totals(in.count(2 * sizeof(double)));
  for (PooledTotals& one : totals) {
    one.precision = in.matrix();
    one.weighted = in.matrix();
    if (one.precision.rows() != m || one.precision.cols() != m || one.weighted.rows() != m ||
        one.weighted.cols() < 1 || !one.precision.allFinite() || !one.weighted.allFinite())
      in.damaged();
  }
  return std::make_shared<const Pooled>(rows, std::move(landmarks), std::move(totals), priors);
}

void save_pooled(const std::filesystem::path& file, const Pooled& pooled) {
  SavedWriter out;
  write(out, pooled);
  out.save(pooled_kind, file);
}

std::shared_ptr<const Pooled> load_pooled(const std::filesystem::path& file, const Priors& priors) {
  SavedReader in(pooled_kind, file);
  auto pooled = read_pooled(in, priors);
  in.end();
  return pooled;
}

}  // namespace tacit
