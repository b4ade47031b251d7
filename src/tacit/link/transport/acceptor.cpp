#include "tacit/link/transport/acceptor.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <map>
#include <string_view>

#include "tacit/base/error.hpp"

namespace tacit {
namespace {

using namespace std::chrono_literals;

constexpr auto look_every = 50ms;     // at connections that cannot be passed on yet
constexpr auto watch_every = 1s;      // whether the listener still exists
constexpr auto pause_without = 50ms;  // descriptors or memory
constexpr auto count_every = 10ms;
constexpr std::ptrdiff_t most_closed = 4096;  // remembered
constexpr int most_at_once = 64;              // accepted before waiting connections are examined again

// What limits count as one address.
std::string address_of(const sockaddr_storage& from) {
  char text[INET6_ADDRSTRLEN] = "";
  if (from.ss_family == AF_INET) {
    ::inet_ntop(AF_INET, &reinterpret_cast<const sockaddr_in&>(from).sin_addr, text, sizeof text);
    return text;
  }
  if (from.ss_family != AF_INET6) return "this machine";
  in6_addr v6 = reinterpret_cast<const sockaddr_in6&>(from).sin6_addr;
  if (IN6_IS_ADDR_V4MAPPED(&v6)) {
    ::inet_ntop(AF_INET, &v6.s6_addr[12], text, sizeof text);
    return text;
  }
  std::fill(v6.s6_addr + 8, v6.s6_addr + 16, std::uint8_t{0});
  ::inet_ntop(AF_INET6, &v6, text, sizeof text);
  return std::string(text) + "/64";
}

std::uint64_t inode_of(int socket) {
  struct stat there {};
  return ::fstat(socket, &there) == 0 && S_ISSOCK(there.st_mode) ? there.st_ino : 0;
}

// A socket that is closed with unread bytes resets the connection, and the client would see an error.
void discard_input(int socket) {
  char some[4096];
  for (int k = 0; k < 16 && ::recv(socket, some, sizeof some, MSG_DONTWAIT) > 0; ++k) continue;
}

Descriptor spare_descriptor() { return Descriptor(::open("/dev/null", O_RDONLY | O_CLOEXEC)); }

}  // namespace

int AcceptLimits::reserve_from_strangers() { return std::min(256, descriptor_limit() / 4); }
int AcceptLimits::reserve_from_local_programs() { return std::min(128, descriptor_limit() / 8); }

Acceptor::Acceptor(Listener listener, AcceptRules rules)
    : listener_(std::move(listener)),
      rules_(std::move(rules)),
      log_(rules_.log),
      wake_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      spare_(spare_descriptor()) {
  if (!wake_) throw Error("no descriptor is free; raise the limit of open files (ulimit -n)");
  thread_ = std::thread([this] { run(); });
}

Acceptor::~Acceptor() {
  stopping_ = true;
  const std::uint64_t one = 1;
  [[maybe_unused]] const auto written = ::write(wake_.get(), &one, sizeof one);
  thread_.join();
}

void Acceptor::run() {
  while (!stopping_) {
    std::vector<pollfd> polled = what_to_poll();
    if (::poll(polled.data(), polled.size(), poll_limit()) < 0) {  // without memory, for example
      std::this_thread::sleep_for(pause_without);
      for (pollfd& one : polled) one.revents = 0;
    }
    if (stopping_) return;
    const std::size_t listening = listener_.sockets().size();
    for (std::size_t k = 0; k < listening; ++k)
      if (polled[1 + k].revents & (POLLERR | POLLHUP | POLLNVAL)) broken_ = true;
    examine(polled.data() + 1 + listening);
    accept_all();
    watch_listener();
  }
}

// In this order: the event that stops, listening sockets, waiting connections.
std::vector<pollfd> Acceptor::what_to_poll() const {
  std::vector<pollfd> polled{{wake_.get(), POLLIN, 0}};
  const auto when_accepting = static_cast<short>(Clock::now() >= accept_after_ ? POLLIN : 0);
  for (const Descriptor& one : listener_.sockets()) polled.push_back({one.get(), when_accepting, 0});
  for (const Waiting& one : waiting_) {
    // A part of a message makes every poll return at once, so such a connection is looked at from time to
    // time.
    const int events = one.complete ? 0 : one.looked_at ? POLLRDHUP : POLLIN | POLLRDHUP;
    polled.push_back({one.socket.get(), static_cast<short>(events), 0});
  }
  return polled;
}

int Acceptor::poll_limit() const {
  const auto now = Clock::now();
  auto due = now + watch_every;
  if (!waiting_.empty()) due = std::min(due, waiting_.front().since + rules_.limits.patience);
  if (std::ranges::any_of(waiting_, [](const Waiting& one) { return one.looked_at; }))
    due = std::min(due, next_look_);
  if (accept_after_ > now) due = std::min(due, accept_after_);
  return static_cast<int>(std::chrono::ceil<std::chrono::milliseconds>(std::max(due - now, 0ns)).count());
}

void Acceptor::watch_listener() {
  const auto now = Clock::now();
  if (now < next_watch_ && !(broken_ && listener_.intact())) return;
  next_watch_ = now + watch_every;
  if (!spare_) spare_ = spare_descriptor();
  if (!broken_ && listener_.intact()) return;
  broken_ = true;
  listener_.close();
  try {
    listener_.renew();
    broken_ = false;
    note("renewed", "the listener had failed and was created again");
  } catch (const Error& e) {
    note("failed",
         fmt::format("the listener failed and cannot be created again, trying every second: {}", e.what()));
  }
}

void Acceptor::accept_all() {
  if (broken_ || Clock::now() < accept_after_) return;
  for (const Descriptor& listener : listener_.sockets())
    for (int k = 0; k < most_at_once && accept_one(listener.get()); ++k) continue;
}

// False if no connection can be accepted from this socket at the moment.
bool Acceptor::accept_one(int listener) {
  sockaddr_storage from{};
  socklen_t size = sizeof from;
  Descriptor socket(
      ::accept4(listener, reinterpret_cast<sockaddr*>(&from), &size, SOCK_NONBLOCK | SOCK_CLOEXEC));
  if (socket) {
    admit(std::move(socket), address_of(from));
    return true;
  }
  switch (errno) {
    case EAGAIN:
      return false;
    case EMFILE:
    case ENFILE:
      shed(listener);
      return false;
    case ENOBUFS:
    case ENOMEM:
      accept_after_ = Clock::now() + pause_without;
      return false;
    case EBADF:
    case EFAULT:
    case EINVAL:
    case ENOTSOCK:
    case EOPNOTSUPP:
      broken_ = true;
      return false;
    default:  // an error of this connection, which has ended
      return true;
  }
}

// A connection that is not accepted makes every poll return at once, and its client would wait.
void Acceptor::shed(int listener) {
  note("descriptors",
       fmt::format("all {} descriptors of this process are in use; new connections are closed. "
                   "Raise the limit of open files (LimitNOFILE in the unit, or ulimit -n).",
                   descriptor_limit()));
  accept_after_ = Clock::now() + pause_without;
  spare_.reset();
  for (int k = 0; k < most_at_once; ++k) {
    const Descriptor refused(::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC));
    if (!refused) break;
  }
  spare_ = spare_descriptor();
}

