// One gRPC stream between two agents, from either end.
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
  /// What happens on a stream, told from gRPC's threads, one thing at a time for each kind of thing.
  class Owner {
   public:
    virtual ~Owner() = default;
    virtual void on_frame(Stream& stream, grpc::ByteBuffer& bytes) = 0;
    virtual void on_written(Stream& stream) = 0;
    /// Always the last call.
    virtual void on_closed(Stream& stream, const std::string& why) = 0;
  };

  virtual ~Stream() = default;

  /// One at a time: the next once on_written has been called. Nothing happens on a closed stream.
  virtual void write(const grpc::ByteBuffer& bytes) = 0;

  /// After what is being written, or at once.
  enum class Closing { orderly, now };
  virtual void close(Closing how) = 0;
};

/// The owner must outlive the stream, that is, on_closed.
std::shared_ptr<Stream> dial(const std::shared_ptr<grpc::Channel>& channel, Stream::Owner& owner);

/// The other end: gRPC runs the reactor, which frees itself.
struct Accepted {
  std::shared_ptr<Stream> stream;
  grpc::ServerGenericBidiReactor* reactor = nullptr;
};
Accepted accept(grpc::CallbackServerContext& context, Stream::Owner& owner);

/// For a call that is not a stream of ours.
grpc::ServerGenericBidiReactor* refuse(grpc::StatusCode code, const std::string& why);

}  // namespace tacit
