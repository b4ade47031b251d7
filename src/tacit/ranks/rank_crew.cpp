#include "tacit/ranks/rank_crew.hpp"

#include <fmt/format.h>

#include <exception>
#include <limits>
#include <mutex>
#include <utility>

#include "tacit/base/error.hpp"
#include "tacit/ranks/held_rows.hpp"
#include "tacit/ranks/job_file.hpp"
#include "tacit/ranks/row_runs.hpp"
#include "tacit/ranks/team/message.hpp"

namespace tacit {
namespace {

enum class Call : std::uint32_t { job, rows, errand, end };
enum class Outcome : std::uint32_t { done, refused, failed };

// The result of a rank, or its error message.
struct Found {
  std::vector<ExpertSums> lanes;
  Outcome outcome = Outcome::done;
  std::string text;
};

Found done_here(Team& team, const Crew& crew, std::size_t party, const Job& job) {
  const LaneRange own = lanes_of(team.rank(), team.size(), party, lane_count(crew.experts()));
  Found found;
  try {
    found.lanes = crew.lanes(job, own.first, own.end);
  } catch (const InputError& e) {
    found = {{}, Outcome::refused, e.what()};
  } catch (const std::exception& e) {
    found = {{}, Outcome::failed, e.what()};
  }
  return found;
}

std::string answer(const Found& found) {
  MessageWriter out;
  out.number(static_cast<std::uint32_t>(found.outcome));
  out.text(found.text);
  out.number<std::uint64_t>(found.lanes.size());
  for (const ExpertSums& lane : found.lanes) write_lane(out, lane);
  return message(out);
}

Found read_answer(std::string bytes) {
  MessageReader in(std::move(bytes));
  Found found;
  found.outcome = in.choice<Outcome>(3);
  found.text = in.text();
  found.lanes.resize(in.count(sizeof(double)));
  for (ExpertSums& lane : found.lanes) lane = read_lane(in);
  in.end();
  return found;
}

// Returns those of the requested rows that a rank holds, in the order requested.
std::pair<Matrix, Matrix> own_rows(std::size_t rank, const Held& held, std::span<const Index> which) {
  std::vector<Index> own;
  for (const Index row : which)
    if (held.rank_of.at(static_cast<std::size_t>(row)) == rank) own.push_back(row);
  std::pair<Matrix, Matrix> rows;
  held.rows->read(own, rows.first, rows.second);
  return rows;
}

std::pair<Matrix, Matrix> read_rows(std::string bytes) {
  MessageReader in(std::move(bytes));
  Matrix inputs = in.matrix();
  return {std::move(inputs), in.matrix()};
}

std::string answer_rows(std::size_t rank, const Held& held, SavedReader& in) {
  const auto [inputs, outputs] = own_rows(rank, held, read_runs(in));
  MessageWriter out;
  out.matrix(inputs);
  out.matrix(outputs);
  return message(out);
}

Found answer_job(Team& team, const Held& held, std::size_t party, SavedReader& in) {
  try {
    const std::shared_ptr<const RowUnits> units = read_units(in);
    const std::unique_ptr<const Job> job = read_job(in);
    const std::shared_ptr<const Crew> crew = units ? held.crew->in_units(units) : held.crew;
    return done_here(team, *crew, party, *job);
  } catch (const std::exception& e) {
    return {{}, Outcome::failed, e.what()};
  }
}

Found run_here(Team& team, const Errand& errand, SavedReader& words, std::vector<Held>& parties) {
  try {
    return {{}, Outcome::done, errand(team, words, parties)};
  } catch (const InputError& e) {
    return {{}, Outcome::refused, e.what()};
  } catch (const std::exception& e) {
    return {{}, Outcome::failed, e.what()};
  }
}

void check(const Found& found, const std::string& where) {
  if (found.outcome == Outcome::refused) throw InputError(found.text + where);
  if (found.outcome == Outcome::failed) throw Error(found.text + where);
}

std::string named(std::size_t rank) { return fmt::format(" (rank {})", rank); }

}  // namespace

// Share k of the lanes is on rank k + party, modulo the number of ranks.
LaneRange lanes_of(std::size_t rank, std::size_t ranks, std::size_t party, std::size_t lanes) {
  const std::size_t share = (rank + ranks - party % ranks) % ranks;
  return {lanes * share / ranks, lanes * (share + 1) / ranks};
}

std::vector<std::size_t> rank_of_expert(std::size_t ranks, std::size_t party, std::size_t experts) {
  std::vector<std::size_t> all(experts);
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    const LaneRange lanes = lanes_of(rank, ranks, party, lane_count(experts));
    for (std::size_t e = lane_start(experts, lanes.first); e < lane_start(experts, lanes.end); ++e)
      all[e] = rank;
  }
  return all;
}

