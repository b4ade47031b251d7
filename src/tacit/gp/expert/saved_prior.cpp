#include "tacit/gp/expert/saved_prior.hpp"

namespace tacit {
namespace {

Kernel read_kernel(SavedReader& in) {
  const std::string kernel = in.text();
  return parse_kernel(kernel, kernel.size());
}

}  // namespace

void write(SavedWriter& out, const Prior& prior) {
  out.text(prior.kernel.text());
  out.number(prior.noise);
}

Prior read_prior(SavedReader& in) {
  Kernel kernel = read_kernel(in);
  return {std::move(kernel), in.number<double>()};
}

void write(SavedWriter& out, const Landmarks& landmarks) {
  out.matrix(landmarks.points());
  out.text(landmarks.kernel().text());
}

std::shared_ptr<const Landmarks> read_landmarks(SavedReader& in) {
  const Matrix points = in.matrix();
  return std::make_shared<const Landmarks>(points, read_kernel(in));
}

void write(SavedWriter& out, const PooledPart& pooled) {
  write(out, pooled.landmarks());
  out.matrix(pooled.factor().lower());
  out.number(pooled.factor().jitter());
  out.matrix(pooled.weights());
}

std::shared_ptr<const PooledPart> read_pooled_part(SavedReader& in) {
  auto landmarks = read_landmarks(in);
  Matrix lower = in.matrix();
  const auto jitter = in.number<double>();
  Matrix weights = in.matrix();
  const Index m = landmarks->count();
  if (lower.rows() != m || lower.cols() != m || weights.rows() != m) in.damaged();
  return std::make_shared<const PooledPart>(std::move(landmarks),
                                            Cholesky::restored(std::move(lower), jitter), std::move(weights));
}

}  // namespace tacit
