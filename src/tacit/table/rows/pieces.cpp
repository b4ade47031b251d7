#include "tacit/table/rows/pieces.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tacit/base/error.hpp"
#include "tacit/gp/saved_file.hpp"
#include "tacit/table/csv/csv_parts.hpp"
#include "tacit/table/read_data.hpp"
#include "tacit/table/sql/sql.hpp"

namespace tacit {
namespace {

constexpr SavedKind rank_part{"tacitprt", 1, "what another rank read", "start the same release on all ranks"};
constexpr std::string_view share_mark = "{share}", shares_mark = "{shares}";

void replace_all(std::string& text, std::string_view mark, std::size_t number) {
  for (std::size_t at = 0; (at = text.find(mark, at)) != text.npos;)
    text.replace(at, mark.size(), std::to_string(number));
}

// The name of a setting where the user sets it.
std::string setting(const PieceRequest& options, const char* name) {
  return options.reading.settings == SettingsIn::agent_toml ? fmt::format("data.{}", name)
                                                            : fmt::format("`{}`", name);
}

void check_shares(const PieceRequest& options) {
  const bool marked = options.reading.sql.find(share_mark) != std::string::npos;
  const std::string shares = setting(options, "shares"), sql = setting(options, "sql");
  if (options.shares > 0 && !marked)
    throw InputError(shares + " runs the query several times, so " + sql +
                     " must select the rows of one share, as in SELECT * FROM patients WHERE id % {shares} = "
                     "{share}");
  if (marked && options.shares == 0)
    throw InputError(sql + " contains {share}; set the number of shares with " + shares);
}

std::vector<DataPiece> whole_pieces(const PieceRequest& options) {
  check_shares(options);
  std::vector<DataPiece> pieces;
  for (std::size_t file = 0; file < options.data.size(); ++file)
    for (std::size_t share = 0; share < std::max<std::size_t>(1, options.shares); ++share) {
      DataPiece& piece = pieces.emplace_back(DataPiece{options.data[file], options.reading, file});
      replace_all(piece.how.sql, share_mark, share);
      replace_all(piece.how.sql, shares_mark, options.shares);
    }
  return pieces;
}

// This process's part of the one file.
FilePart own_part(ReaderGroup& together, const std::filesystem::path& file) {
  const auto message = [](std::uint64_t one, std::uint64_t other) {
    SavedWriter out;
    out.number(one);
    out.number(other);
    return out.file(rank_part);
  };
  const ByteShare count = count_share(file, together.rank(), together.size());
  std::vector<ByteShare> counts;
  for (std::string& one : together.share(message(count.quotes, count.lines))) {
    SavedReader in(rank_part, "another rank", std::move(one));
    counts.push_back({in.number<std::uint64_t>(), in.number<std::uint64_t>()});
  }
  FilePart part = start_of(file, together.rank(), counts);
  const std::vector<std::string> starts = together.share(message(part.begin, 0));
  part.end = std::filesystem::file_size(file);
  if (together.rank() + 1 < starts.size()) {
    SavedReader next(rank_part, "another rank", starts[together.rank() + 1]);
    part.end = next.number<std::uint64_t>();
  }
  return part;
}

[[noreturn]] void refuse_too_few(const PieceRequest& options, std::size_t pieces, std::size_t ranks) {
  const std::string name = source_name(options.data[0]), shares = setting(options, "shares");
  if (options.shares > 0 && options.data.size() == 1)
    throw InputError(
        fmt::format("{}: {} share{} fewer than the {} ranks; use at least one share for each rank ({}), or "
                    "start fewer ranks",
                    name, pieces, pieces == 1 ? " is" : "s are", ranks, shares));
  if (options.data.size() > 1)
    throw InputError(fmt::format(
        "{} and {} more: {} files are fewer than the {} ranks, and each rank reads whole files; start {} "
        "ranks, "
        "or divide the data into more files ({})",
        name, options.data.size() - 1, options.data.size(), ranks, options.data.size(),
        options.reading.settings == SettingsIn::agent_toml ? "data.files" : "`parts` if they are one table"));
  throw InputError(fmt::format(
      "{}: this cannot be divided among {} ranks; use a CSV file that is not packed, as many files as ranks "
      "({}), or a query with {}",
      name, ranks,
      options.reading.settings == SettingsIn::agent_toml ? "data.files" : "`parts` if they are one table",
      shares));
}

}  // namespace

std::vector<DataPiece> pieces_of(const PieceRequest& options) {
  std::vector<DataPiece> all = whole_pieces(options);
  if (!options.together || options.together->size() == 1) return all;
  const std::size_t rank = options.together->rank(), ranks = options.together->size();
  if (all.size() == 1 && can_be_cut(all[0].source)) {
    all[0].how.part = own_part(*options.together, all[0].source);
    return all;
  }
  if (all.size() < ranks) refuse_too_few(options, all.size(), ranks);
  return {all.begin() + static_cast<std::ptrdiff_t>(all.size() * rank / ranks),
          all.begin() + static_cast<std::ptrdiff_t>(all.size() * (rank + 1) / ranks)};
}

}  // namespace tacit