void Acceptor::admit(Descriptor socket, std::string address) {
  // The system gives the lowest free number, so this one shows how many are in use.
  if (socket.get() >= descriptor_limit() - rules_.limits.reserve)
    return note("reserve",
                fmt::format("only {} descriptors of this process are free, which it needs itself; new "
                            "connections are closed. One came from {}. Raise the limit of open files "
                            "(LimitNOFILE in the unit, or ulimit -n).",
                            rules_.limits.reserve, address));
  if (waiting_.size() >= rules_.limits.waiting) {
    const auto closed = which_gives_way();
    note("waiting",
         fmt::format("{} connections have not sent their first message; the oldest of those from {} is "
                     "closed, and the following ones are not logged",
                     waiting_.size(), closed->address));
    waiting_.erase(closed);
  }
  waiting_.push_back({std::move(socket), std::move(address), Clock::now()});
}

// The oldest connection of the address with the most of them, so that a flood closes its own.
std::list<Acceptor::Waiting>::iterator Acceptor::which_gives_way() {
  std::map<std::string_view, std::size_t> counts;
  for (const Waiting& one : waiting_) ++counts[one.address];
  return std::ranges::max_element(waiting_, {}, [&](const Waiting& one) { return counts[one.address]; });
}

// `polled` has one element for each waiting connection.
void Acceptor::examine(const pollfd* polled) {
  const auto now = Clock::now();
  const bool look = now >= next_look_;
  if (look) next_look_ = now + look_every;
  bool crowded = false;
  for (auto at = waiting_.begin(); at != waiting_.end(); ++polled) {
    Waiting& one = *at;
    FirstMessage found = FirstMessage::incomplete;
    if (polled->revents != 0 || (look && one.looked_at)) found = examined(one, polled->revents);
    if (found == FirstMessage::complete && room_for(one.address)) {
      pass_on(one);
    } else if (found != FirstMessage::wrong && now < one.since + rules_.limits.patience) {
      crowded = crowded || found == FirstMessage::complete;
      ++at;
      continue;
    } else {
      discard_input(one.socket.get());
    }
    at = waiting_.erase(at);
  }
  if (crowded) rules_.crowded();
}

