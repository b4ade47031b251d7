#include "tacit/agent/model/model_store.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "tacit/agent/model/model_text.hpp"
#include "tacit/base/error.hpp"
#include "tacit/base/system/files.hpp"
#include "tacit/base/system/release.hpp"
#include "tacit/consortium/pool/saved_pooled.hpp"
#include "tacit/identity/encoding.hpp"

namespace tacit {
namespace {

using Salt = std::array<std::byte, 32>;

constexpr std::uint64_t signed_format = 1;  // of signed.json
constexpr const char* pooled_prefix = "pooled-";
constexpr const char* pooled_suffix = ".tacit";

}  // namespace

ModelStore::ModelStore(std::filesystem::path folder, const Charter& charter, const Terms& terms, AgentId self,
                       const RowSet& rows, const Samples& holdout, LogSink log)
    : folder_(std::move(folder)),
      charter_(charter),
      terms_(terms),
      self_(self),
      rows_(rows),
      holdout_(holdout),
      log_(std::move(log)) {
  read_signed();
  read_model();
  forget_pooled();
}

std::filesystem::path ModelStore::pooled_file(const Digest& digest) const {
  return folder_ / fmt::format("{}{}{}", pooled_prefix, hex(digest).substr(0, 16), pooled_suffix);
}

void ModelStore::keep_pooled(const FittedModel& model) const {
  if (!model.pooled) return;
  save_pooled(pooled_file(model.pooled_name.value().digest), *model.pooled);
}

void ModelStore::forget_pooled() const {
  std::set<std::filesystem::path> named;
  if (signed_.pooled) named.insert(pooled_file(*signed_.pooled));
  if (held_ && held_->sealed.model.pooled_name)
    named.insert(pooled_file(held_->sealed.model.pooled_name->digest));
  std::error_code ignored;
  std::vector<std::filesystem::path> others;
  for (const auto& entry : std::filesystem::directory_iterator(folder_, ignored)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(pooled_prefix) && name.ends_with(pooled_suffix) && !named.contains(entry.path()))
      others.push_back(entry.path());
  }
  for (const auto& file : others) std::filesystem::remove(file, ignored);
}

std::shared_ptr<const Pooled> ModelStore::pooled_of(const FittedModel& model) const {
  if (!model.pooled_name) return nullptr;
  if (const auto held = this->held(); held && held->sealed.model.pooled_name == model.pooled_name)
    return held->sealed.model.pooled;
  return read_pooled_of(model);
}

std::shared_ptr<const Pooled> ModelStore::read_pooled_of(const FittedModel& model) const {
  const std::filesystem::path file = pooled_file(model.pooled_name.value().digest);
  if (!std::filesystem::exists(file))
    throw InputError("this agent does not have the landmark totals of the model; run tacit fit");
  auto pooled = load_pooled(file, model.priors);
  if (name_of(*pooled) != model.pooled_name)
    throw InputError(
        fmt::format("{}: these landmark totals belong to another model; run tacit fit", file.string()));
  return pooled;
}

void ModelStore::set_aside(const std::filesystem::path& file, const std::string& why, LogLevel level) const {
  std::error_code failed;
  std::filesystem::rename(file, file.string() + ".set-aside", failed);
  log_(level, fmt::format("{} is not used and {}: {}", file.string(),
                          failed ? "could not be renamed" : "was renamed to *.set-aside", why));
}

void ModelStore::read_model() {
  if (!std::filesystem::exists(model_file())) return;
  try {
    ReadModel read = model_from_text(read_whole(model_file(), 1 << 24), charter_);
    if (read.sealed.model.pooled_name) read.sealed.model.pooled = read_pooled_of(read.sealed.model);
    check_plausible(read.sealed.model, terms_);
    const auto& roster = read.sealed.model.roster;
    if (!std::binary_search(roster.begin(), roster.end(), self_))
      throw InputError("this agent is not in the model's roster");
    held_ = std::make_shared<const HeldModel>(HeldModel{read.sealed, rows_differ(read.sealed, read.salt)});
    if (held_->rows_changed)
      log_(
          LogLevel::warning,
          fmt::format(
              "this agent's rows differ from those of model version {}, or cannot be compared with them. The "
              "agent takes part only in a new fit; run tacit fit",
              read.sealed.model.version));
  } catch (const OfAnotherCharter& e) {
    set_aside(model_file(), e.what(), LogLevel::info);
  } catch (const NewerFormat&) {
    throw;  // the file must not be changed
  } catch (const Error& e) {
    set_aside(model_file(), e.what());
  }
}

