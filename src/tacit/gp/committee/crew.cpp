#include "tacit/gp/committee/crew.hpp"

#include <algorithm>
#include <optional>

#include "tacit/base/system/parallel.hpp"
#include "tacit/gp/committee/partial_crew.hpp"

namespace tacit {
namespace {

using Parts = std::vector<std::vector<Index>>;

class ThreadCrew final : public Crew {
 public:
  ThreadCrew(std::shared_ptr<const RowReader> source, std::shared_ptr<const Parts> parts, unsigned threads,
             std::shared_ptr<const RowUnits> units = {})
      : source_(std::move(source)), parts_(std::move(parts)), threads_(threads), units_(std::move(units)) {}

  std::size_t experts() const override { return parts_->size(); }
  std::size_t rows() const override { return source_->rows(); }
  Index inputs() const override { return source_->inputs(); }
  Index outputs() const override { return source_->outputs(); }

  std::vector<ExpertSums> lanes(const Job& job, std::size_t first, std::size_t end) const override {
    std::vector<ExpertSums> sums(end - first);
    if (sums.empty()) return sums;
    // If there are more threads than lanes, several threads work on each lane.
    const auto inside = static_cast<unsigned>((threads_ + sums.size() - 1) / sums.size());
    parallel_for(threads_, sums.size(),
                 [&](std::size_t k) { sums[k] = lane_sum(job, first + k, std::max(1u, inside)); });
    return sums;
  }

  std::shared_ptr<const Crew> in_units(std::shared_ptr<const RowUnits> units) const override {
    return std::make_shared<const ThreadCrew>(source_, parts_, threads_, std::move(units));
  }

  std::vector<Expert> make_experts(const MakeExpert& make) const override {
    std::vector<std::optional<Expert>> all(experts());
    parallel_for(threads_, experts(),
                 [&](std::size_t e) { with_block(e, [&](const Block& block) { all[e] = make(block); }); });
    std::vector<Expert> fitted;
    fitted.reserve(all.size());
    for (auto& one : all) fitted.push_back(std::move(*one));
    return fitted;
  }

  std::size_t factor_bytes() const override {
    std::size_t sum = 0;
    for (const auto& part : *parts_) sum += sizeof(double) * part.size() * part.size();
    return sum;
  }

 private:
  ExpertSums stretch_sum(const Job& job, std::size_t first, std::size_t end) const {
    const std::unique_ptr<Job::Part> part = job.part();
    for (std::size_t e = first; e < end; ++e) with_block(e, [&](const Block& block) { part->add(block); });
    return part->sum();
  }

  ExpertSums lane_sum(const Job& job, std::size_t lane, unsigned threads) const {
    const std::size_t first = lane_start(experts(), lane), count = lane_start(experts(), lane + 1) - first;
    const std::size_t stretches = stretch_count(count);
    const auto stretch = [&](std::size_t s) {
      return stretch_sum(job, first + count * s / stretches, first + count * (s + 1) / stretches);
    };
    ExpertSums total;
    if (threads == 1) {
      for (std::size_t s = 0; s < stretches; ++s) add_lane(total, stretch(s));
    } else {
      std::vector<ExpertSums> sums(stretches);
      parallel_for(threads, stretches, [&](std::size_t s) { sums[s] = stretch(s); });
      for (const ExpertSums& sum : sums) add_lane(total, sum);
    }
    return total;
  }

  template <class Use>
  void with_block(std::size_t expert, Use&& use) const {
    const std::vector<Index>& rows = (*parts_)[expert];
    Matrix inputs, outputs;
    source_->read(rows, inputs, outputs);
    if (units_) {
      inputs = units_->inputs.standard(inputs);
      outputs = units_->outputs.standard(outputs);
    }
    use(Block{expert, inputs, outputs, rows});
  }

  std::shared_ptr<const RowReader> source_;
  std::shared_ptr<const Parts> parts_;
  unsigned threads_;
  std::shared_ptr<const RowUnits> units_;
};

}  // namespace

Matrix Scaling::standard(const Matrix& original) const {
  return (original.rowwise() - shift.transpose()).array().rowwise() / scale.transpose().array();
}

Matrix Scaling::original(const Matrix& standard) const {
  return (standard.array().rowwise() * scale.transpose().array()).matrix().rowwise() + shift.transpose();
}

std::shared_ptr<const Crew> crew_of_threads(const Matrix& inputs, const Matrix& outputs,
                                            const CommitteeOptions& options, unsigned threads) {
  return crew_of_threads(rows_in_memory(inputs, outputs), options, threads);
}

std::shared_ptr<const Crew> crew_of_threads(std::shared_ptr<const RowReader> source,
                                            const CommitteeOptions& options, unsigned threads) {
  Parts parts = split_rows(*source, options);
  return partial_crew(std::move(source), std::move(parts), threads);
}

std::shared_ptr<const Crew> partial_crew(std::shared_ptr<const RowReader> source, Parts parts,
                                         unsigned threads) {
  auto shared = std::make_shared<const Parts>(std::move(parts));
  return std::make_shared<const ThreadCrew>(std::move(source), std::move(shared), threads);
}

std::unique_ptr<Job::Part> SumJob::part() const {
  struct Sum final : Part {
    explicit Sum(const SumJob& j) : job(j), all{std::vector<double>(j.sums_), 0} {}
    void add(const Block& block) override { job.add(block, all); }
    ExpertSums sum() const override { return all; }
    const SumJob& job;
    ExpertSums all;
  };
  return std::make_unique<Sum>(*this);
}

ExpertSums Crew::add_up(const Job& job) const {
  ExpertSums total;
  const std::size_t all = lane_count(experts());
  for (std::size_t first = 0; first < all; first += job.most_parts())
    for (const ExpertSums& lane : lanes(job, first, std::min(all, first + job.most_parts())))
      add_lane(total, lane);
  return total;
}

void add_lane(ExpertSums& total, const ExpertSums& lane) {
  if (total.sums.empty()) {
    total = lane;
    return;
  }
  for (std::size_t k = 0; k < total.sums.size(); ++k) total.sums[k] += lane.sums[k];
  total.jitter = std::max(total.jitter, lane.jitter);
}

}  // namespace tacit
