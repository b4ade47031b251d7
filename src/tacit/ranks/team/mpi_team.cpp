#include "tacit/ranks/team/mpi_team.hpp"

#define OMPI_SKIP_MPICXX 1
#include <fmt/format.h>
#include <mpi.h>
#include <sched.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <list>
#include <optional>
#include <thread>
#include <utility>

#include "tacit/base/error.hpp"
#include "tacit/ranks/team/mpirun.hpp"
#include "tacit/ranks/team/rank_watch.hpp"
#include "tacit/ranks/team/thread_team.hpp"

namespace tacit {
namespace {

constexpr std::size_t largest_piece = std::size_t{1} << 30;  // MPI counts by int
constexpr int tag = 0;

// Waits without using a core that another rank may need: spins briefly, then sleeps for increasing times.
class Pause {
 public:
  std::chrono::steady_clock::time_point since() const { return since_; }
  void wait() {
    if (++turns_ < 200) {
      ::sched_yield();
      return;
    }
    std::this_thread::sleep_for(std::chrono::microseconds(std::min(turns_ - 150, 1000)));
  }

 private:
  int turns_ = 0;
  std::chrono::steady_clock::time_point since_ = std::chrono::steady_clock::now();
};

class MpiTeam final : public Team {
 public:
  MpiTeam() {
    int given = 0, rank = 0, size = 0, before = 0;
    MPI_Initialized(&before);
    if (before)
      throw Error(
          "a process can join the ranks of mpirun only once; start a new process for the next command");
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &given);
    if (given < MPI_THREAD_SERIALIZED)
      throw Error("this MPI library does not support threads; use Open MPI as packaged by Debian");
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size == 1) {  // each process would do all of the work
      MPI_Finalize();
      throw InputError(fmt::format(
          "the launcher has started {} processes, but Open MPI sees only this one; start with Open MPI's "
          "mpirun, or with srun --mpi=pmix",
          ranks_started()));
    }
    rank_ = static_cast<std::size_t>(rank);
    size_ = static_cast<std::size_t>(size);
    watch_.emplace(*this);
  }

  ~MpiTeam() override {
    const bool lost = watch_->lost().has_value();
    if (!lost) {
      try {
        flush();
      } catch (const Error&) {
      }
    }
    watch_.reset();
    // MPI_Finalize waits for all ranks. If a rank is missing, it waits forever. During stack unwinding it
    // would delay the error message.
    if (!lost && std::uncaught_exceptions() == 0) MPI_Finalize();
  }

  std::size_t rank() const override { return rank_; }
  std::size_t size() const override { return size_; }
  void when_lost(const Lost& tell) override { watch_->when_lost(tell); }

  void send(std::size_t to, std::string bytes) override {
    sent_ += bytes.size();
    Letter& letter = under_way_.emplace_back();
    letter.to = to;
    letter.bytes = std::move(bytes);
    letter.size = letter.bytes.size();
    letter.requests.push_back(begin_send(&letter.size, sizeof letter.size, to));
    for (std::size_t at = 0; at < letter.size; at += largest_piece)
      letter.requests.push_back(
          begin_send(letter.bytes.data() + at, std::min(largest_piece, letter.size - at), to));
    sweep();
  }

  std::string receive(std::size_t from) override {
    std::uint64_t size = 0;
    take(&size, sizeof size, from);
    std::string bytes(size, '\0');
    for (std::size_t at = 0; at < size; at += largest_piece)
      take(bytes.data() + at, std::min(largest_piece, size - at), from);
    return bytes;
  }

  void flush() override {
    for (Pause pause; sweep(), !under_way_.empty(); pause.wait()) check(under_way_.front().to, pause);
  }

 private:
  struct Letter {
    std::size_t to = 0;
    std::string bytes;
    std::uint64_t size = 0;
    std::vector<MPI_Request> requests;
  };

  static MPI_Request begin_send(const void* data, std::size_t size, std::size_t to) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Isend(data, static_cast<int>(size), MPI_BYTE, static_cast<int>(to), tag, MPI_COMM_WORLD, &request);
    return request;
  }

  void take(void* data, std::size_t size, std::size_t from) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Irecv(data, static_cast<int>(size), MPI_BYTE, static_cast<int>(from), tag, MPI_COMM_WORLD, &request);
    int there = 0;
    for (Pause pause;; pause.wait()) {
      MPI_Test(&request, &there, MPI_STATUS_IGNORE);
      if (there) return;
      sweep();
      check(from, pause);
    }
  }

  // Removes messages that have been sent.
  void sweep() {
    std::erase_if(under_way_, [](Letter& letter) {
      int all = 0;
      MPI_Testall(static_cast<int>(letter.requests.size()), letter.requests.data(), &all,
                  MPI_STATUSES_IGNORE);
      return all != 0;
    });
  }

  // Throws if a rank has ended, in particular the one that this rank waits for.
  void check(std::size_t other, const Pause& pause) {
    if (!watch_) return;  // still being constructed
    watch_->check_wait(other, pause.since());
    if (const auto lost = watch_->lost()) throw Error(*lost);
  }

  std::size_t rank_ = 0, size_ = 1;
  std::list<Letter> under_way_;  // a list, because MPI holds pointers to its elements
  std::optional<RankWatch> watch_;
};

}  // namespace

std::unique_ptr<Team> ranks_of_mpi() {
  if (!started_as_rank()) return alone();
  return std::make_unique<MpiTeam>();
}

}  // namespace tacit
