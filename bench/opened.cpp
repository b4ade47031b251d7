// Measures what the opened sum over landmarks reveals about rows: by an attack on small pools, where the sum
// opens from a tenth of the numbers in the rows to four times as many; by a coalition that knows all other
// agents' rows; and by what remains unknown at the ceiling, in pools of several shapes, to an attacker near
// the truth.
//   bench_opened FILE.csv [SEEDS]
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "ratio.hpp"
#include "tacit/base/system/parallel.hpp"
#include "tacit/consortium/pool/draw_landmarks.hpp"
#include "tacit/gp/expert/blas_threads.hpp"
#include "tacit/lab/audit/landmark_attack_trial.hpp"

using namespace tacit;

namespace {

constexpr double coarse = 0x1p-12, fine = 0x1p-30;

std::size_t landmarks_for(double share, std::size_t rows, std::size_t inputs) {
  const double allowed = share * static_cast<double>(rows * (inputs + 1));
  std::size_t m = 1;
  while (static_cast<double>((m + 1) * (m + 4)) / 2 <= allowed) ++m;
  return m;
}

class Table {
 public:
  explicit Table(const char* path) : file_(path) {
    file_ << "experiment,rows,inputs,agents,landmarks,opened,held,unit,seed,found,inputs_found,within_reach,"
             "chance_found,chance_inputs_found,median,chance_median,misfit\n";
  }

  void attack(const char* name, const PoolShape& shape, std::uint64_t seed) {
    attack(name, shape, seed, made_up_pool(shape, 1000 * seed));
  }

  void attack(const char* name, const PoolShape& shape, std::uint64_t seed, const MadeUpPool& pool) {
    const double unit = coarse;
    LandmarkTrial trial;
    const double seconds = bench::seconds_of([&] {
      trial = try_landmark_attack(
          pool, {.unit = unit, .starts = 4, .hops = 60, .seed = seed, .threads = default_threads()});
    });
    const Index opened = pool.numbers.opened(), held = pool.numbers.held();
    std::printf(
        "%-9s %2zu rows of %zu inputs, %zu agents, %2zu landmarks: opens %.2f of what they hold; found %2.0f "
        "rows (by inputs %2.0f, within reach %2.0f, by chance %.2f), median distance %.3f (by chance %.3f), "
        "misfit %.2g, %.1f s\n",
        name, shape.rows, shape.inputs, shape.agents, shape.landmarks,
        static_cast<double>(opened) / static_cast<double>(held), trial.fitted.found,
        trial.fitted.inputs_found, trial.within_reach(), trial.chance.found, trial.fitted.median,
        trial.chance.median, trial.misfit, seconds);
    std::fflush(stdout);
    file_ << name << ',' << shape.rows << ',' << shape.inputs << ',' << shape.agents << ',' << shape.landmarks
          << ',' << opened << ',' << held << ',' << unit << ',' << seed << ',' << trial.fitted.found << ','
          << trial.fitted.inputs_found << ',' << trial.within_reach() << ',' << trial.chance.found << ','
          << trial.chance.inputs_found << ',' << trial.fitted.median << ',' << trial.chance.median << ','
          << trial.misfit << std::endl;
  }

 private:
  std::ofstream file_;
};

// Computes what remains unknown at the ceiling to an attacker near the truth, which does not depend on a
// search.
void near_the_truth(std::size_t rows, std::size_t inputs, std::size_t agents, bool tails, double unit,
                    std::size_t seeds) {
  const std::size_t m = landmark_ceiling(rows, inputs);
  double row = 1, input = 1, target = 1, known_inputs = 1, mean = 0, targets = 0, few = 0;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const MadeUpPool pool = made_up_pool({rows, inputs, m, agents}, 1000 * seed, tails);
    const Matrix left = left_to_guess(pool.numbers, pool.rows, unit);
    const auto d = static_cast<Index>(inputs);
    const Vector given_inputs = targets_left_to_guess(pool.numbers, pool.rows, unit);
    row = std::min(row, left.rowwise().maxCoeff().minCoeff());
    input = std::min(input, left.leftCols(d).minCoeff());
    target = std::min(target, left.col(d).minCoeff());
    known_inputs = std::min(known_inputs, given_inputs.minCoeff());
    mean += left.mean() / static_cast<double>(seeds);
    targets += left.col(d).mean() / static_cast<double>(seeds);
    few += (left.array() < 0.1).cast<double>().mean() / static_cast<double>(seeds);
  }
  std::printf(
      "ceiling   %3zu rows of %2zu inputs, %2zu agents, %2zu landmarks%s, unit %.0e, %zu pools: unknown "
      "on average %.2f, of targets %.2f; least for a whole row %.3f, an input %.3f, a target %.2f, a target "
      "if all inputs are known %.3f; %.2f %% of numbers below 0.1\n",
      rows, inputs, agents, m, tails ? ", heavy tails" : "", unit, seeds, mean, targets, row, input, target,
      known_inputs, 100 * few);
  std::fflush(stdout);
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 2) {
    std::puts("usage: bench_opened FILE.csv [SEEDS]");
    return 2;
  }
  const BlasThreads one(1);
  const std::size_t seeds = count > 2 ? std::strtoul(arguments[2], nullptr, 10) : 5;
  for (const auto& [rows, inputs, agents] : {std::tuple<std::size_t, std::size_t, std::size_t>{40, 1, 4},
                                             {40, 2, 4},
                                             {40, 3, 4},
                                             {40, 3, 40},
                                             {120, 5, 4},
                                             {200, 10, 10},
                                             {20, 60, 2}})
    for (const bool tails : {false, true})
      for (const double unit : {coarse, fine})
        near_the_truth(rows, inputs, agents, tails, unit, rows > 100 ? 2 : 4 * seeds);
  Table table(arguments[1]);
  for (std::uint64_t seed = 1; seed <= 2 * seeds; ++seed)
    for (const std::size_t honest : {1, 2})  // of ten agents with four rows each, at the ceiling of all forty
      table.attack("coalition", {4 * honest, 2, landmark_ceiling(40, 2), honest}, seed);
  for (std::uint64_t seed = 1; seed <= 4 * seeds; ++seed) {  // extreme rows, within reach at the ceiling
    const PoolShape shape{40, 1, landmark_ceiling(40, 1), 4};
    const MadeUpPool pool = made_up_pool(shape, 1000 * seed, true);
    const Matrix left = left_to_guess(pool.numbers, pool.rows, coarse);
    if (left.rowwise().maxCoeff().minCoeff() < found_within) table.attack("extreme", shape, seed, pool);
  }
  for (const auto& [rows, inputs, agents] :
       {std::tuple<std::size_t, std::size_t, std::size_t>{12, 1, 2}, {12, 2, 2}, {12, 3, 2}})
    for (const double share : {0.1, 0.25, 0.5, 0.75, 1., 1.5, 2., 3., 4.})
      for (std::uint64_t seed = 1; seed <= seeds; ++seed)
        table.attack("attack", {rows, inputs, landmarks_for(share, rows, inputs), agents}, seed);
}
