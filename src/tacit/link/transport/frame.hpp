// A frame of a link in memory, and its encoding. Knows the fields, not what they mean.
#pragma once

#include <grpcpp/support/byte_buffer.h>

#include <array>
#include <memory>
#include <span>

#include "tacit/link/transport/wire.pb.h"
#include "tacit/protocol/channel/payload.hpp"
#include "tacit/protocol/channel/tag.hpp"

namespace tacit {

/// The version of wire.proto and of its meaning. Agents of different versions refuse a link.
inline constexpr std::uint32_t wire_version = 4;

/// Limit for the header before a payload. The start of a run of a thousand agents needs about a quarter of
/// it.
inline constexpr std::size_t most_header_bytes = 4u << 20;

/// Identifies a run, or a start of an agent: 16 random bytes.
using Name = std::array<std::byte, 16>;
Name random_name();
/// Bytes as a protobuf field holds them.
std::string to_field(std::span<const std::byte> bytes);
/// Throws Error if the field does not have 16 bytes.
Name name_from(const std::string& field);
/// The first eight hexadecimal digits, for messages.
std::string short_name(const Name& name);

struct Frame {
  wire::Header header;
  Payload payload;
};

/// A payload that several writes may share without a copy. It returns to the pool when the last user releases
/// it.
grpc::Slice shared(Payload payload, std::shared_ptr<PayloadPool> pool);

grpc::ByteBuffer encode(const wire::Header& header, const grpc::Slice& payload);

/// Throws Error for bytes that are not a frame, and for a header above most_header_bytes.
Frame decode(grpc::ByteBuffer& bytes, PayloadPool& pool);

wire::Message to_wire(const Name& run, const Tag& tag);
/// Throws Error for an unknown step.
Tag tag_from(const wire::Message& message);

}  // namespace tacit
