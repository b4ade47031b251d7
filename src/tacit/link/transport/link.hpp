// The link to one neighbour. It uses at most one stream at a time. Across successive streams, every frame
// arrives exactly once and in order.
//
// Frames are numbered and kept until the neighbour acknowledges them. When a new stream is opened, each side
// reports the last frame that it has received, and the other side resends the rest. If either agent restarts,
// both drop all frames in transit and number frames from 1 again.
//
// Either side may dial, and both may dial at once. The agent with the lower id decides which stream is used:
// always the newest. So decisions of the two sides cannot conflict.
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

/// Receives the events of a link, one at a time, on threads that must not be blocked. The listener must not
/// call the link from these functions.
class LinkListener {
 public:
  virtual ~LinkListener() = default;
  virtual void heard(AgentId from, Frame frame) = 0;
  /// The neighbour was restarted and does not know earlier messages, or has treated this agent as lost.
  virtual void restarted(AgentId neighbour) = 0;
  /// There was no stream for Timeouts::loss. Reported once. Frames are dropped until the neighbour is back.
  virtual void lost(AgentId neighbour) = 0;
  /// tick() is due earlier than it returned.
  virtual void due_earlier() = 0;
};

struct LinkStatus {
  bool up = false;
  bool lost = false;      ///< down for Timeouts::loss or longer
  std::string refusal;    ///< why one of the two refuses the link; empty if neither does
  std::string release;    ///< of Tacit, as the neighbour reports it; empty if it has not
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

  /// Returns at once. Throws Error if too many bytes wait to be sent.
  void send(wire::Header header, grpc::Slice payload);

  /// The neighbour has dialled, and its certificate was checked. Null if it has too many streams open.
  grpc::ServerGenericBidiReactor* accept(grpc::CallbackServerContext& context);

  /// Dials, pings, acknowledges and detects timeouts. Call it again at the time that it returns, or after
  /// LinkListener::due_earlier().
  Clock::time_point tick();

  /// Closes all streams, and opens no further ones.
  void stop();
  LinkStatus status() const;

  /// Wait until the link is up, or until the neighbour has received all frames or the link is down. False on
  /// timeout.
  bool wait_until_up(Clock::time_point deadline) const;
  bool wait_until_acknowledged(Clock::time_point deadline) const;
  /// Waits until all streams have ended. Call it after stop().
  void wait_until_quiet() const;

  void on_frame(Stream& stream, grpc::ByteBuffer& bytes) override;
  void on_written(Stream& stream) override;
  void on_closed(Stream& stream, const std::string& why) override;

 private:
  static constexpr std::size_t most_urgent = 64;  // frames without a number that wait, such as pongs
  static constexpr std::chrono::milliseconds redial_after{200};

  struct Talk {  // the state of one stream
    std::shared_ptr<Stream> stream;
    bool dialled = false;
    Clock::time_point since;
    bool greeted = false;  // the neighbour's hello was accepted
    bool closing = false;
    bool writing = false;
    std::deque<wire::Header> urgent;  // sent before numbered frames, and never resent
    std::uint64_t next = 0;           // the next numbered frame to send
  };
  struct Outgoing {
    wire::Header header;
    grpc::Slice payload;
    std::size_t bytes = 0;  // memory that it uses while it waits
  };

  Talk& begin(std::shared_ptr<Stream> stream, bool dialled);
  void send_hello(Talk& talk);
  void handle_hello(Talk& talk, const wire::Hello& hello);
  void use(Talk& talk);
  void drop_all_but(const Talk* talk);
  void handle_frame(Talk& talk, Frame frame);
  void handle_numbered(Talk& talk, Frame frame);
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
  void announce_due();
  void run_due(Clock::time_point now);

  const NodeOptions& options_;
  const AgentId peer_;
  const std::shared_ptr<grpc::Channel> channel_;
  LinkListener& listener_;
  QuietLog& log_;
  const std::shared_ptr<PayloadPool> pool_;

  mutable std::mutex guard_;
  mutable std::condition_variable changed_;  // the link is up or down, all is acknowledged, all streams ended
  std::map<Stream*, Talk> talks_;
  Talk* current_ = nullptr;  // the stream in use
  bool stopped_ = false;
  Clock::time_point next_dial_, down_since_, next_ping_, acknowledge_by_;
  Clock::time_point announced_due_ = Clock::time_point::max();  // returned by tick(), or reported since then

  Name boot_ = random_name();
  std::optional<Name> peer_boot_;
  std::deque<Outgoing> unacknowledged_;
  std::size_t waiting_bytes_ = 0;  // of the unacknowledged frames
  std::uint64_t last_sent_ = 0;    // the highest number given to an own frame
  std::uint64_t received_ = 0;     // the highest number received from the neighbour
  std::uint64_t reported_received_ = 0;
  LinkStatus status_;
};

}  // namespace tacit
