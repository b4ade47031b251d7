#include "tacit/gp/saved_file.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <fstream>
#include <iterator>

#include "tacit/base/error.hpp"
#include "tacit/base/system/files.hpp"
#include "tacit/base/system/release.hpp"

namespace tacit {
namespace {

constexpr std::size_t magic_size = 8;
constexpr std::size_t head_size = magic_size + 4 + 8 + 4;

std::uint32_t checksum(std::string_view body) {
  uLong sum = crc32_z(0, nullptr, 0);
  sum = crc32_z(sum, reinterpret_cast<const Bytef*>(body.data()), body.size());
  return static_cast<std::uint32_t>(sum);
}

template <class Number>
Number number_at(const char* at) {
  Number value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

std::string whole(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw InputError(fmt::format("{}: the file cannot be read; check the path", file.string()));
  return std::string(std::istreambuf_iterator<char>(stream), {});
}

}  // namespace

void SavedWriter::text(std::string_view value) {
  number<std::uint64_t>(value.size());
  text_.append(value);
}

void SavedWriter::matrix(const Matrix& m) {
  number<std::uint64_t>(static_cast<std::uint64_t>(m.rows()));
  number<std::uint64_t>(static_cast<std::uint64_t>(m.cols()));
  text_.append(reinterpret_cast<const char*>(m.data()), static_cast<std::size_t>(m.size()) * sizeof(double));
}

void SavedWriter::numbers(std::span<const double> values) {
  number<std::uint64_t>(values.size());
  text_.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
}

std::string SavedWriter::file(const SavedKind& kind) const {
  SavedWriter head;
  head.text_.append(kind.magic, magic_size);
  head.number(kind.version);
  head.number<std::uint64_t>(text_.size());
  head.number(checksum(text_));
  return head.text_ + text_;
}

void SavedWriter::save(const SavedKind& kind, const std::filesystem::path& path) const {
  write_whole(path, file(kind), 0600);
}

SavedReader::SavedReader(const SavedKind& kind, const std::filesystem::path& file)
    : SavedReader(kind, file.string(), whole(file)) {}

SavedReader::SavedReader(const SavedKind& kind, std::string name, std::string whole)
    : kind_(kind), name_(std::move(name)), whole_(std::move(whole)) {
  if (whole_.size() < head_size || whole_.compare(0, magic_size, kind.magic) != 0)
    throw InputError(fmt::format("{}: this is not {}", name_, kind.what));
  const char* at = whole_.data() + magic_size;
  const auto its = number_at<std::uint32_t>(at);
  check_format(name_, its, kind.version);
  if (its != kind.version)
    throw InputError(fmt::format("{}: the model was saved in format {}, this program reads format {}; {}",
                                 name_, its, kind.version, kind.cure));
  text_ = std::string_view(whole_).substr(head_size);
  if (number_at<std::uint64_t>(at + 4) != text_.size() ||
      number_at<std::uint32_t>(at + 12) != checksum(text_))
    damaged();
}

std::string SavedReader::text() {
  const auto size = number<std::uint64_t>();
  return std::string(take(size), size);
}

Matrix SavedReader::matrix() {
  const auto rows = number<std::uint64_t>(), columns = number<std::uint64_t>();
  // Also bounds matrices without cells, such as one of no rows and two columns.
  constexpr std::uint64_t longest = std::uint64_t{1} << 40;
  const std::uint64_t most = text_.size() / sizeof(double);
  if (rows > longest || columns > longest || (columns > 0 && rows > most / columns)) damaged();
  Matrix m(static_cast<Index>(rows), static_cast<Index>(columns));
  if (m.size() > 0)
    std::memcpy(m.data(), take(rows * columns * sizeof(double)), rows * columns * sizeof(double));
  return m;
}

Vector SavedReader::vector() {
  const Matrix m = matrix();
  if (m.cols() != 1) damaged();
  return m;
}

std::vector<double> SavedReader::numbers() {
  std::vector<double> values(count(sizeof(double)));
  if (!values.empty())
    std::memcpy(values.data(), take(values.size() * sizeof(double)), values.size() * sizeof(double));
  return values;
}

std::size_t SavedReader::count(std::size_t bytes) {
  const auto many = number<std::uint64_t>();
  if (many > text_.size() / bytes) damaged();
  return many;
}

void SavedReader::end() const {
  if (!text_.empty()) damaged();
}

void SavedReader::damaged() const {
  throw InputError(fmt::format("{}: the file is damaged; {}", name_, kind_.cure));
}

const char* SavedReader::take(std::uint64_t size) {
  if (size > text_.size()) damaged();
  const char* at = text_.data();
  text_.remove_prefix(size);
  return at;
}

}  // namespace tacit
