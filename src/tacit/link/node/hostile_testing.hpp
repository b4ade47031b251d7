// A member of the charter with a valid certificate and identity that violates the protocol: over real links
// it sends whatever the test gives it. For attacks on real agents.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "tacit/link/node/node_options.hpp"
#include "tacit/link/runs/signed_run.hpp"
#include "tacit/link/transport/frame.hpp"
#include "tacit/link/transport/stream.hpp"

namespace tacit::testing {

/// One stream of the hostile member, to one honest agent.
class Hostile final : public Stream::Owner {
 public:
  /// Dials with the certificate of `options.self`. Sends nothing yet.
  Hostile(NodeOptions options, AgentId to);
  ~Hostile() override;

  const NodeOptions& options() const { return options_; }

  /// A valid hello, to be sent unchanged or changed.
  wire::Hello hello() const;
  /// Sends a valid hello and waits until the stream is in use.
  bool join();

  /// Sends the frame unchanged.
  void say(const wire::Hello& hello);
  void say(const wire::Header& header, std::string_view payload = {});
  /// Sends the frame with the next number, as a link does.
  void tell(wire::Header header, std::string_view payload = {});
  void announce(const Announced& what) { tell(what.header, what.run.request.body); }

  /// Removes and returns the first received frame that fits, and waits for one if needed. None on timeout.
  std::optional<wire::Header> hear(const std::function<bool(const wire::Header&)>& fits);
  /// The reply to that run of the agent at the other end.
  std::optional<wire::Reply> hear_reply(const Name& run);

  bool is_refused(const std::string& words);
  bool is_closed();
  bool is_used();

  void on_frame(Stream& stream, grpc::ByteBuffer& bytes) override;
  void on_written(Stream& stream) override;
  void on_closed(Stream& stream, const std::string& why) override;

 private:
  const NodeOptions options_;
  const AgentId to_;
  const Name boot_ = random_name();
  PayloadPool pool_;
  std::shared_ptr<grpc::Channel> channel_;
  std::mutex guard_;
  std::condition_variable changed_;
  bool writing_ = false, closed_ = false, used_ = false;
  std::uint64_t sent_ = 0;
  std::string refusal_;
  std::deque<wire::Header> heard_;
  std::shared_ptr<Stream> stream_;
};

/// Streams of the hostile member to one honest agent. Each sends frames of the largest size as fast as it
/// can, never reads, and dials again when it is closed.
class DeafFlood {
 public:
  DeafFlood(const NodeOptions& options, AgentId to, std::size_t streams);
  ~DeafFlood();
  std::uint64_t frames_sent() const { return frames_; }
  std::uint64_t dials() const { return dials_; }

 private:
  class Reactor;
  void flood();

  const NodeOptions options_;
  const AgentId to_;
  const grpc::ByteBuffer hello_, frame_;
  std::atomic<bool> stopping_ = false;
  std::atomic<std::uint64_t> frames_ = 0, dials_ = 0;
  std::vector<std::thread> threads_;
};

/// A run that the agent of these options asks for, signed by it.
Announced signed_run(const NodeOptions& options, std::vector<AgentId> roster, std::string body = {},
                     Name name = random_name());

}  // namespace tacit::testing
