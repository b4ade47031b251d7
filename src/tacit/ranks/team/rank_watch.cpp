#include "tacit/ranks/team/rank_watch.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <poll.h>
#include <sodium.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <deque>

#include "tacit/base/error.hpp"
#include "tacit/ranks/team/message.hpp"
#include "tacit/ranks/team/sockets.hpp"

namespace tacit {
namespace {

constexpr char welcome = 'w', farewell = 'e';
constexpr std::size_t token_size = 16;
constexpr std::size_t most_strangers = 256;
constexpr auto grace = std::chrono::seconds(3);  // for messages still in transit from a rank that left
using Clock = std::chrono::steady_clock;

std::string random_token() {
  std::string token(token_size, '\0');
  if (::getrandom(token.data(), token.size(), 0) != static_cast<ssize_t>(token.size()))
    throw Error("the operating system provides no random bytes");
  return token;
}

// The first message of a rank.
std::string hello_of(std::size_t rank, const std::string& token) {
  const auto number = static_cast<std::uint32_t>(rank);
  return token + std::string(reinterpret_cast<const char*>(&number), sizeof number);
}

}  // namespace

RankWatch::RankWatch(Team& team, std::chrono::milliseconds patience) {
  if (::pipe2(stop_, O_CLOEXEC) != 0)
    throw Error("cannot create a pipe; check whether too many files are open");
  try {
    connect(team, patience);
  } catch (...) {
    close_all();
    throw;
  }
  watcher_ = std::thread([this] { watch(); });
}

void RankWatch::connect(Team& team, std::chrono::milliseconds patience) {
  MessageWriter own;
  own.text(host_name());
  own.number<std::int64_t>(::getpid());
  own.text(loopback_of());
  const std::vector<std::string> places = team.share(message(own));
  std::string token = team.leads() ? random_token() : std::string();
  team.broadcast(token);
  if (team.leads()) {
    listen_for(team, places, token, patience);
  } else {
    std::string where;
    team.broadcast(where);
    dial(std::move(where), token, team.rank());
  }
}

RankWatch::~RankWatch() {
  for (const Peer& peer : peers_)
    [[maybe_unused]] const ssize_t sent = ::send(peer.socket, &farewell, 1, MSG_NOSIGNAL);
  [[maybe_unused]] const ssize_t woken = ::write(stop_[1], &farewell, 1);
  watcher_.join();
  close_all();
}

void RankWatch::close_all() {
  for (const Peer& peer : peers_) ::close(peer.socket);
  for (const int end : stop_) ::close(end);
}

void RankWatch::listen_for(Team& team, const std::vector<std::string>& places, const std::string& token,
                           std::chrono::milliseconds patience) {
  std::vector<std::string> words;
  bool one_machine = true;
  for (const std::string& place : places) {
    MessageReader in(place);
    const std::string host = in.text();
    words.push_back(fmt::format("on {}, process {}", host, in.number<std::int64_t>()));
    one_machine = one_machine && in.text() == loopback_of();
  }
  std::uint16_t port = 0;
  const int door = listening(one_machine, port);
  MessageWriter where;
  const std::vector<std::string> here = one_machine ? std::vector<std::string>{"127.0.0.1"} : addresses();
  where.text(std::to_string(port));
  where.number<std::uint64_t>(here.size());
  for (const std::string& one : here) where.text(one);
  std::string letter = message(where);
  team.broadcast(letter);
  const std::chrono::milliseconds all = patience + (one_machine ? 0 : here.size()) * 2 * one_try;
  let_in(door, token, words, Clock::now() + all);
  ::close(door);
  for (std::size_t rank = 1; rank < team.size(); ++rank)
    if (std::ranges::none_of(peers_, [&](const Peer& peer) { return peer.rank == rank; }))
      throw Error(fmt::format(
          "rank {} ({}) has not connected to rank 0 within {} s, at port {} of {}, so its end would "
          "go unnoticed; allow TCP connections between the machines of all ranks",
          rank, words[rank], all / std::chrono::seconds(1), port, fmt::join(here, ", ")));
}

// Other programs may also connect, and send nothing. They must not delay the ranks.
void RankWatch::let_in(int door, const std::string& token, const std::vector<std::string>& words,
                       Clock::time_point until) {
  struct Caller {
    int socket;
    std::string received = {};
  };
  std::deque<Caller> callers;
  const std::size_t enough = hello_of(0, token).size();
  // Returns whether the caller must send more. Otherwise it was accepted or rejected.
  const auto incomplete = [&](Caller& caller) {
    char bytes[64];
    const ssize_t got = ::recv(caller.socket, bytes, enough - caller.received.size(), MSG_DONTWAIT);
    if (got > 0) caller.received.append(bytes, static_cast<std::size_t>(got));
    if (got > 0 && caller.received.size() < enough) return true;
    if (got <= 0 || !greeted(caller.socket, caller.received, token, words)) ::close(caller.socket);
    return false;
  };
  while (peers_.size() + 1 < words.size() && left(until) > 0) {
    std::vector<pollfd> all{{door, POLLIN, 0}};
    for (const Caller& caller : callers) all.push_back({caller.socket, POLLIN, 0});
    if (::poll(all.data(), all.size(), left(until)) <= 0) continue;
    std::deque<Caller> waiting;
    for (std::size_t k = 0; k < callers.size(); ++k)
      if (!all[k + 1].revents || incomplete(callers[k])) waiting.push_back(std::move(callers[k]));
    callers = std::move(waiting);
    if (!all[0].revents) continue;
    if (const int socket = ::accept4(door, nullptr, nullptr, SOCK_CLOEXEC); socket >= 0)
      callers.push_back({socket});
    if (callers.size() > words.size() + most_strangers) {
      ::close(callers.front().socket);
      callers.pop_front();
    }
  }
  for (const Caller& caller : callers) ::close(caller.socket);
}

// A caller must know the token, which was sent through MPI.
bool RankWatch::greeted(int socket, const std::string& hello, const std::string& token,
                        const std::vector<std::string>& words) {
  for (std::size_t rank = 1; rank < words.size(); ++rank) {
    if (sodium_memcmp(hello.data(), hello_of(rank, token).data(), hello.size()) != 0) continue;
    if (std::ranges::any_of(peers_, [&](const Peer& peer) { return peer.rank == rank; })) return false;
    keep_alive(socket);
    if (::send(socket, &welcome, 1, MSG_NOSIGNAL) != 1) return false;
    peers_.push_back({socket, rank, words[rank]});
    return true;
  }
  return false;
}

// An address may also belong to another machine, so a connection counts only after rank 0's welcome.
void RankWatch::dial(std::string where, const std::string& token, std::size_t rank) {
  MessageReader in(std::move(where));
  const std::string port = in.text(), hello = hello_of(rank, token);
  for (std::size_t left = in.count(1); left > 0; --left) {
    const int socket = connected(in.text(), port);
    if (socket < 0) continue;
    keep_alive(socket);
    char reply = 0;
    if (::send(socket, hello.data(), hello.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(hello.size()) &&
        readable(socket, Clock::now() + one_try) && ::recv(socket, &reply, 1, 0) == 1 && reply == welcome) {
      peers_.push_back({socket, 0, "the leader"});
      return;
    }
    ::close(socket);
  }
}

void RankWatch::watch() {
  std::vector<pollfd> all{{stop_[0], POLLIN, 0}};
  for (const Peer& peer : peers_) all.push_back({peer.socket, POLLIN, 0});
  while (::poll(all.data(), all.size(), -1) >= 0 || errno == EINTR) {
    if (all[0].revents) return;
    for (std::size_t k = 1; k < all.size(); ++k) {
      if (!all[k].revents) continue;
      char byte = 0;
      if (::recv(all[k].fd, &byte, 1, 0) != 1 || byte != farewell) {
        note_lost(peers_[k - 1]);
      } else {
        const std::lock_guard lock(guard_);
        peers_[k - 1].left = Clock::now();
      }
      all[k].fd = -1;  // poll ignores it
    }
  }
}

void RankWatch::check_wait(std::size_t rank, Clock::time_point since) {
  const Peer* away = nullptr;
  {
    const std::lock_guard lock(guard_);
    for (const Peer& peer : peers_)
      if (peer.rank == rank && peer.left && Clock::now() - std::max(since, *peer.left) > grace) away = &peer;
  }
  if (away) note_lost(*away);
}

void RankWatch::note_lost(const Peer& peer) {
  Team::Lost tell;
  {
    const std::lock_guard lock(guard_);
    if (lost_) return;
    lost_ = fmt::format(
        "rank {} ({}) has ended unexpectedly, so the others cannot continue; start all ranks again",
        peer.rank, peer.words);
    tell = tell_;
  }
  if (tell) tell(*lost());
}

std::optional<std::string> RankWatch::lost() const {
  const std::lock_guard lock(guard_);
  return lost_;
}

void RankWatch::when_lost(Team::Lost tell) {
  const std::lock_guard lock(guard_);
  tell_ = std::move(tell);
}

}  // namespace tacit
