#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "tacit/ranks/shared_rows.hpp"
#include "tacit/ranks/team/thread_team.hpp"

namespace tacit {
namespace {

// Wraps a team and records the length of the longest message.
class Watched final : public Team {
 public:
  explicit Watched(Team& team) : team_(team) {}
  std::size_t rank() const override { return team_.rank(); }
  std::size_t size() const override { return team_.size(); }
  void send(std::size_t to, std::string bytes) override {
    longest = std::max(longest, bytes.size());
    team_.send(to, std::move(bytes));
  }
  std::string receive(std::size_t from) override { return team_.receive(from); }
  void flush() override { team_.flush(); }

  std::size_t longest = 0;

 private:
  Team& team_;
};

TEST(Dealing, RowsAreSentInSmallPartsAndNoneIsLost) {
  const Index rows = 300'000;
  const std::vector<Index> first{0, 200'000, 200'000, rows};  // the second rank reads none
  const auto row = [](Index k) { return std::array{double(k), -0.5 * double(k), 3.0 * double(k)}; };
  run_ranks(3, [&](Team& some) {
    Watched team(some);
    const auto own = [&]() -> Samples {
      const Index begin = first[team.rank()], count = first[team.rank() + 1] - begin;
      Samples read{Matrix(count, 2), Matrix(count, 1)};
      for (Index k = 0; k < count; ++k) {
        const auto numbers = row(begin + k);
        read.inputs.row(k) << numbers[0], numbers[1];
        read.outputs(k, 0) = numbers[2];
      }
      return read;
    };
    std::vector<Held> held;
    held.push_back(gather_rows(team, own, {.expert_rows = 100}, 1));
    EXPECT_LT(team.longest, std::size_t{1} << 20);
    if (!team.leads()) return serve(team, std::move(held));
    const Leader leader(team, std::move(held));
    std::vector<Index> which(static_cast<std::size_t>(rows));
    for (std::size_t k = 0; k < which.size(); ++k) which[k] = static_cast<Index>(k);
    Matrix inputs, outputs;
    leader.rows(0)->read(which, inputs, outputs);
    Index wrong = 0;
    for (Index k = 0; k < rows; ++k) wrong += row(k) != std::array{inputs(k, 0), inputs(k, 1), outputs(k, 0)};
    EXPECT_EQ(wrong, 0);
  });
}

}  // namespace
}  // namespace tacit
