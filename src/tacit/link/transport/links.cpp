#include "tacit/link/transport/links.hpp"

#include <fmt/format.h>
#include <google/protobuf/stubs/logging.h>
#include <grpc/support/log.h>
#include <grpcpp/create_channel.h>
#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>

#include <algorithm>
#include <optional>

#include "tacit/base/error.hpp"
#include "tacit/base/system/listen_fault.hpp"
#include "tacit/identity/card.hpp"
#include "tacit/link/transport/acceptor.hpp"
#include "tacit/link/transport/hello.hpp"
#include "tacit/link/transport/tls.hpp"

namespace tacit {
namespace {

// gRPC has one log for the whole program, for example for failed handshakes. Its messages go to the log of
// the agent that was created last in this process. A daemon has only one.
std::mutex library_guard;
QuietLog* library_log = nullptr;

void log_library_message(gpr_log_func_args* message) {
  const std::lock_guard lock(library_guard);
  if (message->severity != GPR_LOG_SEVERITY_ERROR || !library_log) return;
  library_log->write_once(LogLevel::warning, fmt::format("{}:{}", message->file, message->line),
                          fmt::format("refused or lost a connection: {}", message->message));
}

void set_library_log(QuietLog* log) {
  const std::lock_guard lock(library_guard);
  library_log = log;
  gpr_set_log_function(log_library_message);
  google::protobuf::SetLogHandler(nullptr);  // malformed messages are reported by our own Error
}

void forget_library_log(QuietLog* log) {
  const std::lock_guard lock(library_guard);
  if (library_log == log) library_log = nullptr;
}

int in_milliseconds(Milliseconds time) { return static_cast<int>(time.count()); }

grpc::ChannelArguments dialling_arguments(const Timeouts& timeouts, const std::string& name) {
  grpc::ChannelArguments arguments;
  arguments.SetSslTargetNameOverride(name);  // the name in its certificate; not used to identify it
  arguments.SetMaxReceiveMessageSize(static_cast<int>(most_message_bytes + 4096));
  arguments.SetMaxSendMessageSize(-1);
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS, in_milliseconds(timeouts.keepalive));
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, 2 * in_milliseconds(timeouts.keepalive));
  arguments.SetInt(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);
  arguments.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, 100);
  arguments.SetInt(GRPC_ARG_MIN_RECONNECT_BACKOFF_MS, in_milliseconds(timeouts.handshake));
  arguments.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, 1000);
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);  // the charter gives the address to connect to
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  arguments.SetInt(GRPC_ARG_ENABLE_RETRIES, 0);  // the link resends frames
  return arguments;
}

}  // namespace

// The server for neighbours. It identifies a caller by the certificate alone.
class Links::Server final : public grpc::CallbackGenericService {
 public:
  Server(Links& links, const TlsKeys& own, std::vector<Fingerprint> pinned)
      : links_(links), pinned_(std::move(pinned)) {
    const Timeouts& timeouts = links_.options_.timeouts;
    Listener listener = open_listener();
    const int port = listener.port();
    grpc::ServerBuilder builder;
    // gRPC 1.51 never accepts again after it has run out of descriptors, so it gets accepted sockets.
    const std::shared_ptr<grpc::experimental::ExternalConnectionAcceptor> library =
        builder.experimental().AddExternalConnectionAcceptor(
            grpc::ServerBuilder::experimental_type::ExternalConnectionType::FROM_FD,
            listening_credentials(own, pinned_, [this](const std::string& shown) {
              log_refusal("the peer shows a certificate that is not in the charter, " + shown);
            }));
    builder.RegisterCallbackGenericService(this);
    builder.SetMaxReceiveMessageSize(static_cast<int>(most_message_bytes + 4096));
    builder.SetMaxSendMessageSize(-1);
    builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS, in_milliseconds(timeouts.keepalive));
    builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, 2 * in_milliseconds(timeouts.keepalive));
    builder.AddChannelArgument(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS, 10);
    builder.AddChannelArgument(GRPC_ARG_HTTP2_MAX_PING_STRIKES, 0);
    builder.AddChannelArgument(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);
    builder.AddChannelArgument(GRPC_ARG_SERVER_HANDSHAKE_TIMEOUT_MS, in_milliseconds(timeouts.handshake));
    builder.AddChannelArgument(GRPC_ARG_MAX_CONNECTION_IDLE_MS, 2 * in_milliseconds(timeouts.handshake));
    builder.AddChannelArgument(GRPC_ARG_MAX_CONCURRENT_STREAMS, 8);
    server_ = builder.BuildAndStart();
    if (!server_) throw Error(fmt::format("the server on {} cannot be started", links_.options_.listen));
    acceptor_.emplace(std::move(listener), rules([library](int socket) {
                        grpc::experimental::ExternalConnectionAcceptor::NewConnectionParameters accepted;
                        accepted.fd = socket;
                        library->HandleNewConnection(&accepted);
                      }));
    const std::string& listen = links_.options_.listen;
    links_.address_ = fmt::format("{}:{}", listen.substr(0, listen.rfind(':')), port);
  }

  ~Server() override {
    acceptor_.reset();
    server_->Shutdown(std::chrono::system_clock::now() + std::chrono::seconds(1));
  }

  grpc::ServerGenericBidiReactor* CreateReactor(grpc::GenericCallbackServerContext* context) override {
    if (context->method() != talk_method) return refuse(grpc::StatusCode::UNIMPLEMENTED, "no such method");
    const auto shown = context->auth_context()->FindPropertyValues("x509_pem_cert");
    try {
      if (shown.size() == 1) {
        const auto at =
            std::ranges::find(pinned_, fingerprint_of({shown[0].data(), shown[0].size()}, "a certificate"));
        if (at != pinned_.end()) {
          Link& link = *links_.links_[static_cast<std::size_t>(at - pinned_.begin())];
          if (auto* reactor = link.accept(*context)) return reactor;
          return refuse(grpc::StatusCode::RESOURCE_EXHAUSTED, "too many streams");
        }
      }
    } catch (const Error&) {  // not a certificate
    }
    log_refusal("the peer did not show a certificate that is in the charter");
    return refuse(grpc::StatusCode::UNAUTHENTICATED, "unknown certificate");
  }

 private:
  Listener open_listener() const {
    const std::string& listen = links_.options_.listen;
    const auto [host, port] = host_and_port(listen);
    try {
      return Listener::tcp(host, port);
    } catch (const ListenError& e) {
      const std::string fault = listen_fault(host, port);
      const std::string why =
          fmt::format("cannot listen on {}: {}", listen, fault.empty() ? e.what() : fault);
      if (e.may_pass()) throw ListenError(why, true);
      throw InputError(why);
    }
  }

  // A member opens few connections, but all members may have one address, such as that of a gateway.
  AcceptRules rules(std::function<void(int)> take) const {
    const std::size_t neighbours = pinned_.size();
    return {.name = "listen " + links_.options_.listen,
            .limits = {.open = 256 + 8 * neighbours,
                       .open_of_one = 16 + 8 * neighbours,
                       .young = 16 + 2 * neighbours,
                       .recent = 64 + 8 * neighbours,
                       .reserve = AcceptLimits::reserve_from_strangers(),
                       .patience = links_.options_.timeouts.handshake},
            .first = look_for_tls,
            .take = std::move(take),
            .log = links_.options_.log};
  }

  void log_refusal(const std::string& why) {
    links_.log_.write_once_of("strangers", LogLevel::warning, "refused a connection " + why,
                              fmt::format("refused a connection: {}", why));
  }

  Links& links_;
  const std::vector<Fingerprint> pinned_;  // in the order of the links
  std::unique_ptr<grpc::Server> server_;
  std::optional<Acceptor> acceptor_;
};

