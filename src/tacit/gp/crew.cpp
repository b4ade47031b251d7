#include "tacit/gp/crew.hpp"

#include <algorithm>
#include <optional>

#include "tacit/base/parallel.hpp"

namespace tacit {
namespace {

using Parts = std::vector<std::vector<Index>>;

class ThreadCrew final : public Crew {
 public:
  ThreadCrew(const Matrix& inputs, const Matrix& outputs, std::shared_ptr<const Parts> parts,
             unsigned threads, std::shared_ptr<const RowUnits> units = {})
      : inputs_(inputs),
        outputs_(outputs),
        parts_(std::move(parts)),
        threads_(threads),
        units_(std::move(units)) {}

  std::size_t experts() const override { return parts_->size(); }
  std::size_t rows() const override { return static_cast<std::size_t>(inputs_.rows()); }
  Index inputs() const override { return inputs_.cols(); }
  Index outputs() const override { return outputs_.cols(); }

  AddedUp add_up(const Job& job) const override {
    const std::size_t lanes = std::min(experts(), job.most_lanes());
    std::vector<AddedUp> sums(lanes);
    parallel_for(threads_, lanes, [&](std::size_t lane) {
      const std::unique_ptr<Job::Part> part = job.part();
      for (std::size_t e = lane_start(experts(), lanes, lane); e < lane_start(experts(), lanes, lane + 1);
           ++e)
        with_block(e, [&](const Block& block) { part->add(block); });
      sums[lane] = part->sum();
    });
    return add_lanes(sums);
  }

  std::shared_ptr<const Crew> in_units(std::shared_ptr<const RowUnits> units) const override {
    return std::make_shared<const ThreadCrew>(inputs_, outputs_, parts_, threads_, std::move(units));
  }

  std::vector<Expert> fit(const FitOne& fit_one) const override {
    std::vector<std::optional<Expert>> all(experts());
    parallel_for(threads_, experts(),
                 [&](std::size_t e) { with_block(e, [&](const Block& block) { all[e] = fit_one(block); }); });
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
  template <class Use>
  void with_block(std::size_t expert, Use&& use) const {
    const std::vector<Index>& rows = (*parts_)[expert];
    Matrix inputs = inputs_(rows, Eigen::all), outputs = outputs_(rows, Eigen::all);
    if (units_) {
      inputs = units_->inputs.standard(inputs);
      outputs = units_->outputs.standard(outputs);
    }
    use(Block{expert, inputs, outputs, rows});
  }

  const Matrix& inputs_;
  const Matrix& outputs_;
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
  return std::make_shared<const ThreadCrew>(
      inputs, outputs, std::make_shared<const Parts>(split_rows(inputs, options)), threads);
}

std::unique_ptr<Job::Part> SumJob::part() const {
  struct Sum final : Part {
    explicit Sum(const SumJob& j) : job(j), all{std::vector<double>(j.sums_), 0} {}
    void add(const Block& block) override { job.add_(block, all.sums); }
    AddedUp sum() const override { return all; }
    const SumJob& job;
    AddedUp all;
  };
  return std::make_unique<Sum>(*this);
}

AddedUp add_lanes(std::span<const AddedUp> lanes) {
  AddedUp total = lanes[0];
  for (const AddedUp& lane : lanes.subspan(1)) {
    for (std::size_t k = 0; k < total.sums.size(); ++k) total.sums[k] += lane.sums[k];
    total.jitter = std::max(total.jitter, lane.jitter);
  }
  return total;
}

}  // namespace tacit