struct Leader::State {
  Team& team;
  std::vector<Held> parties;
  Errand errand;
  std::mutex guard;  // one request at a time, because each needs all ranks

  ExpertSums add_up(std::size_t party, const RowUnits* units, const Crew& own, const Job& job) {
    const std::lock_guard lock(guard);
    MessageWriter out;
    out.number(static_cast<std::uint32_t>(Call::job));
    out.number<std::uint64_t>(party);
    write_units(out, units);
    write_job(out, job);
    std::string call = message(out);
    team.broadcast(call);
    std::vector<Found> found(team.size());
    found[0] = done_here(team, own, party, job);
    for (std::size_t rank = 1; rank < found.size(); ++rank) found[rank] = read_answer(team.receive(rank));
    ExpertSums total;
    for (std::size_t share = 0; share < found.size(); ++share) {
      const std::size_t rank = (share + party) % found.size();
      check(found[rank], named(rank));
      for (const ExpertSums& lane : found[rank].lanes) add_lane(total, lane);
    }
    return total;
  }

  void read(std::size_t party, std::span<const Index> which, Matrix& inputs, Matrix& outputs) {
    const std::lock_guard lock(guard);
    MessageWriter out;
    out.number(static_cast<std::uint32_t>(Call::rows));
    out.number<std::uint64_t>(party);
    write_runs(out, which);
    std::string call = message(out);
    team.broadcast(call);
    const Held& held = parties[party];
    inputs.resize(static_cast<Index>(which.size()), held.rows->inputs());
    outputs.resize(static_cast<Index>(which.size()), held.rows->outputs());
    for (std::size_t rank = 0; rank < team.size(); ++rank) {
      const auto [some_inputs, some_outputs] =
          rank == 0 ? own_rows(0, held, which) : read_rows(team.receive(rank));
      Index next = 0;
      for (std::size_t k = 0; k < which.size(); ++k) {
        if (held.rank_of[static_cast<std::size_t>(which[k])] != rank) continue;
        inputs.row(static_cast<Index>(k)) = some_inputs.row(next);
        outputs.row(static_cast<Index>(k)) = some_outputs.row(next++);
      }
    }
  }
};

namespace {

class RankRows final : public RowReader {
 public:
  using Read = std::function<void(std::span<const Index>, Matrix&, Matrix&)>;
  RankRows(std::shared_ptr<const RowReader> here, Read read)
      : here_(std::move(here)), read_(std::move(read)) {}

  std::size_t rows() const override { return here_->rows(); }
  Index inputs() const override { return here_->inputs(); }
  Index outputs() const override { return here_->outputs(); }
  void read(std::span<const Index> which, Matrix& inputs, Matrix& outputs) const override {
    read_(which, inputs, outputs);
  }

 private:
  std::shared_ptr<const RowReader> here_;
  Read read_;
};

class RankCrew final : public Crew {
 public:
  using AddUp = std::function<ExpertSums(const RowUnits*, const Crew&, const Job&)>;
  RankCrew(std::shared_ptr<const Crew> here, AddUp add_up, std::shared_ptr<const RowUnits> units = {})
      : here_(std::move(here)), add_up_(std::move(add_up)), units_(std::move(units)) {}

