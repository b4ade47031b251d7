// Two lines for a consortium in one process, by the protocols that real agents run:
//
//   const ConsortiumModel model = fit(parties, se(ard) + constant());
//   const ConsortiumPosterior p = model.predict(points);
//
// Nothing is hidden here, as one process has everything; it is for trying a model before agents run it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tacit/consortium/fitted.hpp"
#include "tacit/consortium/terms.hpp"

namespace tacit {

struct ConsortiumFitOptions {
  std::size_t restarts = 2;
  std::uint64_t seed = 1;
  unsigned threads = 0;   ///< 0: all the machine has
  bool shared = true;     ///< one kernel and noise for all outputs
  double box_low = 0.01;  ///< every number, of standardised data, is kept between these
  double box_high = 100;
  MaximiserLimits limits;
  CommitteeOptions committee;  ///< how a party with many rows splits them among experts
  Fusion fusion = Fusion::rbcm;
};

/// How a fit went.
struct ConsortiumReport {
  double log_marginal_likelihood = 0;  ///< Σ_i h_i, of standardised outputs
  std::size_t evaluations = 0;
  bool converged = false;
  std::string reason;
  std::vector<std::string> at_bound;
  std::vector<double> trace;  ///< Σ_i h_i at every evaluation
  std::size_t experts = 0;    ///< of all parties together
};

class ConsortiumModel {
 public:
  /// Throws InputError if the points have other columns than the parties' inputs or a non-finite entry.
  ConsortiumPosterior predict(const Matrix& points) const;

  const Priors& priors() const { return fitted_.priors; }  ///< by output, for standardised data
  const Standardisation& standardisation() const { return *fitted_.standardisation; }
  const ConsortiumReport& report() const { return report_; }

 private:
  friend ConsortiumModel fit(const std::vector<Samples>&, const Kernel&, const ConsortiumFitOptions&);
  ConsortiumModel() = default;

  ConsortiumFitOptions options_;
  std::shared_ptr<const std::vector<Samples>> parties_;
  Terms terms_;
  Fitted fitted_;
  ConsortiumReport report_;
};

/// Standardises, tunes and, when asked, predicts over exact sums among all parties. Throws InputError for
/// parties with different columns or no rows.
ConsortiumModel fit(const std::vector<Samples>& parties, const Kernel& kernel,
                    const ConsortiumFitOptions& options = {});

}  // namespace tacit
