#include "tacit/link/signed_run.hpp"

#include <algorithm>
#include <cstring>

namespace tacit {
namespace {

std::span<const std::byte> bytes_of(std::string_view text) { return std::as_bytes(std::span(text)); }

template <class T>
std::span<const std::byte> bytes_of_number(const T& number) {
  return std::as_bytes(std::span(&number, 1));
}

Digest announced(const Run& run, const NodeOptions& options) {
  return digest_of({bytes_of("tacit announcement"), options.agreement.hash, run.name,
                    bytes_of_number(run.originator), bytes_of_number(run.number), bytes_of_number(run.ticket),
                    bytes_of(run.request.kind), bytes_of(run.request.body)});
}

Digest started(const Run& run, std::span<const std::uint32_t> present, const NodeOptions& options) {
  const Digest announcement = announced(run, options);
  return digest_of({bytes_of("tacit start"), announcement, std::as_bytes(present)});
}

bool signed_by_originator(const Run& run, const Digest& text, const std::string& field,
                          const NodeOptions& options) {
  Signature signature;
  if (run.originator >= options.everybody.size() || field.size() != signature.size()) return false;
  std::memcpy(signature.data(), field.data(), signature.size());
  return verify(options.everybody[run.originator].identity, text, signature);
}

std::string sign(const Digest& text, const NodeOptions& options) {
  const Signature signature = options.identity->sign(text);
  return {reinterpret_cast<const char*>(signature.data()), signature.size()};
}

}  // namespace

wire::Header announcement_of(const Run& run, const NodeOptions& options) {
  wire::Header header;
  wire::Announcement& announcement = *header.mutable_announcement();
  announcement.set_run(to_field(run.name));
  announcement.set_originator(run.originator);
  announcement.set_number(run.number);
  announcement.set_ticket(run.ticket);
  announcement.set_kind(run.request.kind);
  announcement.set_signature(sign(announced(run, options), options));
  return header;
}

wire::Header start_of(const Run& run, const NodeOptions& options) {
  wire::Header header;
  header.mutable_start()->set_run(to_field(run.name));
  for (const AgentId agent : run.present) header.mutable_start()->add_present(agent);
  header.mutable_start()->set_signature(sign(started(run, run.present, options), options));
  return header;
}

Run run_from(const wire::Announcement& announcement, std::string_view body) {
  return {.name = name_from(announcement.run()),
          .originator = announcement.originator(),
          .number = announcement.number(),
          .ticket = announcement.ticket(),
          .request = {announcement.kind(), std::string(body)},
          .present = {}};
}

bool is_signed(const wire::Announcement& announcement, const Run& run, const NodeOptions& options) {
  return signed_by_originator(run, announced(run, options), announcement.signature(), options);
}

bool is_signed(const wire::Start& start, const Run& run, const NodeOptions& options) {
  const std::vector<std::uint32_t> present(start.present().begin(), start.present().end());
  return signed_by_originator(run, started(run, present, options), start.signature(), options);
}

}  // namespace tacit