  std::size_t experts() const override { return here_->experts(); }
  std::size_t rows() const override { return here_->rows(); }
  Index inputs() const override { return here_->inputs(); }
  Index outputs() const override { return here_->outputs(); }
  ExpertSums add_up(const Job& job) const override { return add_up_(units_.get(), *here_, job); }
  std::vector<ExpertSums> lanes(const Job& job, std::size_t first, std::size_t end) const override {
    return here_->lanes(job, first, end);
  }
  std::shared_ptr<const Crew> in_units(std::shared_ptr<const RowUnits> units) const override {
    return std::make_shared<const RankCrew>(here_->in_units(units), add_up_, units);
  }
  std::vector<Expert> make_experts(const MakeExpert&) const override { return {}; }
  std::size_t factor_bytes() const override { return std::numeric_limits<std::size_t>::max(); }

 private:
  std::shared_ptr<const Crew> here_;
  AddUp add_up_;
  std::shared_ptr<const RowUnits> units_;
};

}  // namespace

Leader::Leader(Team& team, std::vector<Held> parties, Errand errand)
    : state_(new State{team, std::move(parties), std::move(errand), {}}) {}

Leader::~Leader() {
  try {
    MessageWriter out;
    out.number(static_cast<std::uint32_t>(Call::end));
    std::string call = message(out);
    state_->team.broadcast(call);
  } catch (const std::exception&) {  // a rank has already ended
  }
}

std::shared_ptr<const Crew> Leader::crew(std::size_t party) const {
  State& state = *state_;
  return std::make_shared<const RankCrew>(
      state.parties.at(party).crew, [&state, party](const RowUnits* units, const Crew& own, const Job& job) {
        return state.add_up(party, units, own, job);
      });
}

std::shared_ptr<const RowReader> Leader::rows(std::size_t party) const {
  State& state = *state_;
  return std::make_shared<const RankRows>(
      state.parties.at(party).rows,
      [&state, party](std::span<const Index> which, Matrix& inputs, Matrix& outputs) {
        state.read(party, which, inputs, outputs);
      });
}

std::vector<std::string> Leader::run(const SavedWriter& words) {
  State& state = *state_;
  const std::lock_guard lock(state.guard);
  MessageWriter out;
  out.number(static_cast<std::uint32_t>(Call::errand));
  std::string call = message(out), letter = message(words);
  state.team.broadcast(call);
  state.team.broadcast(letter);
  std::vector<Found> found(state.team.size());
  MessageReader in(std::move(letter));
  found[0] = run_here(state.team, state.errand, in, state.parties);
  for (std::size_t rank = 1; rank < found.size(); ++rank) found[rank] = read_answer(state.team.receive(rank));
  std::vector<std::string> answers;
  for (std::size_t rank = 0; rank < found.size(); ++rank) {
    check(found[rank], rank == 0 ? "" : named(rank));  // an error that all share has no rank's name
    answers.push_back(std::move(found[rank].text));
  }
  return answers;
}

void serve(Team& team, std::vector<Held> parties, const Errand& errand) {
  while (true) {
    std::string call;
    team.broadcast(call);
    MessageReader in(std::move(call));
    const Call what = in.choice<Call>(4);
    if (what == Call::end) return;
    if (what == Call::errand) {
      std::string letter;
      team.broadcast(letter);
      MessageReader words(std::move(letter));
      team.send(0, answer(run_here(team, errand, words, parties)));
    } else {
      const auto party = in.number<std::uint64_t>();
      if (party >= parties.size() || !parties[party].crew) in.damaged();
      const Held& held = parties[party];
      team.send(0, what == Call::rows ? answer_rows(team.rank(), held, in)
                                      : answer(answer_job(team, held, party, in)));
    }
    team.flush();
  }
}

}  // namespace tacit
