#include "tacit/lab/study/parties/party_pieces.hpp"

#include <algorithm>

#include "tacit/base/error.hpp"
#include "tacit/gp/saved_file.hpp"

namespace tacit {
namespace {

constexpr SavedKind shared_parts{"tacitprt", 2, "what another rank read",
                                 "start the same release on all ranks"};

}  // namespace

std::vector<std::size_t> share_pieces(ReaderGroup& together, const std::vector<std::string>& inputs,
                                      std::vector<PieceRead>& pieces) {
  const auto texts = [](SavedWriter& out, const std::vector<std::string>& all) {
    out.number<std::uint64_t>(all.size());
    for (const std::string& one : all) out.text(one);
  };
  const auto read_texts = [](SavedReader& in) {
    std::vector<std::string> all(in.count(sizeof(std::uint64_t)));
    for (std::string& one : all) one = in.text();
    return all;
  };
  SavedWriter out;
  texts(out, inputs);
  out.number<std::uint64_t>(pieces.size());
  for (const PieceRead& piece : pieces) {
    out.number<std::uint64_t>(piece.file);
    out.text(piece.found.name);
    out.number<std::uint64_t>(piece.found.rows);
    out.number<std::uint64_t>(piece.found.dropped);
    texts(out, piece.found.notes);
  }
  pieces.clear();
  std::vector<std::size_t> first{0};
  for (std::string& one : together.share(out.file(shared_parts))) {
    SavedReader in(shared_parts, "another rank", std::move(one));
    if (read_texts(in) != inputs)
      throw InputError(
          "the files have different columns or another order of columns; name the inputs with `inputs`");
    first.push_back(first.back());
    for (std::size_t left = in.count(1); left > 0; --left) {
      PieceRead& piece = pieces.emplace_back();
      piece.file = in.number<std::uint64_t>();
      piece.found.name = in.text();
      piece.found.rows = in.number<std::uint64_t>();
      piece.found.dropped = in.number<std::uint64_t>();
      piece.found.notes = read_texts(in);
      first.back() += piece.found.rows;
    }
  }
  return first;
}

std::vector<DataFile> files_of(const std::vector<PieceRead>& pieces) {
  std::vector<DataFile> files;
  for (const PieceRead& piece : pieces) {
    if (piece.file == files.size()) {
      files.push_back(piece.found);
      continue;
    }
    files[piece.file].rows += piece.found.rows;
    files[piece.file].dropped += piece.found.dropped;
  }
  return files;
}

void share_rows(ReaderGroup& together, const std::vector<std::size_t>& first, Samples own,
                const std::vector<std::size_t>& lines, const RowNumbers& test, Parties& parties) {
  const std::size_t begin = first[together.rank()];
  std::vector<Index> asked;
  TargetRange range;
  auto next = std::ranges::lower_bound(test, begin);
  for (Index row = 0; row < own.inputs.rows(); ++row)
    if (next != test.end() && *next == begin + static_cast<std::size_t>(row)) {
      asked.push_back(row);
      ++next;
    } else {
      range.include(own.outputs.row(row));
    }
  SavedWriter out;
  out.matrix(range.low.transpose());
  out.matrix(range.high.transpose());
  out.matrix(own.inputs(asked, Eigen::all));
  out.matrix(own.outputs(asked, Eigen::all));
  for (const Index row : asked) out.number<std::uint64_t>(lines[static_cast<std::size_t>(row)]);
  Samples tested{Matrix(static_cast<Index>(test.size()), own.inputs.cols()),
                 Matrix(static_cast<Index>(test.size()), own.outputs.cols())};
  Index at = 0;
  for (std::string& one : together.share(out.file(shared_parts))) {
    SavedReader in(shared_parts, "another rank", std::move(one));
    parties.target_range.include(in.matrix());
    parties.target_range.include(in.matrix());
    const Matrix inputs = in.matrix();
    tested.inputs.middleRows(at, inputs.rows()) = inputs;
    tested.outputs.middleRows(at, inputs.rows()) = in.matrix();
    at += inputs.rows();
    for (Index row = 0; row < inputs.rows(); ++row) parties.test.lines.push_back(in.number<std::uint64_t>());
  }
  if (!test.empty()) {
    parties.test.inputs = std::move(tested.inputs);
    parties.test.outputs = std::move(tested.outputs);
  }
  parties.elsewhere.read->first = first;
  parties.elsewhere.read->own = std::move(own);
}

}  // namespace tacit
