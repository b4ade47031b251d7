// A member of the charter with a valid certificate and identity, and a program of its own: over real links it
// says whatever a test tells it to. For attacks on real agents.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "tacit/link/node/node_options.hpp"
#include "tacit/link/runs/signed_run.hpp"
#include "tacit/link/transport/frame.hpp"
#include "tacit/link/transport/stream.hpp"

namespace tacit::testing {

/// One stream of it, to one honest agent.
class Hostile final : public Stream::Owner {
 public:
  /// Dials with the certificate of `options.self`. Nothing is said yet.
  Hostile(NodeOptions options, AgentId to);
  ~Hostile() override;

  const NodeOptions& options() const { return options_; }

  /// A proper hello, to be sent as it is or changed.
  wire::Hello hello() const;
  /// Sends it and waits until the stream counts.
  bool join();

  /// As it is.
  void say(const wire::Hello& hello);
  void say(const wire::Header& header, std::string_view payload = {});
  /// With the next number, as frames of a link are.
  void tell(wire::Header header, std::string_view payload = {});
  void announce(const Announced& what) { tell(what.header, what.run.request.body); }

  /// The first frame that has come, or comes, and fits; it is taken out. None when there is none in time.
  std::optional<wire::Header> hear(const std::function<bool(const wire::Header&)>& fits);
  /// The reply of the agent at the other end to that run.
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

/// A run that the agent of these options asks for, under its signature.
Announced signed_run(const NodeOptions& options, std::vector<AgentId> roster, std::string body = {},
                     Name name = random_name());

}  // namespace tacit::testing
