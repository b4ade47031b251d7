#include "tacit/agent/model/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "tacit/agent/daemon/utc.hpp"
#include "tacit/agent/model/model.pb.h"
#include "tacit/base/error.hpp"
#include "tacit/consortium/pool/draw_landmarks.hpp"
#include "tacit/identity/encoding.hpp"
#include "tacit/secrecy/bytes.hpp"

namespace tacit {
namespace {

// A serialisation that is the same on all machines. Lists and texts are preceded by their length.
class Canonical {
 public:
  Canonical& count(std::uint64_t value) {
    for (int k = 0; k < 8; ++k) bytes_.push_back(static_cast<std::byte>(value >> (8 * k)));
    return *this;
  }
  Canonical& number(double value) { return count(std::bit_cast<std::uint64_t>(value)); }
  Canonical& text(std::string_view value) {
    count(value.size());
    return raw(bytes_of(value));
  }
  Canonical& raw(std::span<const std::byte> value) {
    bytes_.insert(bytes_.end(), value.begin(), value.end());
    return *this;
  }
  Canonical& numbers(const Vector& values) {
    count(static_cast<std::uint64_t>(values.size()));
    for (const double value : values) number(value);
    return *this;
  }
  Canonical& numbers(const Matrix& values) {
    count(static_cast<std::uint64_t>(values.rows())).count(static_cast<std::uint64_t>(values.cols()));
    for (const double value : values.reshaped()) number(value);
    return *this;
  }
  Digest digest(std::string_view what) const { return tacit::digest_of({bytes_of(what), bytes_}); }

