#include "tacit/link/transport/link.hpp"

#include <fmt/format.h>

#include "tacit/base/error.hpp"
#include "tacit/base/sanitised_text.hpp"
#include "tacit/link/transport/hello.hpp"

namespace tacit {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t most_streams = 4;                             // of one neighbour at a time
constexpr std::size_t most_waiting_bytes = 4 * most_message_bytes;  // not yet acknowledged
constexpr std::uint64_t acknowledge_every = 32;  // frames; or with other frames, or after a delay
constexpr auto acknowledge_within = 20ms;
constexpr auto redial_refused_after = 5s;
constexpr int most_fields = 4096;            // of a charter in a refusal
constexpr std::size_t most_link_lines = 20;  // of one neighbour in the log, in each pause of QuietLog
constexpr auto refusal_may_take = 1s;        // until it has arrived; then the stream is closed

}  // namespace

Link::Link(const NodeOptions& options, AgentId peer, std::shared_ptr<grpc::Channel> channel,
           LinkListener& listener, QuietLog& log, std::shared_ptr<PayloadPool> pool)
    : options_(options),
      peer_(peer),
      channel_(std::move(channel)),
      listener_(listener),
      log_(log),
      pool_(std::move(pool)),
      next_dial_(options_.clock->now()),
      down_since_(next_dial_) {
  if (!arbiter()) next_dial_ += 2 * redial_after;  // lets the neighbour dial first
}

void Link::send(wire::Header header, grpc::Slice payload) {
  const std::lock_guard lock(guard_);
  if (status_.lost) return;
  const std::size_t bytes = payload.size() + header.ByteSizeLong() + sizeof(Outgoing);
  if (waiting_bytes_ + bytes > most_waiting_bytes)
    throw Error(
        fmt::format("{} does not accept messages: {} bytes wait to be sent. Check that agent and its link.",
                    who(options_, peer_), waiting_bytes_));
  header.set_sequence(++last_sent_);
  waiting_bytes_ += bytes;
  unacknowledged_.push_back({std::move(header), std::move(payload), bytes});
  if (current_) pump(*current_);
}

grpc::ServerGenericBidiReactor* Link::accept(grpc::CallbackServerContext& context) {
  const std::lock_guard lock(guard_);
  if (stopped_) return nullptr;
  if (talks_.size() >= most_streams) {
    log_.write_once(LogLevel::warning, fmt::format("streams {}", peer_),
                    fmt::format("{} opened more than {} streams at a time; further ones are refused",
                                who(options_, peer_), most_streams));
    return nullptr;
  }
  Accepted accepted = tacit::accept(context, *this);
  send_hello(begin(std::move(accepted.stream), false));
  announce_due();
  return accepted.reactor;
}

Link::Talk& Link::begin(std::shared_ptr<Stream> stream, bool dialled) {
  Stream* key = stream.get();
  Talk& talk = talks_[key];
  talk.stream = std::move(stream);
  talk.dialled = dialled;
  talk.since = options_.clock->now();
  return talk;
}

void Link::send_hello(Talk& talk) {
  wire::Header header;
  wire::Hello& hello = *header.mutable_hello();
  hello.set_version(wire_version);
  hello.set_agent(options_.self);
  hello.set_name(options_.everybody[options_.self].name);
  hello.set_charter(options_.agreement.hash.data(), options_.agreement.hash.size());
  hello.set_boot(to_field(boot_));
  if (peer_boot_) hello.set_peer_boot(to_field(*peer_boot_));
  hello.set_received(received_);
  hello.set_release(options_.release);
  talk.urgent.push_back(std::move(header));
  pump(talk);
}

void Link::handle_hello(Talk& talk, const wire::Hello& hello) {
  if (talk.greeted) return violated(talk, "sent a second hello");
  status_.release = release_in(hello);
  if (std::optional<wire::Refusal> objection = objection_to(hello, peer_, options_)) {
    // If the charters differ, the refusal is reported when the neighbour's fields arrive.
    if (objection->charter_size() == 0) refused(talk, objection->reason());
    wire::Header header;
    *header.mutable_refusal() = std::move(*objection);
    talk.urgent.push_back(std::move(header));
    talk.since = options_.clock->now() - options_.timeouts.handshake + refusal_may_take;
    return pump(talk);
  }
  talk.greeted = true;
  const Name boot = name_from(hello.boot());
  if (peer_boot_ != boot) {
    if (peer_boot_) {
      drop_all_but(&talk);
      listener_.restarted(peer_);
    }
    peer_boot_ = boot;
  }
  if (hello.peer_boot() == to_field(boot_)) acknowledge(hello.received());
  if (arbiter()) {
    wire::Header header;
    header.mutable_use();
    talk.urgent.push_back(std::move(header));
    use(talk);
  }
}

