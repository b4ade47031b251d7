// A model as a file: "tacitgpm", a version, the length and CRC-32 of the rest, then the rest. Numbers are
// little-endian; reals are their 64 bits, so that nothing is lost.
#include <fmt/format.h>
#include <zlib.h>

#include <bit>
#include <cstring>
#include <fstream>
#include <iterator>

#include "tacit/base/error.hpp"
#include "tacit/base/files.hpp"
#include "tacit/base/parallel.hpp"
#include "tacit/gp/fit.hpp"

namespace tacit {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr char magic[] = {'t', 'a', 'c', 'i', 't', 'g', 'p', 'm'};
constexpr std::uint32_t version = 1;
constexpr std::size_t head_size = sizeof magic + 4 + 8 + 4;

std::uint32_t checksum(std::string_view body) {
  uLong sum = crc32_z(0, nullptr, 0);
  sum = crc32_z(sum, reinterpret_cast<const Bytef*>(body.data()), body.size());
  return static_cast<std::uint32_t>(sum);
}

class Writer {
 public:
  template <class Number>
  void number(Number value) {
    text_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void text(std::string_view value) {
    number<std::uint64_t>(value.size());
    text_.append(value);
  }
  void matrix(const Matrix& m) {
    number<std::uint64_t>(static_cast<std::uint64_t>(m.rows()));
    number<std::uint64_t>(static_cast<std::uint64_t>(m.cols()));
    text_.append(reinterpret_cast<const char*>(m.data()),
                 static_cast<std::size_t>(m.size()) * sizeof(double));
  }
  const std::string& written() const { return text_; }

 private:
  std::string text_;
};

class Reader {
 public:
  Reader(std::string_view text, const std::filesystem::path& file) : text_(text), file_(file) {}

  template <class Number>
  Number number() {
    Number value;
    std::memcpy(&value, take(sizeof value), sizeof value);
    return value;
  }
  std::string text() {
    const auto size = number<std::uint64_t>();
    return std::string(take(size), size);
  }
  Matrix matrix() {
    const auto rows = number<std::uint64_t>(), columns = number<std::uint64_t>();
    const std::uint64_t most = text_.size() / sizeof(double);
    if (rows > most || columns > most || (columns > 0 && rows > most / columns)) damaged();
    Matrix m(static_cast<Index>(rows), static_cast<Index>(columns));
    if (m.size() > 0)
      std::memcpy(m.data(), take(rows * columns * sizeof(double)), rows * columns * sizeof(double));
    return m;
  }
  Vector vector() {
    const Matrix m = matrix();
    if (m.cols() != 1) damaged();
    return m;
  }
  /// A number that must be below `count`.
  template <class Enum>
  Enum choice(std::uint32_t count) {
    const auto value = number<std::uint32_t>();
    if (value >= count) damaged();
    return static_cast<Enum>(value);
  }
  void end() const {
    if (!text_.empty()) damaged();
  }
  [[noreturn]] void damaged() const {
    throw InputError(fmt::format("{}: the file is damaged; fit and save the model again", file_.string()));
  }

 private:
  const char* take(std::uint64_t size) {
    if (size > text_.size()) damaged();
    const char* at = text_.data();
    text_.remove_prefix(size);
    return at;
  }
  std::string_view text_;
  const std::filesystem::path& file_;
};

}  // namespace

void Model::save(const std::filesystem::path& file) const {
  Writer body;
  body.text(prior_.kernel.text());
  body.number(prior_.noise);
  body.matrix(offset_);
  body.number(static_cast<std::uint32_t>(fusion_));
  body.number<std::uint64_t>(committee_.expert_rows);
  body.number(static_cast<std::uint32_t>(committee_.split));
  body.number(committee_.seed);
  body.number(report_.log_marginal_likelihood);
  body.number(report_.jitter);
  body.number<std::uint64_t>(report_.evaluations);
  body.number<std::uint32_t>(report_.converged);
  body.text(report_.reason);
  body.number<std::uint64_t>(report_.at_bound.size());
  for (const std::string& name : report_.at_bound) body.text(name);
  body.matrix(Eigen::Map<const Vector>(report_.trace.data(), static_cast<Index>(report_.trace.size())));
  body.number<std::uint64_t>(report_.experts);
  body.matrix(inputs_);
  body.matrix(centred_);
  body.number<std::uint32_t>(expert_.has_value());
  if (expert_) {
    body.number(expert_->jitter());
    body.matrix(expert_->factor().lower());
  }
  Writer head;
  for (char c : magic) head.number(c);
  head.number(version);
  head.number<std::uint64_t>(body.written().size());
  head.number(checksum(body.written()));
  write_whole(file, head.written() + body.written(), 0600);  // the rows it was fitted to are in it
}

Model Model::load(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw InputError(fmt::format("{}: the file cannot be read; check the path", file.string()));
  const std::string whole{std::istreambuf_iterator<char>(stream), {}};
  if (whole.size() < head_size || std::memcmp(whole.data(), magic, sizeof magic) != 0)
    throw InputError(fmt::format("{}: this is not a saved model", file.string()));
  Reader head(std::string_view(whole).substr(sizeof magic, head_size - sizeof magic), file);
  if (const auto its = head.number<std::uint32_t>(); its != version)
    throw InputError(fmt::format("{}: the model was saved in format {}, this program reads format {}",
                                 file.string(), its, version));
  const std::string_view body = std::string_view(whole).substr(head_size);
  const auto size = head.number<std::uint64_t>();
  const auto sum = head.number<std::uint32_t>();
  Reader reader(body, file);
  if (size != body.size() || sum != checksum(body)) reader.damaged();

  Prior prior;
  const std::string kernel = reader.text();
  prior.kernel = parse_kernel(kernel, kernel.size());
  prior.noise = reader.number<double>();
  Vector offset = reader.vector();
  const auto fusion = reader.choice<Fusion>(std::size(all_fusions));
  CommitteeOptions committee;
  committee.expert_rows = reader.number<std::uint64_t>();
  committee.split = reader.choice<RowSplit>(2);
  committee.seed = reader.number<std::uint64_t>();
  FitReport report;
  report.log_marginal_likelihood = reader.number<double>();
  report.jitter = reader.number<double>();
  report.evaluations = reader.number<std::uint64_t>();
  report.converged = reader.choice<std::uint32_t>(2) != 0;
  report.reason = reader.text();
  for (auto left = reader.number<std::uint64_t>(); left > 0; --left) report.at_bound.push_back(reader.text());
  const Vector trace = reader.vector();
  report.trace.assign(trace.begin(), trace.end());
  report.experts = reader.number<std::uint64_t>();
  Matrix inputs = reader.matrix(), centred = reader.matrix();
  if (inputs.size() == 0 || centred.rows() != inputs.rows() || centred.cols() != offset.size() ||
      committee.expert_rows == 0)
    reader.damaged();
  prior = checked_prior(prior, inputs.cols());
  std::optional<Expert> expert;
  if (reader.choice<std::uint32_t>(2)) {
    const auto jitter = reader.number<double>();
    Matrix lower = reader.matrix();
    if (lower.rows() != inputs.rows() || lower.cols() != inputs.rows()) reader.damaged();
    expert = Expert(inputs, centred, prior, Cholesky::restored(std::move(lower), jitter));
  }
  reader.end();
  return Model(std::move(inputs), std::move(centred), std::move(offset), std::move(prior), std::move(report),
               committee, fusion, default_threads(), std::move(expert));
}

}  // namespace tacit
