#include "tacit/agent/rows/row_files.hpp"

#include <stdexcept>
#include <utility>

#include "tacit/ranks/team/message.hpp"
#include "tacit/table/cells/bad_cells.hpp"

namespace tacit {
namespace {

// Errors about cells are returned, not thrown, with a second text for the log, which must not show cells.
AgentRows read_share(const AgentConfig& config, const Charter& charter, JointWork& together) {
  try {
    return read_rows(config.data.rows, charter, config.data.how, &together);
  } catch (const BadCellsError& e) {
    AgentRows none;
    none.bad.push_back({e.what(), e.quietly()});
    return none;
  }
}

std::string report(const AgentRows& read) {
  MessageWriter out;
  out.number<std::uint64_t>(read.dropped);
  out.number<std::uint64_t>(read.notes.size());
  for (const std::string& note : read.notes) out.text(note);
  out.number<std::uint64_t>(read.bad.size());
  for (const BadSentence& one : read.bad) {
    out.text(one.text);
    out.text(one.quietly);
  }
  return message(out);
}

// The value of this text, parsed only if the text differs from the last one.
template <class T, class Parse>
const T& last_or_parsed(std::optional<std::pair<std::string, T>>& last, std::string text, Parse&& parse) {
  if (!last || last->first != text) {
    T value = parse(text);
    last.emplace(std::move(text), std::move(value));
  }
  return last->second;
}

// The first of `count` rows that this rank receives, or of `count` files that it reads.
std::size_t first_of(std::size_t count, std::size_t rank, std::size_t ranks) { return count * rank / ranks; }

std::vector<RowFile> read_names(SavedReader& words) {
  std::vector<RowFile> files(words.count(2 * sizeof(std::uint64_t)));
  for (RowFile& file : files) {
    file.name = words.text();
    file.rows = words.number<std::uint64_t>();
  }
  return files;
}

}  // namespace

std::string RowFiles::run(Team& team, SavedReader& words, std::vector<Held>& parties) {
  const auto errand = words.choice<RowErrand>(row_errands);
  const auto set = words.number<std::uint64_t>();
  switch (errand) {
    case RowErrand::read:
      return read(team, set, words);
    case RowErrand::load:
      return load(team, set, words);
    case RowErrand::take:
      return take(team, set);
    case RowErrand::save:
      return save(team, set, words);
    case RowErrand::digests:
      return digests(set, words);
    case RowErrand::ranges: {
      MessageWriter out;
      out.matrix(ranges_of(share(set).own));
      return message(out);
    }
    case RowErrand::columns:
      return columns(team, set);
    case RowErrand::crew:
      return crew(team, set, words, parties);
    case RowErrand::forget:
      shares_.erase(set);
      return {};
  }
  throw std::logic_error("unknown row errand");
}

const RowsByRank& RowFiles::share(std::uint64_t set) const {
  const auto at = shares_.find(set);
  if (at == shares_.end()) throw std::logic_error("a set of rows was used before it was read");
  return at->second;
}

std::string RowFiles::put(JointWork& together, std::uint64_t set, Samples rows) {
  const RowsByRank& all = shares_[set] = joined(together, std::move(rows));
  MessageWriter shape;
  shape.number<std::uint64_t>(all.first.back());
  shape.number<std::int64_t>(all.own.inputs.cols());
  shape.number<std::int64_t>(all.own.outputs.cols());
  return message(shape);
}

std::string RowFiles::read(Team& team, std::uint64_t set, SavedReader& words) {
  const std::string file = words.text();
  std::string config_text = words.text(), charter_text = words.text();
  JointWork together(team);
  MessageWriter reply;
  together.run([&] {
    if (!team.leads()) {
      config = &last_or_parsed(read_config_, std::move(config_text),
                               [&](const std::string& text) { return parse_agent_config(file, text); });
      charter = &last_or_parsed(read_charter_, std::move(charter_text),
                                [](const std::string& text) { return parse_charter("charter", text); });
    }
    AgentRows read = read_share(*config, *charter, together);
    reply.text(report(read));
    reply.text(put(together, set, std::move(read.rows)));
  });
  return message(reply);
}

// Each rank reads consecutive files, so that the rows keep their order.
std::string RowFiles::load(Team& team, std::uint64_t set, SavedReader& words) {
  const std::filesystem::path folder = words.text();
  const std::vector<RowFile> files = read_names(words);
  JointWork together(team);
  std::string shape;
  together.run([&] {
    Samples rows;
    for (std::size_t k = first_of(files.size(), team.rank(), team.size());
         k < first_of(files.size(), team.rank() + 1, team.size()); ++k)
      append(rows, read_row_file(folder, files[k]));
    shape = put(together, set, std::move(rows));
  });
  return shape;
}

// Rank 0 sends each rank a block of its rows.
std::string RowFiles::take(Team& team, std::uint64_t set) {
  Samples own;
  if (team.leads()) {
    const auto rows = static_cast<std::size_t>(spreads->inputs.rows());
    for (std::size_t rank = 0; rank < team.size(); ++rank) {
      const auto first = static_cast<Index>(first_of(rows, rank, team.size())),
                 end = static_cast<Index>(first_of(rows, rank + 1, team.size()));
      Samples block{spreads->inputs.middleRows(first, end - first),
                    spreads->outputs.middleRows(first, end - first)};
      if (rank == 0) {
        own = std::move(block);
        continue;
      }
      MessageWriter out;
      out.matrix(block.inputs);
      out.matrix(block.outputs);
      team.send(rank, message(out));
    }
  } else {
    MessageReader in(team.receive(0));
    Matrix inputs = in.matrix();
    own = {std::move(inputs), in.matrix()};
  }
  JointWork together(team);
  std::string shape;
  together.run([&] { shape = put(together, set, std::move(own)); });
  return shape;
}

std::string RowFiles::save(Team& team, std::uint64_t set, SavedReader& words) const {
  const std::filesystem::path folder = words.text();
  const std::string stem = words.text();
  const RowFile file = save_rows(folder, stem + "-" + std::to_string(team.rank()) + ".tacit", share(set).own);
  MessageWriter out;
  out.text(file.name);
  out.number<std::uint64_t>(file.rows);
  return message(out);
}

std::string RowFiles::digests(std::uint64_t set, SavedReader& words) const {
  const std::string salt = words.text();
  if (salt.size() != 32) words.damaged();
  MessageWriter out;
  const RowDigests all = digests_of(share(set).own, RowSalt(std::as_bytes(std::span(salt)).first<32>()));
  out.number<std::uint64_t>(all.size());
  for (const std::uint64_t digest : all) out.number(digest);
  return message(out);
}

// Rank 0 receives one column of one rank at a time, so that it never holds more than that.
std::string RowFiles::columns(Team& team, std::uint64_t set) const {
  const Samples& own = share(set).own;
  for (const Matrix* part : {&own.inputs, &own.outputs})
    for (Index column = 0; column < part->cols(); ++column) {
      const std::span<const double> numbers(part->col(column).data(), static_cast<std::size_t>(part->rows()));
      if (!team.leads()) {
        MessageWriter out;
        out.numbers(numbers);
        team.send(0, message(out));
        team.flush();
        continue;
      }
      (*visits)(numbers);
      for (std::size_t rank = 1; rank < team.size(); ++rank) {
        MessageReader in(team.receive(rank));
        (*visits)(in.numbers());
      }
    }
  return {};
}

std::string RowFiles::crew(Team& team, std::uint64_t set, SavedReader& words,
                           std::vector<Held>& parties) const {
  CommitteeOptions committee;
  committee.expert_rows = words.number<std::uint64_t>();
  committee.split = words.choice<RowSplit>(2);
  committee.seed = words.number<std::uint64_t>();
  const auto threads = words.number<std::uint32_t>();
  JointWork together(team);
  Held dealt;
  together.run([&] { dealt = deal(team, share(set), committee, threads, parties.size()); });
  MessageWriter out;
  out.number<std::uint64_t>(parties.size());
  parties.assign(parties.size(), {});  // earlier parties are dropped; their numbers stay in use
  parties.push_back(std::move(dealt));
  return message(out);
}

}  // namespace tacit
