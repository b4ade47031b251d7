// The link to one neighbour: at most one stream at a time; across successive streams, every frame arrives
// exactly once and in order.
//
// Frames are numbered and kept until the neighbour acknowledges them. Whenever a new stream comes up, both
// sides say how far they have got, and the rest is sent again. Numbers are valid until either agent restarts:
// then everything in transit is dropped and counting begins again.
//
// Either side may dial, and both may at once. The agent with the lower id decides which stream is used:
// always the newest. So no two decisions can cross.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

#include "tacit/link/node/node_options.hpp"
#include "tacit/link/transport/frame.hpp"
#include "tacit/link/transport/quiet_log.hpp"
#include "tacit/link/transport/stream.hpp"

namespace tacit {

/// What a link tells its agent, one thing at a time, from threads that must not be blocked. The listener must
/// not call the link back at once.
class LinkListener {
 public:
  virtual ~LinkListener() = default;
  virtual void heard(AgentId from, Frame frame) = 0;
  /// The neighbour was restarted and knows nothing of earlier messages, or has given this agent up as lost.
  virtual void restarted(AgentId neighbour) = 0;
  /// There has been no stream for Timeouts::loss. Reported once; what is sent until it is back is dropped.
  virtual void lost(AgentId neighbour) = 0;
  /// tick() has something to do earlier than it said.
  virtual void due_earlier() = 0;
};

struct LinkStatus {
  bool up = false;
  bool lost = false;      ///< down for Timeouts::loss or longer
  std::string refusal;    ///< why the two do not talk; empty when they do
  std::string release;    ///< of Tacit, as it says; empty when it has not
  double round_trip = 0;  ///< seconds, of the last ping; 0 before the first
  std::uint64_t bytes_sent = 0, bytes_received = 0, frames_sent = 0, frames_received = 0, streams = 0;
  std::size_t unacknowledged = 0;  ///< frames that the neighbour has not acknowledged
};

class Link final : public Stream::Owner {
 public:
  using Clock = std::chrono::steady_clock;

  /// `channel` may be null for a neighbour that cannot be dialled. All references must outlive the link.
  Link(const NodeOptions& options, AgentId peer, std::shared_ptr<grpc::Channel> channel,
       LinkListener& listener, QuietLog& log, std::shared_ptr<PayloadPool> pool);

  /// Returns at once. Throws Error when too much waits to be sent.
  void send(wire::Header header, grpc::Slice payload);

  /// The neighbour has dialled: its certificate has been checked. Null when it has too many streams already.
  grpc::ServerGenericBidiReactor* accept(grpc::CallbackServerContext& context);

  /// Dials, pings, acknowledges, notices timeouts. Call it again at the time it returns, or when the listener
  /// is told that something is due earlier.
  Clock::time_point tick();

  /// Closes all streams and opens none again.
  void stop();
  LinkStatus status() const;

  /// Wait until the link is up, or until the neighbour has all that was sent or is gone; false on timeout.
  bool wait_until_up(Clock::time_point deadline) const;
  bool wait_until_acknowledged(Clock::time_point deadline) const;
  /// Waits until all streams have ended, once stopped.
  void wait_until_quiet() const;

  void on_frame(Stream& stream, grpc::ByteBuffer& bytes) override;
  void on_written(Stream& stream) override;
  void on_closed(Stream& stream, const std::string& why) override;

 private:
  static constexpr std::size_t most_urgent = 64;  // answers to pings that wait to be sent
  static constexpr std::chrono::milliseconds redial_after{200};

  struct Talk {  // on one stream
    std::shared_ptr<Stream> stream;
    bool dialled = false;
    Clock::time_point since;
    bool greeted = false;  // the neighbour's hello was accepted
    bool closing = false;
    bool writing = false;
    std::deque<wire::Header> urgent;  // to be sent before numbered frames, and not again
    std::uint64_t next = 0;           // the next numbered frame to send
  };
  struct Outgoing {
    wire::Header header;
    grpc::Slice payload;
    std::size_t bytes = 0;  // that it takes while it waits
  };

  Talk& begin(std::shared_ptr<Stream> stream, bool dialled);
  void say_hello(Talk& talk);
  void greet(Talk& talk, const wire::Hello& hello);
  void use(Talk& talk);
  void forget_all_but(const Talk* talk);
  void take_in(Talk& talk, Frame frame);
  void numbered(Talk& talk, Frame frame);
  void acknowledge(std::uint64_t received);
  void refused(Talk& talk, const std::string& why);
  void violated(Talk& talk, const std::string& what);
  void close(Talk& talk, Stream::Closing how);
  void pump(Talk& talk);
  static std::uint64_t now_in_nanoseconds() {
    return static_cast<std::uint64_t>(Clock::now().time_since_epoch().count());
  }
  bool arbiter() const { return options_.self < peer_; }
  bool dialling() const;
  Clock::time_point next_due() const;
  void mind_the_clock();
  void do_what_is_due(Clock::time_point now);

  const NodeOptions& options_;
  const AgentId peer_;
  const std::shared_ptr<grpc::Channel> channel_;
  LinkListener& listener_;
  QuietLog& log_;
  const std::shared_ptr<PayloadPool> pool_;

  mutable std::mutex guard_;
  mutable std::condition_variable changed_;  // up or down, all acknowledged, all streams ended
  std::map<Stream*, Talk> talks_;
  Talk* current_ = nullptr;  // the one in use
  bool stopped_ = false;
  Clock::time_point next_dial_, down_since_, next_ping_, acknowledge_by_;
  Clock::time_point said_due_ = Clock::time_point::max();  // by tick(), or since then to the listener

  Name boot_ = random_name();
  std::optional<Name> peer_boot_;
  std::deque<Outgoing> unacknowledged_;
  std::size_t waiting_bytes_ = 0;  // in these
  std::uint64_t last_sent_ = 0;    // the number of the last frame that was given a number
  std::uint64_t received_ = 0;     // of the neighbour's frames
  std::uint64_t said_received_ = 0;
  LinkStatus status_;
};

}  // namespace tacit