FirstMessage Acceptor::examined(Waiting& one, short events) {
  if (events & (POLLERR | POLLHUP | POLLNVAL)) return FirstMessage::wrong;
  one.looked_at = true;
  const FirstMessage found = rules_.first(one.socket.get());
  one.complete = found == FirstMessage::complete;
  if (found == FirstMessage::wrong)
    note("wrong", fmt::format("closed a connection from {}: its first bytes are not those of an agent or a "
                              "program that this listener is for",
                              one.address));
  // Nothing more arrives on a connection that the other side has closed.
  return found == FirstMessage::incomplete && (events & POLLRDHUP) ? FirstMessage::wrong : found;
}

bool Acceptor::room_for(const std::string& address) {
  forget_closed();
  const AcceptLimits& limits = rules_.limits;
  const auto young_since = Clock::now() - limits.patience;
  std::size_t open = 0, of_this = 0, young = 0, recent = 0;
  for (const Passed& one : passed_) {
    const bool same = one.address == address, fresh = one.since > young_since;
    open += one.open;
    of_this += one.open && same;
    young += one.open && same && fresh;
    recent += same && fresh;
  }
  if (open < limits.open && of_this < limits.open_of_one && young < limits.young && recent < limits.recent)
    return true;
  note("open", fmt::format("{} connections are open, {} of them from {}, which opened {} in {} ms; further "
                           "ones must wait",
                           open, of_this, address, recent, limits.patience.count()));
  return false;
}

void Acceptor::forget_closed() {
  const auto now = Clock::now();
  if (now < next_count_) return;
  next_count_ = now + count_every;
  for (Passed& one : passed_) one.open = one.open && inode_of(one.socket) == one.inode;
  const auto recent_since = now - rules_.limits.patience;
  std::erase_if(passed_, [&](const Passed& one) { return !one.open && one.since <= recent_since; });
  auto excess = std::ranges::count(passed_, false, &Passed::open) - most_closed;
  std::erase_if(passed_, [&](const Passed& one) { return !one.open && excess-- > 0; });
}

void Acceptor::pass_on(Waiting& one) {
  const int socket = one.socket.release();
  const int yes = 1;
  ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);  // no effect on unix sockets
  passed_.push_back({socket, inode_of(socket), std::move(one.address), Clock::now()});
  rules_.take(socket);
}

void Acceptor::note(const std::string& topic, const std::string& text) {
  log_.write_once(LogLevel::warning, topic, fmt::format("{}: {}", rules_.name, text));
}

}  // namespace tacit