 private:
  std::vector<std::byte> bytes_;
};

Digest sealed_words(const Seal& seal, const Digest& model) {
  const Canonical agent = Canonical().count(seal.agent).raw(seal.commitment).raw(model);
  return agent.digest("tacit model");
}

template <class Bytes>
std::string text_of(const Bytes& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

InputError malformed(const std::string& what) { return InputError("the model is malformed: " + what); }

template <std::size_t Size>
std::array<std::byte, Size> exactly(const std::string& bytes, const char* what) {
  if (bytes.size() != Size) throw malformed(fmt::format("its {} must have {} bytes", what, Size));
  std::array<std::byte, Size> out{};
  std::copy(bytes_of(bytes).begin(), bytes_of(bytes).end(), out.begin());
  return out;
}

void put(const Vector& from, google::protobuf::RepeatedField<double>& to) {
  to.Add(from.begin(), from.end());
}
Vector vector(const google::protobuf::RepeatedField<double>& from) {
  return Eigen::Map<const Vector>(from.data(), from.size());
}

bool finite(const FittedModel& model) {
  bool good = std::isfinite(model.likelihood);
  for (const Prior& prior : model.priors) good = good && std::isfinite(prior.noise);
  if (const auto& s = model.standardisation)
    good = good && s->inputs.shift.allFinite() && s->inputs.scale.allFinite() &&
           s->outputs.shift.allFinite() && s->outputs.scale.allFinite();
  return good;
}

void check_form(const FittedModel& model, const Charter& charter) {
  if (model.charter != charter_hash(charter))
    throw InputError(
        fmt::format("the model was fitted under another charter ({}…)", hex(model.charter).substr(0, 12)));
  std::array<std::byte, 16> name{};
  if (!from_hex(model.fit, name)) throw malformed("the name of its fit is invalid");
  if (!parse_utc(model.fitted_at)) throw malformed("its time is invalid");
  const auto& roster = model.roster;
  if (roster.empty() || roster.back() >= charter.agents.size() ||
      std::adjacent_find(roster.begin(), roster.end(), std::greater_equal<>()) != roster.end())
    throw malformed("its roster is not a sorted list of the charter's agents");
  if (!std::binary_search(roster.begin(), roster.end(), model.originator))
    throw malformed("its asker is not in its roster");
  if (model.version == 0 || !finite(model)) throw malformed("a number is missing or not finite");
  if (const auto& pooled = model.pooled_name)
    if (pooled->landmarks < 1 || pooled->landmarks > most_landmarks || pooled->rows < pooled->landmarks)
      throw malformed("its number of landmarks or rows is impossible");
}

requests::Model message_of(const FittedModel& model) {
  requests::Model out;
  out.set_version(model.version);
  out.set_fit(model.fit);
  out.set_charter(text_of(model.charter));
  out.set_fitted_at(model.fitted_at);
  out.set_originator(static_cast<std::uint32_t>(model.originator));
  for (const AgentId agent : model.roster) out.add_roster(static_cast<std::uint32_t>(agent));
  out.set_transcript(text_of(model.transcript));
  out.set_likelihood(model.likelihood);
  out.set_evaluations(model.evaluations);
  for (const Prior& prior : model.priors) {
    requests::Prior& one = *out.add_priors();
    const std::vector<double> numbers = prior.kernel.numbers();
    one.mutable_numbers()->Add(numbers.begin(), numbers.end());
    one.set_noise(prior.noise);
  }
  if (const auto& s = model.standardisation) {
    requests::Standardisation& one = *out.mutable_standardisation();
    one.set_rows(s->rows);
    one.set_constant(s->constant);
    put(s->inputs.shift, *one.mutable_input_shift());
    put(s->inputs.scale, *one.mutable_input_scale());
    put(s->outputs.shift, *one.mutable_output_shift());
    put(s->outputs.scale, *one.mutable_output_scale());
  }
  if (const auto& pooled = model.pooled_name) {
    out.mutable_pooled()->set_rows(pooled->rows);
    out.mutable_pooled()->set_landmarks(pooled->landmarks);
    out.mutable_pooled()->set_digest(text_of(pooled->digest));
  }
  return out;
}

// All targets have a kernel of the charter's form.
Priors priors_of(const google::protobuf::RepeatedPtrField<requests::Prior>& in, const Terms& terms) {
  if (static_cast<std::size_t>(in.size()) > terms.targets.size())
    throw malformed("it has more targets than the charter");
  const Kernel& form = terms.model.start.kernel;
  Priors priors;
  for (const requests::Prior& prior : in) {
    if (static_cast<std::size_t>(prior.numbers_size()) != form.parameters())
      throw malformed(fmt::format("its kernel must have {} numbers", form.parameters()));
    priors.emplace_back(form.with(std::span(prior.numbers().data(), form.parameters())), prior.noise());
  }
  return priors;
}

FittedModel model_of(const requests::Model& in, const Charter& charter, const Terms& terms) {
  FittedModel model;
  model.version = in.version();
  model.fit = in.fit();
  model.charter = exactly<32>(in.charter(), "charter's hash");
  model.fitted_at = in.fitted_at();
  model.originator = in.originator();
  model.roster.assign(in.roster().begin(), in.roster().end());
  model.transcript = exactly<32>(in.transcript(), "transcript");
  model.likelihood = in.likelihood();
  model.evaluations = in.evaluations();
  model.priors = priors_of(in.priors(), terms);
  if (in.has_standardisation()) {
    const requests::Standardisation& s = in.standardisation();
    model.standardisation = Standardisation{s.rows(),
                                            {vector(s.input_shift()), vector(s.input_scale())},
                                            {vector(s.output_shift()), vector(s.output_scale())},
                                            s.constant()};
  }
  if (in.has_pooled())
    model.pooled_name = PooledName{in.pooled().rows(), in.pooled().landmarks(),
                                   exactly<32>(in.pooled().digest(), "totals' digest")};
  check_form(model, charter);
  return model;
}

template <class Message>
Message parsed(std::string_view bytes, const Charter& charter) {
  Message message;
  if (bytes.size() > most_model_bytes(charter) ||
      !message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())))
    throw malformed("it cannot be read");
  return message;
}

}  // namespace

PooledName name_of(const Pooled& pooled) {
  Canonical all;
  all.count(pooled.rows).numbers(pooled.landmarks).count(pooled.totals.size());
  for (const PooledTotals& one : pooled.totals) all.numbers(one.precision).numbers(one.weighted);
  return {pooled.rows, static_cast<std::uint64_t>(pooled.landmarks.rows()), all.digest("tacit pooled part")};
}

Digest digest_of(const FittedModel& model) {
  Canonical all;
  all.count(model.version).text(model.fit).raw(model.charter).text(model.fitted_at).count(model.originator);
  all.count(model.roster.size());
  for (const AgentId agent : model.roster) all.count(agent);
  all.raw(model.transcript).number(model.likelihood).count(model.evaluations).count(model.priors.size());
  for (const Prior& prior : model.priors) all.text(prior.kernel.text()).number(prior.noise);
  const auto& s = model.standardisation;
  all.count(s ? 1 : 0);
  if (s)
    all.count(s->rows)
        .count(s->constant)
        .numbers(s->inputs.shift)
        .numbers(s->inputs.scale)
        .numbers(s->outputs.shift)
        .numbers(s->outputs.scale);
  if (const auto& pooled = model.pooled_name)
    all.count(pooled->rows).count(pooled->landmarks).raw(pooled->digest);
  return all.digest("tacit model content");
}

