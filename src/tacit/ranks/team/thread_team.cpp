#include "tacit/ranks/team/thread_team.hpp"

#include <fmt/format.h>

#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

#include "tacit/base/error.hpp"

namespace tacit {
namespace {

// The messages in transit between all ranks.
struct Post {
  explicit Post(std::size_t ranks) : boxes(ranks * ranks), ended(ranks) {}

  std::mutex guard;
  std::condition_variable news;
  std::vector<std::deque<std::string>> boxes;  // one for each pair
  std::vector<bool> ended;
};

class ThreadTeam final : public Team {
 public:
  ThreadTeam(Post& post, std::size_t rank, std::size_t size) : post_(post), rank_(rank), size_(size) {}

  std::size_t rank() const override { return rank_; }
  std::size_t size() const override { return size_; }
  void flush() override {}

  void send(std::size_t to, std::string bytes) override {
    sent_ += bytes.size();
    const std::lock_guard lock(post_.guard);
    box(rank_, to).push_back(std::move(bytes));
    post_.news.notify_all();
  }

  std::string receive(std::size_t from) override {
    std::unique_lock lock(post_.guard);
    post_.news.wait(lock, [&] { return !box(from, rank_).empty() || post_.ended[from]; });
    if (box(from, rank_).empty())
      throw Error(fmt::format("rank {} has ended unexpectedly; see its own error message", from));
    std::string bytes = std::move(box(from, rank_).front());
    box(from, rank_).pop_front();
    return bytes;
  }

 private:
  std::deque<std::string>& box(std::size_t from, std::size_t to) { return post_.boxes[from * size_ + to]; }

  Post& post_;
  const std::size_t rank_, size_;
};

struct Alone final : Team {
  std::size_t rank() const override { return 0; }
  std::size_t size() const override { return 1; }
  void send(std::size_t, std::string) override {}
  std::string receive(std::size_t) override { return {}; }
  void flush() override {}
};

}  // namespace

void run_ranks(std::size_t ranks, const std::function<void(Team&)>& work) {
  Post post(ranks);
  std::vector<std::exception_ptr> failures(ranks);
  std::vector<std::thread> threads;
  for (std::size_t rank = 0; rank < ranks; ++rank)
    threads.emplace_back([&, rank] {
      ThreadTeam team(post, rank, ranks);
      try {
        work(team);
      } catch (...) {
        failures[rank] = std::current_exception();
      }
      const std::lock_guard lock(post.guard);
      post.ended[rank] = true;
      post.news.notify_all();
    });
  for (std::thread& thread : threads) thread.join();
  for (const std::exception_ptr& failure : failures)
    if (failure) std::rethrow_exception(failure);
}

std::unique_ptr<Team> alone() { return std::make_unique<Alone>(); }

}  // namespace tacit