// Frames in transit are for or from a previous start of an agent.
void Link::drop_all_but(const Talk* talk) {
  unacknowledged_.clear();
  waiting_bytes_ = last_sent_ = received_ = reported_received_ = 0;
  for (auto& [stream, other] : talks_)
    if (&other != talk) close(other, Stream::Closing::now);
}

void Link::use(Talk& talk) {
  if (current_ == &talk) return;
  if (current_) close(*current_, Stream::Closing::now);
  for (auto& [stream, other] : talks_)  // streams still in their handshake are older as well
    if (&other != &talk && arbiter()) close(other, Stream::Closing::now);
  current_ = &talk;
  talk.next = unacknowledged_.empty() ? last_sent_ + 1 : unacknowledged_.front().header.sequence();
  if (!status_.up)
    log_.write_at_most(most_link_lines, LogLevel::info, fmt::format("up {}", peer_),
                       fmt::format("link to {} is up", who(options_, peer_)));
  status_.up = true;
  status_.lost = false;
  status_.refusal.clear();
  ++status_.streams;
  changed_.notify_all();
  pump(talk);
}

void Link::acknowledge(std::uint64_t received) {
  while (!unacknowledged_.empty() && unacknowledged_.front().header.sequence() <= received) {
    waiting_bytes_ -= unacknowledged_.front().bytes;
    unacknowledged_.pop_front();
  }
  if (unacknowledged_.empty()) changed_.notify_all();
}

void Link::handle_numbered(Talk& talk, Frame frame) {
  const std::uint64_t number = frame.header.sequence();
  if (number <= received_) return;  // resent, but received before
  if (number != received_ + 1) return violated(talk, fmt::format("skipped frame {}", received_ + 1));
  if (received_ == reported_received_) acknowledge_by_ = options_.clock->now() + acknowledge_within;
  received_ = number;
  ++status_.frames_received;
  listener_.heard(peer_, std::move(frame));
  if (received_ - reported_received_ >= acknowledge_every && current_) {
    current_->urgent.emplace_back();
    pump(*current_);
  }
}

void Link::on_frame(Stream& stream, grpc::ByteBuffer& bytes) {
  const std::lock_guard lock(guard_);
  const auto at = talks_.find(&stream);
  if (at == talks_.end() || at->second.closing) return;
  status_.bytes_received += bytes.Length();
  try {
    handle_frame(at->second, decode(bytes, *pool_));
  } catch (const std::exception& e) {
    violated(at->second, e.what());
  }
  announce_due();
}

void Link::handle_frame(Talk& talk, Frame frame) {
  const wire::Header& header = frame.header;
  if (header.has_hello()) return handle_hello(talk, header.hello());
  if (header.has_refusal()) {
    const wire::Refusal& refusal = header.refusal();
    if (refusal.charter_size() > most_fields) return violated(talk, "sent a charter with too many fields");
    const bool fields = refusal.charter_size() > 0;
    const std::string reason = sanitised_text(refusal.reason());
    refused(talk, fields ? fmt::format("{}; the first field that differs is {}", reason,
                                       first_difference(options_.agreement, refusal))
                         : fmt::format("{} refuses: {}", who(options_, peer_), reason));
    return close(talk, Stream::Closing::orderly);
  }
  if (!talk.greeted) return violated(talk, "did not start with a hello");
  if (frame.payload.size() > 0 && !header.has_message() && !header.has_announcement())
    return violated(talk, "sent a payload in a frame that has none");
  if (header.received() > last_sent_) return violated(talk, "acknowledged a frame that was never sent");
  acknowledge(header.received());
  if (header.has_use()) return arbiter() ? violated(talk, "selected a stream out of turn") : use(talk);
  if (header.has_ping()) {
    if (talk.urgent.size() >= most_urgent) return violated(talk, "sent too many pings");
    wire::Header pong;
    *pong.mutable_pong() = header.ping();
    talk.urgent.push_back(std::move(pong));
    return pump(talk);
  }
  if (header.has_pong()) {
    status_.round_trip = static_cast<double>(now_in_nanoseconds() - header.pong().time()) * 1e-9;
    return;
  }
  if (header.sequence() > 0) handle_numbered(talk, std::move(frame));
}

