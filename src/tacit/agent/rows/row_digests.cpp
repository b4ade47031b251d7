#include "tacit/agent/rows/row_digests.hpp"

#include <fmt/format.h>
#include <sodium.h>

#include <algorithm>
#include <cstring>
#include <iterator>

#include "tacit/base/error.hpp"
#include "tacit/base/system/files.hpp"
#include "tacit/gp/saved_file.hpp"
#include "tacit/identity/encoding.hpp"
#include "tacit/secrecy/prg.hpp"

namespace tacit {
namespace {

namespace fs = std::filesystem;

constexpr SavedKind list_of_snapshots{
    "tacitsnh", 1, "a list of an agent's snapshots",
    "restore it, or remove it to discard the record of the rows of earlier fits"};
constexpr std::size_t most_digests = 4'000'000;  // of all snapshots: 32 MB

}  // namespace

RowSalt::RowSalt(const fs::path& folder) {
  const fs::path file = folder / "rows-salt";
  if (!fs::exists(file)) {
    Prg::from_os().fill(bytes_);
    write_whole(file, hex(bytes_) + '\n', 0600);
    return;
  }
  std::string text = read_whole(file, 1 << 10);
  if (!text.empty() && text.back() == '\n') text.pop_back();
  if (!from_hex(text, bytes_))
    throw InputError(
        fmt::format("{}: the file was changed or truncated. It identifies the rows in the ledger; restore it "
                    "from a backup",
                    file.string()));
}

RowSalt::RowSalt(std::span<const std::byte, 32> bytes) { std::ranges::copy(bytes, bytes_.begin()); }

RowSalt::~RowSalt() { sodium_memzero(bytes_.data(), bytes_.size()); }

RowDigests digests_of(const Samples& rows, const RowSalt& salt) {
  RowDigests digests(static_cast<std::size_t>(rows.inputs.rows()));
  std::vector<double> row(static_cast<std::size_t>(rows.inputs.cols() + rows.outputs.cols()));
  for (Index r = 0; r < rows.inputs.rows(); ++r) {
    auto cell = row.begin();
    for (const Matrix* part : {&rows.inputs, &rows.outputs})
      for (Index c = 0; c < part->cols(); ++c) *cell++ = (*part)(r, c) + 0.0;  // no -0
    std::array<unsigned char, crypto_generichash_BYTES_MIN> hash{};
    crypto_generichash(hash.data(), hash.size(), reinterpret_cast<const unsigned char*>(row.data()),
                       row.size() * sizeof(double),
                       reinterpret_cast<const unsigned char*>(salt.bytes().data()), salt.bytes().size());
    std::memcpy(&digests[static_cast<std::size_t>(r)], hash.data(), sizeof(std::uint64_t));
  }
  std::sort(digests.begin(), digests.end());
  return digests;
}

RowChanges between(const RowDigests& before, const RowDigests& after) {
  const auto only_in = [](const RowDigests& a, const RowDigests& b) {
    RowDigests left;
    std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(left));
    return left.size();
  };
  return {only_in(after, before), only_in(before, after)};
}

std::string in_words(const RowChanges& changes) {
  const auto several = [](std::size_t n) { return n == 1 ? "1 row" : fmt::format("{} rows", n); };
  return fmt::format("{} {} added and {} removed", several(changes.came), changes.came == 1 ? "was" : "were",
                     several(changes.went));
}

SnapshotHistory::SnapshotHistory(fs::path file) : file_(std::move(file)) {
  if (!fs::exists(file_)) return;
  SavedReader in(list_of_snapshots, file_);
  for (std::size_t left = in.count(3 * sizeof(std::uint64_t)); left > 0; --left) {
    PastSnapshot past{in.text(), in.text(), in.text(), {}};
    past.digests.resize(in.count(sizeof(std::uint64_t)));
    for (std::uint64_t& digest : past.digests) digest = in.number<std::uint64_t>();
    all_.push_back(std::move(past));
  }
  in.end();
}

void SnapshotHistory::add(PastSnapshot past) {
  all_.push_back(std::move(past));
  std::size_t digests = 0, kept = 0;
  for (auto one = all_.rbegin(); one != all_.rend(); ++one, ++kept)
    if ((digests += one->digests.size()) > most_digests && kept > 0) break;
  while (all_.size() > kept) all_.pop_front();
}

void SnapshotHistory::save() const {
  SavedWriter out;
  out.number<std::uint64_t>(all_.size());
  for (const PastSnapshot& past : all_) {
    for (const std::string* text : {&past.layout, &past.part, &past.taken_at}) out.text(*text);
    out.number<std::uint64_t>(past.digests.size());
    for (const std::uint64_t digest : past.digests) out.number(digest);
  }
  out.save(list_of_snapshots, file_);
}

}  // namespace tacit
