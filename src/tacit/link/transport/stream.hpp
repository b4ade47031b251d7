// One gRPC stream between two agents, the same class at both ends. Knows bytes, not frames.
#pragma once

#include <grpcpp/channel.h>
#include <grpcpp/generic/async_generic_service.h>
#include <grpcpp/support/byte_buffer.h>

#include <memory>
#include <string>

namespace tacit {

inline constexpr const char* talk_method = "/tacit.Link/Talk";

class Stream {
 public:
  /// Receives the events of a stream, on gRPC's threads. Calls of one kind do not overlap.
  class Owner {
   public:
    virtual ~Owner() = default;
    virtual void on_frame(Stream& stream, grpc::ByteBuffer& bytes) = 0;
    virtual void on_written(Stream& stream) = 0;
    /// Always the last call.
    virtual void on_closed(Stream& stream, const std::string& why) = 0;
  };

  virtual ~Stream() = default;

  /// Only one write may be pending: wait for on_written before the next. Does nothing on a closed stream.
  virtual void write(const grpc::ByteBuffer& bytes) = 0;

  /// After the pending write, or at once.
  enum class Closing { orderly, now };
  virtual void close(Closing how) = 0;
};

/// The owner must exist until on_closed has returned.
std::shared_ptr<Stream> dial(const std::shared_ptr<grpc::Channel>& channel, Stream::Owner& owner);

/// The accepting end. gRPC runs the reactor, which frees itself.
struct Accepted {
  std::shared_ptr<Stream> stream;
  grpc::ServerGenericBidiReactor* reactor = nullptr;
};
Accepted accept(grpc::CallbackServerContext& context, Stream::Owner& owner);

/// Rejects a call that is not one of our streams.
grpc::ServerGenericBidiReactor* refuse(grpc::StatusCode code, const std::string& why);

}  // namespace tacit