void ModelStore::read_signed() {
  if (!std::filesystem::exists(signed_file())) return;
  try {
    const auto json = nlohmann::json::parse(read_whole(signed_file(), 1 << 16));
    check_format(signed_file().string(), json.value("format", signed_format), signed_format);
    Signed read{json.at("version"), {}, json.at("salt")};
    if (!from_hex(json.at("digest").get<std::string>(), read.digest))
      throw InputError("its digest is damaged");
    if (json.contains("pooled") && !from_hex(json.at("pooled").get<std::string>(), read.pooled.emplace()))
      throw InputError("its digest is damaged");
    signed_ = std::move(read);
  } catch (const NewerFormat&) {
    throw;
  } catch (const std::exception&) {  // not JSON, or not of this shape
    set_aside(signed_file(), "it was changed or truncated");
  }
}

bool ModelStore::rows_differ(const SealedModel& sealed, const std::string& salt) const {
  Salt bytes{};
  const auto own = std::find_if(sealed.seals.begin(), sealed.seals.end(),
                                [&](const Seal& seal) { return seal.agent == self_; });
  const bool same = own != sealed.seals.end() && from_hex(salt, bytes) &&
                    commitment_to(rows_, holdout_, bytes) == own->commitment;
  sodium_memzero(bytes.data(), bytes.size());
  return !same;
}

std::string ModelStore::salt_of(const SealedModel& sealed) const {
  return signed_.digest == sealed.digest ? signed_.salt : "";
}

bool ModelStore::rows_differ(const SealedModel& sealed) const {
  const std::lock_guard lock(guard_);
  return rows_differ(sealed, salt_of(sealed));
}

std::shared_ptr<const HeldModel> ModelStore::held() const {
  const std::lock_guard lock(guard_);
  return held_;
}

std::uint64_t ModelStore::highest() const {
  const std::lock_guard lock(guard_);
  return std::max(signed_.version, held_ ? held_->sealed.model.version : 0);
}

std::optional<Digest> ModelStore::signed_as(std::uint64_t version) const {
  const std::lock_guard lock(guard_);
  return signed_.version == version && version > 0 ? std::optional(signed_.digest) : std::nullopt;
}

Digest ModelStore::commit(const FittedModel& model) {
  Salt salt{};
  Prg::from_os().fill(salt);
  const Digest commitment = commitment_to(rows_, holdout_, salt);
  Signed next{model.version, digest_of(model), hex(salt)};
  if (model.pooled_name) next.pooled = model.pooled_name->digest;
  sodium_memzero(salt.data(), salt.size());
  const std::lock_guard lock(guard_);
  const std::uint64_t taken = std::max(signed_.version, held_ ? held_->sealed.model.version : 0);
  if (model.version <= taken)
    throw InputError(fmt::format("this agent has already signed model version {}", taken));
  keep_pooled(model);
  nlohmann::ordered_json json{{"format", signed_format},
                              {"version", next.version},
                              {"digest", hex(next.digest)},
                              {"salt", next.salt}};
  if (next.pooled) json["pooled"] = hex(*next.pooled);
  write_whole(signed_file(), json.dump(1) + '\n', 0600);
  signed_ = next;
  forget_pooled();
  return commitment;
}

void ModelStore::keep(const SealedModel& sealed) {
  const std::lock_guard lock(guard_);
  const std::string salt = salt_of(sealed);
  auto next = std::make_shared<const HeldModel>(HeldModel{sealed, rows_differ(sealed, salt)});
  if (signed_.digest != sealed.digest) keep_pooled(sealed.model);  // otherwise commit() has stored it
  write_whole(model_file(), to_text(sealed, charter_, salt), 0600);
  held_ = std::move(next);
  forget_pooled();
}

}  // namespace tacit
