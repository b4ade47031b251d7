#include "tacit/lab/rivals/shares/party.hpp"

#include <algorithm>
#include <cmath>

#include "tacit/base/error.hpp"

namespace tacit::shares {
namespace {

constexpr Tag rows_tag{.run = 1, .round = 0, .about = 0, .step = Step::share};
constexpr Tag answer_tag{.run = 2, .round = 0, .about = 0, .step = Step::share};

// Appends points in their units by rows, and then their squared norms.
void append_points(Words& out, const Matrix& points, const Vector& centre, double scale) {
  const Matrix scaled = (points.rowwise() - centre.transpose()) * scale;
  for (Index i = 0; i < scaled.rows(); ++i)
    for (Index d = 0; d < scaled.cols(); ++d) out.push_back(encode(scaled(i, d)));
  // Norms of the rounded points, so that distances are exact for the rounded points.
  for (Index i = 0; i < scaled.rows(); ++i) {
    Word norm = 0;
    const Word* row = &out[out.size() - static_cast<std::size_t>(scaled.size()) -
                           static_cast<std::size_t>(i) + static_cast<std::size_t>(i * scaled.cols())];
    for (Index d = 0; d < scaled.cols(); ++d) norm += row[d] * row[d];
    out.push_back(norm);
  }
}

Words cut(const Words& from, std::size_t& at, std::size_t count) {
  const auto begin = from.begin() + static_cast<std::ptrdiff_t>(at);
  at += count;
  return {begin, begin + static_cast<std::ptrdiff_t>(count)};
}

}  // namespace

Task<bool> send_rows(Channel& net, const Question& question) {
  const std::size_t self = net.self() - first_party;
  const Samples& own = question.parties.agents[self];
  Words secret;
  for (const std::size_t output : question.shape.outputs) {
    const double scale = input_scale(question.shared[output], question.shape.squarings);
    if (self == 0) append_points(secret, question.parties.test.inputs, question.centre, scale);
    append_points(secret, own.inputs, question.centre, scale);
    for (Index i = 0; i < own.outputs.rows(); ++i)
      secret.push_back(
          encode(own.outputs(i, static_cast<Index>(output)) / question.parties.target_range.most()));
  }
  Words share(secret.size());
  net.randomness().fill(std::as_writable_bytes(std::span(share)));
  subtract_from(secret, share);
  send_words(net, 0, rows_tag, share);
  send_words(net, 1, rows_tag, secret);
  co_return true;
}

Task<std::vector<Rows>> receive_rows(Server& server, const Shape& shape) {
  const std::size_t width = shape.inputs + 1;
  std::vector<Rows> rows(shape.jobs.size());
  std::vector<Words> test_inputs, test_norms;
  for (std::size_t party = 0; party < shape.parties; ++party) {
    const auto job = std::ranges::find(shape.jobs, party, &Job::party);
    const std::size_t count =
        shape.outputs.size() * (job->rows * (width + 1) + (party ? 0 : shape.points * width));
    const Payload message =
        co_await server.net().receive(first_party + static_cast<AgentId>(party), rows_tag);
    const Words all = words_of(message, count);
    std::size_t at = 0;
    for (std::size_t k = 0; k < shape.outputs.size(); ++k) {
      if (party == 0) {
        test_inputs.push_back(cut(all, at, shape.points * shape.inputs));
        test_norms.push_back(cut(all, at, shape.points));
      }
      const auto mine = std::ranges::find_if(
          shape.jobs, [&](const Job& one) { return one.party == party && one.output == shape.outputs[k]; });
      Rows& into = rows[static_cast<std::size_t>(mine - shape.jobs.begin())];
      into.inputs = cut(all, at, mine->rows * shape.inputs);
      into.norms = cut(all, at, mine->rows);
      into.outputs = cut(all, at, mine->rows);
      into.inputs.insert(into.inputs.end(), test_inputs[k].begin(), test_inputs[k].end());
      into.norms.insert(into.norms.end(), test_norms[k].begin(), test_norms[k].end());
    }
  }
  co_return rows;
}

Task<bool> send_answer(Server& server, const Shape& shape, const FusedShares& fused) {
  Words both = fused.mean;
  both.insert(both.end(), fused.variance.begin(), fused.variance.end());
  for (std::size_t party = 0; party < shape.parties; ++party)
    send_words(server.net(), first_party + static_cast<AgentId>(party), answer_tag, both);
  co_return true;
}

Task<Prediction> receive_answer(Channel& net, const Question& question) {
  const Shape& shape = question.shape;
  const std::size_t numbers = shape.outputs.size() * shape.points;
  const Payload from_0 = co_await net.receive(0, answer_tag), from_1 = co_await net.receive(1, answer_tag);
  Words sum = words_of(from_0, 2 * numbers);
  add_to(sum, words_of(from_1, 2 * numbers));
  const auto points = static_cast<Index>(shape.points), outputs = static_cast<Index>(shape.outputs.size());
  Prediction prediction{Matrix(points, outputs), Matrix(points, outputs)};
  for (Index k = 0; k < outputs; ++k) {
    const Hyperparameters& h = question.shared[shape.outputs[static_cast<std::size_t>(k)]];
    for (Index p = 0; p < points; ++p) {
      const auto at = static_cast<std::size_t>(k * points + p);
      const double mean = decode(sum[at]), variance = decode(sum[numbers + at], shape.fused.bits);
      if (!(std::abs(mean) <= shape.mean_bound) || !(variance > 0 && variance <= shape.variance_bound))
        throw Error(
            "the opened prediction of two servers is outside its public bounds, because the fixed point has "
            "overflowed; use more noise or fewer rows");
      prediction.mean(p, k) = mean * question.parties.target_range.most();
      prediction.latent_variance(p, k) = variance * (h.signal * h.signal + h.noise * h.noise);
    }
  }
  co_return prediction;
}

}  // namespace tacit::shares
