#include "tacit/link/node/hostile_testing.hpp"

#include <grpcpp/client_context.h>
#include <grpcpp/create_channel.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/support/client_callback.h>

#include <algorithm>
#include <chrono>

#include "tacit/link/transport/tls.hpp"

namespace tacit::testing {

using namespace std::chrono_literals;
constexpr auto patience = 20s;

namespace {

std::shared_ptr<grpc::Channel> channel_to(const NodeOptions& options, AgentId to) {
  grpc::ChannelArguments arguments;
  arguments.SetMaxSendMessageSize(-1);
  arguments.SetMaxReceiveMessageSize(-1);
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  return grpc::CreateCustomChannel(
      options.everybody[to].address,
      dialling_credentials({options.private_key, options.everybody[options.self].certificate},
                           fingerprint_of(options.everybody[to].certificate, "test"), [](const auto&) {}),
      arguments);
}

wire::Hello hello_of(const NodeOptions& options, const Name& boot) {
  wire::Hello hello;
  hello.set_version(wire_version);
  hello.set_agent(options.self);
  hello.set_name(options.everybody[options.self].name);
  hello.set_charter(options.agreement.hash.data(), options.agreement.hash.size());
  hello.set_boot(to_field(boot));
  return hello;
}

grpc::ByteBuffer hello_frame(const NodeOptions& options) {
  wire::Header header;
  *header.mutable_hello() = hello_of(options, random_name());
  return encode(header, grpc::Slice());
}

// A message of a run that does not exist. The first frame may be repeated: links drop what they have
// received.
grpc::ByteBuffer largest_frame() {
  wire::Header header;
  header.set_sequence(1);
  *header.mutable_message() = to_wire(random_name(), {});
  return encode(header, grpc::Slice(std::string(most_message_bytes, 'x')));
}

}  // namespace

Hostile::Hostile(NodeOptions options, AgentId to) : options_(std::move(options)), to_(to) {
  channel_ = channel_to(options_, to);
  stream_ = dial(channel_, *this);
}

Hostile::~Hostile() {
  stream_->close(Stream::Closing::now);
  std::unique_lock lock(guard_);
  changed_.wait(lock, [&] { return closed_; });
}

wire::Hello Hostile::hello() const { return hello_of(options_, boot_); }

bool Hostile::join() {
  say(hello());
  if (to_ < options_.self) return is_used();
  wire::Header use;  // this side has the lower id, so it selects the stream
  use.mutable_use();
  const bool greeted = hear([](const wire::Header& header) { return header.has_hello(); }).has_value();
  say(use);
  return greeted;
}

void Hostile::say(const wire::Hello& hello) {
  wire::Header header;
  *header.mutable_hello() = hello;
  say(header);
}

void Hostile::say(const wire::Header& header, std::string_view payload) {
  std::unique_lock lock(guard_);
  changed_.wait(lock, [&] { return !writing_ || closed_; });
  if (closed_) return;
  writing_ = true;
  lock.unlock();
  stream_->write(
      encode(header, payload.empty() ? grpc::Slice() : grpc::Slice(payload.data(), payload.size())));
}

void Hostile::tell(wire::Header header, std::string_view payload) {
  header.set_sequence(++sent_);
  say(header, payload);
}

std::optional<wire::Header> Hostile::hear(const std::function<bool(const wire::Header&)>& fits) {
  std::unique_lock lock(guard_);
  auto at = heard_.end();
  changed_.wait_for(lock, patience, [&] {
    at = std::ranges::find_if(heard_, fits);
    return at != heard_.end();
  });
  if (at == heard_.end()) return std::nullopt;
  wire::Header header = std::move(*at);
  heard_.erase(at);
  return header;
}

std::optional<wire::Reply> Hostile::hear_reply(const Name& run) {
  const auto of = [&](const wire::Reply& reply) { return reply.agent() == to_; };
  const auto header = hear([&](const wire::Header& one) {
    return one.has_answer() && one.answer().run() == to_field(run) &&
           std::ranges::any_of(one.answer().replies(), of);
  });
  if (!header) return std::nullopt;
  return *std::ranges::find_if(header->answer().replies(), of);
}

bool Hostile::is_refused(const std::string& words) {
  std::unique_lock lock(guard_);
  changed_.wait_for(lock, patience, [&] { return !refusal_.empty() || closed_; });
  return refusal_.find(words) != std::string::npos;
}

bool Hostile::is_closed() {
  std::unique_lock lock(guard_);
  return changed_.wait_for(lock, patience, [&] { return closed_; });
}

bool Hostile::is_used() {
  std::unique_lock lock(guard_);
  return changed_.wait_for(lock, patience, [&] { return used_; });
}

void Hostile::on_frame(Stream&, grpc::ByteBuffer& bytes) {
  Frame frame = decode(bytes, pool_);
  const std::lock_guard lock(guard_);
  if (frame.header.has_refusal()) refusal_ = frame.header.refusal().reason();
  if (frame.header.has_use()) used_ = true;
  heard_.push_back(std::move(frame.header));
  changed_.notify_all();
}

void Hostile::on_written(Stream&) {
  const std::lock_guard lock(guard_);
  writing_ = false;
  changed_.notify_all();
}

void Hostile::on_closed(Stream&, const std::string&) {
  const std::lock_guard lock(guard_);
  closed_ = true;
  changed_.notify_all();
}

// Never starts a read, so the other side's frames stay in its own memory and in the system's.
class DeafFlood::Reactor final : public grpc::ClientBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer> {
 public:
  Reactor(DeafFlood& flood, const std::shared_ptr<grpc::Channel>& channel) : flood_(flood) {
    grpc::GenericStub(channel).PrepareBidiStreamingCall(&context_, talk_method, {}, this);
    StartWrite(&flood_.hello_);
    StartCall();
  }
  void OnWriteDone(bool ok) override {
    if (!ok) return;
    ++flood_.frames_;
    StartWrite(&flood_.frame_);
  }
  void OnDone(const grpc::Status&) override {
    const std::lock_guard lock(guard_);
    done_ = true;
    changed_.notify_all();
  }
  void wait() {
    std::unique_lock lock(guard_);
    while (!changed_.wait_for(lock, 20ms, [&] { return done_; }))
      if (flood_.stopping_) context_.TryCancel();
  }

 private:
  DeafFlood& flood_;
  grpc::ClientContext context_;
  std::mutex guard_;
  std::condition_variable changed_;
  bool done_ = false;
};

DeafFlood::DeafFlood(const NodeOptions& options, AgentId to, std::size_t streams)
    : options_(options), to_(to), hello_(hello_frame(options)), frame_(largest_frame()) {
  for (std::size_t k = 0; k < streams; ++k) threads_.emplace_back([this] { flood(); });
}

DeafFlood::~DeafFlood() {
  stopping_ = true;
  for (std::thread& one : threads_) one.join();
}

void DeafFlood::flood() {
  const auto channel = channel_to(options_, to_);
  while (!stopping_) {
    ++dials_;
    Reactor(*this, channel).wait();
  }
}

Announced signed_run(const NodeOptions& options, std::vector<AgentId> roster, std::string body, Name name) {
  const auto now = std::chrono::system_clock::now().time_since_epoch() / 1ms;
  return announce({.name = name,
                   .originator = options.self,
                   .number = static_cast<std::uint64_t>(now),
                   .ticket = static_cast<std::uint64_t>(now),
                   .request = {"add", std::move(body)},
                   .roster = std::move(roster)},
                  options);
}

}  // namespace tacit::testing
