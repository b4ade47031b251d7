#include "tacit/agent/control/local_http.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <httplib.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <set>
#include <string_view>
#include <thread>

#include "tacit/agent/control/http_stream.hpp"
#include "tacit/base/error.hpp"
#include "tacit/base/system/listen_fault.hpp"
#include "tacit/identity/card.hpp"
#include "tacit/link/transport/acceptor.hpp"

namespace tacit {
namespace {

std::string why_not(const std::string& host, const std::string& port) {
  const std::string why = listen_fault(host, port);
  return why.empty() ? "the port was in use until just now; try again" : why;
}

// The usual spelling of a numeric address.
std::string canonical(const std::string& host) {
  in6_addr bytes{};
  char text[INET6_ADDRSTRLEN];
  if (::inet_pton(AF_INET6, host.c_str(), &bytes) != 1) return host;
  return fmt::format("[{}]", ::inet_ntop(AF_INET6, &bytes, text, sizeof text));
}

}  // namespace

bool is_loopback(const std::string& host) {
  in_addr v4{};
  in6_addr v6{};
  if (host == "localhost") return true;
  if (::inet_pton(AF_INET, host.c_str(), &v4) == 1) return (ntohl(v4.s_addr) >> 24) == 127;
  return ::inet_pton(AF_INET6, host.c_str(), &v6) == 1 && IN6_IS_ADDR_LOOPBACK(&v6);
}

bool asks_for_this_machine(const httplib::Request& request) {
  const std::string host = request.get_header_value("Host");
  const bool bare_v6 = !host.empty() && host.front() == '[' && host.back() == ']';
  return is_loopback(bare_v6 ? host.substr(1, host.size() - 2) : host_and_port(host).first);
}

namespace {

constexpr auto shutdown_limit = std::chrono::seconds(3);  // a reload must not wait longer

// The library parses requests and calls handlers. It does not accept: it would wait for slow clients.
class Library final : public httplib::Server {
 public:
  // The library ends an answer in parts when this is not the number of a socket.
  Library() { svr_sock_ = 0; }
  void stop_answering() { svr_sock_ = INVALID_SOCKET; }
  void answer(HttpStream& stream) {
    bool closed = false;
    process_request(stream, true, closed, [](httplib::Request& request) {
      request.headers.erase("Accept-Encoding");  // the library would compress every answer again
    });
  }
};

std::string lower(std::string_view text) {
  std::string made(text);
  for (char& c : made)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return made;
}

// The names of the fields of a request's head, in lower case.
std::set<std::string> fields_of(std::string_view head) {
  std::set<std::string> names;
  while (!head.empty()) {
    const std::string_view line = head.substr(0, head.find('\n'));
    head.remove_prefix(std::min(head.size(), line.size() + 1));
    std::string_view name = line.substr(0, line.find(':'));
    while (!name.empty() && (name.back() == ' ' || name.back() == '\t')) name.remove_suffix(1);
    if (name.size() < line.size()) names.insert(lower(name));
  }
  return names;
}

// The answer to a request that the library must not see; empty for others. It parses ranges with a recursive
// regular expression, copies the content once for each range, and reads chunked bodies of any size.
std::string refusal_of(std::string_view head, bool accepts_bodies) {
  const auto answer = [](std::string_view status, std::string_view sentence) {
    return fmt::format(
        "HTTP/1.1 {}\r\nContent-Type: text/plain\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{}",
        status, sentence.size(), sentence);
  };
  const std::string_view method = head.substr(0, head.find(' '));
  if (!accepts_bodies && method != "GET" && method != "HEAD")
    return answer("405 Method Not Allowed", "only GET and HEAD are supported\n");
  const std::set<std::string> fields = fields_of(head);
  for (const char* field : {"range", "transfer-encoding"})
    if (fields.contains(field))
      return answer("400 Bad Request", fmt::format("the header {} is not supported\n", field));
  return "";
}

thread_local HttpStream* answered_here = nullptr;

}  // namespace

void let_answer_last() {
  if (answered_here) answered_here->let_answer_last();
}

// Shared with the threads of connections, which may outlive the agent's other parts.
struct LocalHttp::State : std::enable_shared_from_this<LocalHttp::State> {
  explicit State(LocalHttpOptions of) : options(std::move(of)) {}

  const LocalHttpOptions options;
  Library library;
  std::mutex guard;
  std::condition_variable changed;
  std::set<std::shared_ptr<HttpStream>> open;

  void take(int socket) {
    auto stream = std::make_shared<HttpStream>(Descriptor(socket), options.limit);
    {
      const std::lock_guard lock(guard);
      open.insert(stream);
    }
    try {
      std::thread([self = shared_from_this(), stream] { self->answer(stream); }).detach();
    } catch (const std::system_error&) {  // no thread is free; the client may ask again
      forget(stream);
    }
  }

  void answer(const std::shared_ptr<HttpStream>& stream) {
    answered_here = stream.get();
    try {
      const std::string refusal = refusal_of(http_head(stream->socket()), options.most_bytes > 0);
      if (refusal.empty())
        library.answer(*stream);
      else
        stream->refuse(refusal);
    } catch (const std::exception& e) {
      options.log(LogLevel::warning, fmt::format("{}: a request failed: {}", options.field, e.what()));
    }
    answered_here = nullptr;
    stream->end();
    forget(stream);
  }

  void forget(const std::shared_ptr<HttpStream>& stream) {
    const std::lock_guard lock(guard);
    open.erase(stream);
    changed.notify_all();
  }

  // Disconnects slow clients, because others wait.
  void make_room() {
    const std::lock_guard lock(guard);
    const auto slow_since = HttpStream::Clock::now() - options.yields_after;
    for (const auto& stream : open)
      if (const auto waits = stream->waits_since(); waits && *waits < slow_since) stream->end();
  }
};

LocalHttp::LocalHttp(const LocalHttpOptions& options, const std::function<void(httplib::Server&)>& routes)
    : state_(std::make_shared<State>(options)) {
  state_->library.set_payload_max_length(options.most_bytes);
  routes(state_->library);
  const auto [host, port] = host_and_port(options.listen);
  const std::string where = host == "localhost" ? "127.0.0.1" : host;
  std::optional<Listener> listener;
  try {
    listener = Listener::tcp(where, port);
  } catch (const Error&) {
    throw InputError(
        fmt::format("{}: cannot listen on {}: {}", options.field, options.listen, why_not(where, port)));
  }
  port_ = listener->port();
  address_ = fmt::format("{}:{}", canonical(where), port_);
  acceptor_ = std::make_unique<Acceptor>(
      std::move(*listener), AcceptRules{.name = options.field,
                                        .limits = {.waiting = 64,
                                                   .open = options.connections,
                                                   .young = options.connections,
                                                   .reserve = AcceptLimits::reserve_from_local_programs(),
                                                   .patience = options.patience},
                                        .first = look_for_http,
                                        .take = [state = state_](int socket) { state->take(socket); },
                                        .crowded = [state = state_] { state->make_room(); },
                                        .log = options.log});
}

LocalHttp::~LocalHttp() {
  acceptor_.reset();
  state_->library.stop_answering();
  std::unique_lock lock(state_->guard);
  for (const auto& stream : state_->open)
    if (stream->waits_since()) stream->end();
  state_->changed.wait_for(lock, shutdown_limit, [&] { return state_->open.empty(); });
}

int LocalHttp::port() const { return port_; }

std::string LocalHttp::address() const { return address_; }

}  // namespace tacit