Links::Links(const NodeOptions& options, LinkListener& listener, QuietLog& log,
             std::shared_ptr<PayloadPool> pool)
    : options_(options),
      log_(log),
      pool_(std::move(pool)),
      neighbours_(tacit::neighbourhood(options.graph, options.self).neighbours) {
  if (options.everybody.size() != options.graph.agents())
    throw InputError(fmt::format("{} agents are described, but the graph has {}", options.everybody.size(),
                                 options.graph.agents()));
  const TlsKeys own{options.private_key, options.everybody[options.self].certificate};
  check_key_matches(own, who(options, options.self));
  std::vector<Fingerprint> pinned;
  for (const AgentId neighbour : neighbours_) {
    const Peer& peer = options.everybody[neighbour];
    pinned.push_back(fingerprint_of(peer.certificate, who(options, neighbour)));
    std::shared_ptr<grpc::Channel> channel;
    if (!peer.address.empty())
      channel = grpc::CreateCustomChannel(
          peer.address,
          dialling_credentials(
              own, pinned.back(),
              [this, neighbour](const std::string& shown) {
                log_.write_once(
                    LogLevel::error, fmt::format("not {}", neighbour),
                    fmt::format(
                        "the peer at the address of {} shows a certificate that is not the charter's: {}",
                        who(options_, neighbour), shown));
              }),
          dialling_arguments(options.timeouts, peer.name));
    links_.push_back(std::make_unique<Link>(options, neighbour, std::move(channel), listener, log, pool_));
  }
  if (!options.listen.empty()) server_ = std::make_unique<Server>(*this, own, std::move(pinned));
  set_library_log(&log_);  // last: a constructor that throws must not leave its log behind
}

Links::~Links() {
  for (const auto& link : links_) link->stop();
  server_.reset();
  for (const auto& link : links_) link->wait_until_quiet();
  forget_library_log(&log_);
}

Link& Links::link(AgentId neighbour) const {
  const auto at = std::ranges::lower_bound(neighbours_, neighbour);
  if (at == neighbours_.end() || *at != neighbour)
    throw Error(fmt::format("agent {} is not a neighbour of agent {}", neighbour, options_.self));
  return *links_[static_cast<std::size_t>(at - neighbours_.begin())];
}

void Links::send(AgentId to, wire::Header header, Payload payload) {
  if (payload.size() > most_message_bytes)
    throw Error(fmt::format("a message of {} bytes to {} is above the limit of {} bytes; split the request",
                            payload.size(), who(options_, to), most_message_bytes));
  link(to).send(std::move(header), shared(std::move(payload), pool_));
}

Link::Clock::time_point Links::tick() {
  auto due = Link::Clock::time_point::max();
  for (const auto& link : links_) due = std::min(due, link->tick());
  return due;
}

bool Links::wait_until_up(Link::Clock::time_point deadline) const {
  return std::ranges::all_of(links_, [&](const auto& link) { return link->wait_until_up(deadline); });
}

bool Links::wait_until_acknowledged(Link::Clock::time_point deadline) const {
  return std::ranges::all_of(links_,
                             [&](const auto& link) { return link->wait_until_acknowledged(deadline); });
}

LinkStatus Links::status(AgentId neighbour) const { return link(neighbour).status(); }

}  // namespace tacit