void Link::refused(Talk&, const std::string& why) {
  status_.refusal = why;
  next_dial_ = options_.clock->now() + redial_refused_after;
  log_.write_once_of(fmt::format("refused {}", peer_), LogLevel::warning, "refused " + why,
                     fmt::format("no link to {}: {}", who(options_, peer_), why));
}

void Link::violated(Talk& talk, const std::string& what) {
  log_.write_once_of(fmt::format("violated {}", peer_), LogLevel::error,
                     fmt::format("violated {} {}", peer_, what),
                     fmt::format("{}: {}; stream closed", who(options_, peer_), what));
  close(talk, Stream::Closing::now);
}

// The stream ends some time later. Frames that arrive until then are ignored.
void Link::close(Talk& talk, Stream::Closing how) {
  talk.closing = true;
  talk.stream->close(how);
  if (current_ != &talk) return;
  current_ = nullptr;
  status_.up = false;
  changed_.notify_all();
  down_since_ = options_.clock->now();
  next_dial_ = std::max(next_dial_, down_since_ + (arbiter() ? 0ms : redial_after));
}

void Link::pump(Talk& talk) {
  if (talk.writing || talk.closing) return;
  wire::Header header;
  const grpc::Slice none;
  const grpc::Slice* payload = &none;
  if (!talk.urgent.empty()) {
    header = std::move(talk.urgent.front());
    talk.urgent.pop_front();
  } else if (&talk == current_ && talk.next <= last_sent_) {
    if (!unacknowledged_.empty()) talk.next = std::max(talk.next, unacknowledged_.front().header.sequence());
    const std::size_t place = talk.next - (last_sent_ + 1 - unacknowledged_.size());
    if (place >= unacknowledged_.size()) return;  // all frames were acknowledged over another stream
    header = unacknowledged_[place].header;
    payload = &unacknowledged_[place].payload;
    ++talk.next;
    ++status_.frames_sent;
  } else {
    return;
  }
  if (talk.greeted) {
    header.set_received(received_);
    reported_received_ = received_;
  }
  const grpc::ByteBuffer bytes = encode(header, *payload);
  status_.bytes_sent += bytes.Length();
  talk.writing = true;
  talk.stream->write(bytes);
}

void Link::on_written(Stream& stream) {
  const std::lock_guard lock(guard_);
  const auto at = talks_.find(&stream);
  if (at == talks_.end()) return;
  at->second.writing = false;
  pump(at->second);
  announce_due();
}

void Link::on_closed(Stream& stream, const std::string& why) {
  const std::lock_guard lock(guard_);
  const auto at = talks_.find(&stream);
  if (at == talks_.end()) return;
  const bool in_use = current_ == &at->second;
  close(at->second, Stream::Closing::orderly);
  if (in_use && !stopped_)
    log_.write_at_most(most_link_lines, LogLevel::info, fmt::format("down {}", peer_),
                       fmt::format("link to {} is down: {}", who(options_, peer_), sanitised_text(why)));
  talks_.erase(at);
  changed_.notify_all();
  announce_due();
}

void Link::stop() {
  const std::lock_guard lock(guard_);
  stopped_ = true;
  for (auto& [stream, talk] : talks_) close(talk, Stream::Closing::now);
}

bool Link::wait_until_up(Clock::time_point deadline) const {
  std::unique_lock lock(guard_);
  return changed_.wait_until(lock, deadline, [&] { return status_.up; });
}

bool Link::wait_until_acknowledged(Clock::time_point deadline) const {
  std::unique_lock lock(guard_);
  return changed_.wait_until(lock, deadline, [&] { return !status_.up || unacknowledged_.empty(); });
}

void Link::wait_until_quiet() const {
  std::unique_lock lock(guard_);
  changed_.wait(lock, [&] { return talks_.empty(); });
}

LinkStatus Link::status() const {
  const std::lock_guard lock(guard_);
  LinkStatus now = status_;
  now.unacknowledged = unacknowledged_.size();
  return now;
}

}  // namespace tacit