Seal make_seal(const Digest& model, AgentId self, const Digest& commitment, const Identity& identity) {
  Seal seal{self, commitment, {}};
  seal.signature = identity.sign(sealed_words(seal, model));
  return seal;
}

bool holds(const Seal& seal, const Digest& model, const IdentityKey& signer) {
  return verify(signer, sealed_words(seal, model), seal.signature);
}

Digest commitment_to(const RowSet& rows, const Samples& holdout, std::span<const std::byte> salt) {
  Canonical shape;
  const auto counts = [&](std::size_t count, Index inputs, Index outputs) {
    shape.count(count).count(static_cast<std::uint64_t>(inputs)).count(static_cast<std::uint64_t>(outputs));
  };
  counts(rows.rows(), rows.inputs(), rows.outputs());
  counts(static_cast<std::size_t>(holdout.inputs.rows()), holdout.inputs.cols(), holdout.outputs.cols());
  Digesting all;
  all.whole(bytes_of("tacit rows"));
  all.whole(salt);
  all.whole(shape.digest("tacit rows' shape"));
  const std::uint64_t column = rows.rows() * sizeof(double);
  std::uint64_t left = column * static_cast<std::uint64_t>(rows.inputs());  // bytes of inputs left
  all.part(left);
  const auto outputs = [&] { all.part(column * static_cast<std::uint64_t>(rows.outputs())); };
  if (left == 0) outputs();
  rows.visit_columns([&](std::span<const double> numbers) {
    all.add(std::as_bytes(numbers));
    if (left == 0) return;
    left -= numbers.size_bytes();
    if (left == 0) outputs();
  });
  for (const Matrix* part : {&holdout.inputs, &holdout.outputs})
    all.whole(std::as_bytes(std::span(part->data(), static_cast<std::size_t>(part->size()))));
  return all.digest();
}

void check_sealed(const SealedModel& sealed, const Charter& charter) {
  check_form(sealed.model, charter);
  if (sealed.digest != digest_of(sealed.model)) throw malformed("its digest does not match its content");
  const auto& roster = sealed.model.roster;
  for (std::size_t k = 0; k < roster.size(); ++k)
    if (k >= sealed.seals.size() || sealed.seals[k].agent != roster[k] ||
        !holds(sealed.seals[k], sealed.digest, charter.agents[roster[k]].identity))
      throw InputError(
          fmt::format("the model has no valid seal of {}; it may have been changed after sealing",
                      charter.name_of(roster[k])));
  if (sealed.seals.size() != roster.size()) throw malformed("it has more seals than agents");
}

std::size_t most_model_bytes(const Charter& charter) { return (64 << 10) + 256 * charter.agents.size(); }

std::string to_bytes(const FittedModel& model) { return message_of(model).SerializeAsString(); }

FittedModel model_from_bytes(std::string_view bytes, const Charter& charter, const Terms& terms) {
  return model_of(parsed<requests::Model>(bytes, charter), charter, terms);
}

std::string to_bytes(const SealedModel& sealed) {
  requests::SignedModel out;
  *out.mutable_model() = message_of(sealed.model);
  for (const Seal& seal : sealed.seals) {
    requests::Seal& one = *out.add_seals();
    one.set_agent(static_cast<std::uint32_t>(seal.agent));
    one.set_commitment(text_of(seal.commitment));
    one.set_signature(text_of(seal.signature));
  }
  return out.SerializeAsString();
}

SealedModel sealed_from_bytes(std::string_view bytes, const Charter& charter, const Terms& terms) {
  const auto in = parsed<requests::SignedModel>(bytes, charter);
  SealedModel sealed;
  sealed.model = model_of(in.model(), charter, terms);
  for (const requests::Seal& seal : in.seals())
    sealed.seals.push_back({seal.agent(), exactly<32>(seal.commitment(), "commitments"),
                            exactly<64>(seal.signature(), "signatures")});
  sealed.digest = digest_of(sealed.model);
  check_sealed(sealed, charter);
  return sealed;
}

}  // namespace tacit
