#include "tacit/link/transport/frame.hpp"

#include <fmt/format.h>
#include <google/protobuf/io/coded_stream.h>
#include <grpcpp/support/proto_buffer_reader.h>
#include <sodium.h>

#include <algorithm>
#include <cstring>

#include "tacit/base/error.hpp"

namespace tacit {
namespace io = google::protobuf::io;

Name random_name() {
  Name name;
  randombytes_buf(name.data(), name.size());
  return name;
}

std::string to_field(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

Name name_from(const std::string& field) {
  Name name;
  if (field.size() != name.size())
    throw Error(fmt::format("a name in a frame has {} bytes instead of {}", field.size(), name.size()));
  std::memcpy(name.data(), field.data(), name.size());
  return name;
}

std::string short_name(const Name& name) {
  return fmt::format("{:02x}{:02x}{:02x}{:02x}", static_cast<int>(name[0]), static_cast<int>(name[1]),
                     static_cast<int>(name[2]), static_cast<int>(name[3]));
}

grpc::Slice shared(Payload payload, std::shared_ptr<PayloadPool> pool) {
  struct Held {
    std::shared_ptr<PayloadPool> pool;  // destroyed after the payload
    Payload payload;
  };
  if (payload.size() == 0) return {};
  auto* held = new Held{std::move(pool), std::move(payload)};
  const auto bytes = held->payload.bytes();
  return {bytes.data(), bytes.size(), [](void* what) { delete static_cast<Held*>(what); }, held};
}

grpc::ByteBuffer encode(const wire::Header& header, const grpc::Slice& payload) {
  const std::size_t size = header.ByteSizeLong();
  grpc::Slice head(size + io::CodedOutputStream::VarintSize64(size));
  auto* at = const_cast<std::uint8_t*>(head.begin());  // new, so it is not shared
  at = io::CodedOutputStream::WriteVarint64ToArray(size, at);
  header.SerializeWithCachedSizesToArray(at);
  const grpc::Slice parts[] = {std::move(head), payload};
  return {parts, payload.size() > 0 ? 2u : 1u};
}

Frame decode(grpc::ByteBuffer& bytes, PayloadPool& pool) {
  Frame frame;
  grpc::ProtoBufferReader reader(&bytes);
  io::CodedInputStream in(&reader);
  std::uint32_t size = 0;
  if (!in.ReadVarint32(&size)) throw Error(fmt::format("{} bytes are not a frame", bytes.Length()));
  if (size > most_header_bytes)
    throw Error(
        fmt::format("a frame's header of {} bytes is above the limit of {}", size, most_header_bytes));
  const auto limit = in.PushLimit(static_cast<int>(size));
  if (!frame.header.ParseFromCodedStream(&in) || !in.ConsumedEntireMessage() || in.BytesUntilLimit() != 0)
    throw Error(fmt::format("{} bytes are not a frame", bytes.Length()));
  in.PopLimit(limit);
  const std::size_t rest = bytes.Length() - static_cast<std::size_t>(in.CurrentPosition());
  if (rest == 0) return frame;
  frame.payload = pool.take(rest);
  if (!in.ReadRaw(frame.payload.bytes().data(), static_cast<int>(rest)))
    throw Error("a frame is shorter than its payload");
  return frame;
}

wire::Message to_wire(const Name& run, const Tag& tag) {
  wire::Message message;
  message.set_run(to_field(run));
  message.set_execution(tag.run);
  message.set_round(tag.round);
  message.set_about(tag.about);
  message.set_step(static_cast<std::uint32_t>(tag.step));
  return message;
}

Tag tag_from(const wire::Message& message) {
  if (message.step() < static_cast<std::uint32_t>(Step::share) ||
      message.step() > static_cast<std::uint32_t>(last_step))
    throw Error(fmt::format("a message has the unknown step {}", message.step()));
  return {message.execution(), message.round(), message.about(), static_cast<Step>(message.step())};
}

}  // namespace tacit
