#include "tacit/agent/rows/rank_rows.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <utility>

#include "tacit/agent/rows/row_files.hpp"
#include "tacit/charter/charter.hpp"
#include "tacit/ranks/team/message.hpp"

namespace tacit {
namespace {

MessageWriter errand(RowErrand what, std::uint64_t set) {
  MessageWriter out;
  out.number(static_cast<std::uint32_t>(what));
  out.number(set);
  return out;
}

Errand errands_of(RowFiles& files) {
  return [&files](Team& team, SavedReader& words, std::vector<Held>& parties) {
    return files.run(team, words, parties);
  };
}

// Adds the report of one rank.
void add_report(FoundRows& found, std::string bytes) {
  MessageReader in(std::move(bytes));
  found.dropped += in.number<std::uint64_t>();
  for (std::size_t left = in.count(sizeof(std::uint64_t)); left > 0; --left) {
    std::string note = in.text();
    if (std::ranges::find(found.notes, note) == found.notes.end()) found.notes.push_back(std::move(note));
  }
  for (std::size_t left = in.count(sizeof(std::uint64_t)); left > 0; --left) {
    std::string text = in.text();
    found.bad.push_back({std::move(text), in.text()});
  }
}

}  // namespace

struct RankHome::State {
  State(Team& team, unsigned its_threads) : threads(its_threads), leader(team, {}, errands_of(files)) {}

  std::vector<std::string> run(const MessageWriter& words) {
    const std::lock_guard lock(guard);
    return leader.run(words);
  }

  const unsigned threads;
  RowFiles files;
  Leader leader;
  std::mutex guard;  // setting an input of `files`, with the errand that uses it, is one step
  std::atomic<std::uint64_t> sets = 0;
};

class RankHome::Set final : public RowSet {
 public:
  Set(std::shared_ptr<State> state, std::uint64_t set, std::string shape)
      : state_(std::move(state)), set_(set) {
    MessageReader in(std::move(shape));
    rows_ = in.number<std::uint64_t>();
    inputs_ = in.number<std::int64_t>();
    outputs_ = in.number<std::int64_t>();
  }
  ~Set() override {
    try {
      state_->run(errand(RowErrand::forget, set_));
    } catch (const std::exception&) {  // a rank has ended, and its rows with it
    }
  }

  std::size_t rows() const override { return rows_; }
  Index inputs() const override { return inputs_; }
  Index outputs() const override { return outputs_; }

  void visit_columns(const Visit& visit) const override {
    const std::lock_guard lock(state_->guard);
    state_->files.visits = &visit;
    state_->leader.run(errand(RowErrand::columns, set_));
  }

  RowDigests digests(const RowSalt& salt) const override {
    MessageWriter words = errand(RowErrand::digests, set_);
    words.text({reinterpret_cast<const char*>(salt.bytes().data()), salt.bytes().size()});
    RowDigests all;
    for (std::string& one : state_->run(words)) {
      MessageReader in(std::move(one));
      const auto middle = static_cast<std::ptrdiff_t>(all.size());
      for (std::size_t left = in.count(sizeof(std::uint64_t)); left > 0; --left)
        all.push_back(in.number<std::uint64_t>());
      std::inplace_merge(all.begin(), all.begin() + middle, all.end());
    }
    return all;
  }

  Matrix ranges() const override {
    Matrix all;
    for (std::string& one : state_->run(errand(RowErrand::ranges, set_))) {
      MessageReader in(std::move(one));
      const Matrix some = in.matrix();
      if (all.size() == 0) all = some;
      all.row(0) = all.row(0).cwiseMin(some.row(0));
      all.row(1) = all.row(1).cwiseMax(some.row(1));
    }
    return all;
  }

  std::shared_ptr<const Crew> crew(const CommitteeOptions& committee) const override {
    MessageWriter words = errand(RowErrand::crew, set_);
    words.number<std::uint64_t>(committee.expert_rows);
    words.number(static_cast<std::uint32_t>(committee.split));
    words.number(committee.seed);
    words.number<std::uint32_t>(state_->threads);
    MessageReader in(state_->run(words)[0]);
    return state_->leader.crew(in.number<std::uint64_t>());
  }

  std::vector<RowFile> save(const std::filesystem::path& folder, const std::string& stem) const override {
    MessageWriter words = errand(RowErrand::save, set_);
    words.text(folder.string());
    words.text(stem);
    std::vector<RowFile> files;
    for (std::string& one : state_->run(words)) {
      MessageReader in(std::move(one));
      std::string name = in.text();
      files.push_back({std::move(name), in.number<std::uint64_t>()});
    }
    return files;
  }

 private:
  const std::shared_ptr<State> state_;
  const std::uint64_t set_;
  std::size_t rows_ = 0;
  Index inputs_ = 0, outputs_ = 0;
};

RankHome::RankHome(Team& team, unsigned threads) : state_(std::make_shared<State>(team, threads)) {}
RankHome::~RankHome() = default;

FoundRows RankHome::read(const AgentConfig& config, const Charter& charter) {
  const std::uint64_t set = state_->sets++;
  MessageWriter words = errand(RowErrand::read, set);
  words.text((config.state / "agent.toml").string());  // its paths are absolute
  words.text(to_toml(config));
  words.text(to_toml(charter));
  std::vector<std::string> replies;
  {
    const std::lock_guard lock(state_->guard);
    state_->files.config = &config;
    state_->files.charter = &charter;
    replies = state_->leader.run(words);
  }
  FoundRows found;
  for (std::string& one : replies) {
    MessageReader in(std::move(one));
    add_report(found, in.text());
    std::string shape = in.text();
    if (!found.rows) found.rows = std::make_shared<const Set>(state_, set, std::move(shape));
  }
  if (found.bad.empty()) check_row_count(config.data.rows, found.rows->rows(), charter);
  return found;
}

Rows RankHome::kept(const std::filesystem::path& folder, const std::vector<RowFile>& files) {
  const std::uint64_t set = state_->sets++;
  MessageWriter words = errand(RowErrand::load, set);
  words.text(folder.string());
  words.number<std::uint64_t>(files.size());
  for (const RowFile& file : files) {
    words.text(file.name);
    words.number<std::uint64_t>(file.rows);
  }
  return std::make_shared<const Set>(state_, set, state_->run(words)[0]);
}

Rows RankHome::spread(Samples rows) {
  const std::uint64_t set = state_->sets++;
  std::string shape;
  {
    const std::lock_guard lock(state_->guard);
    state_->files.spreads = &rows;
    shape = state_->leader.run(errand(RowErrand::take, set))[0];
  }
  return std::make_shared<const Set>(state_, set, std::move(shape));
}

void serve_agent(Team& team) {
  RowFiles files;
  serve(team, {}, errands_of(files));
}

}  // namespace tacit
