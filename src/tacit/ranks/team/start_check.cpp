#include "tacit/ranks/team/start_check.hpp"

#include <fmt/format.h>

#include "tacit/base/error.hpp"
#include "tacit/base/system/parallel.hpp"
#include "tacit/base/system/release.hpp"
#include "tacit/gp/expert/blas_threads.hpp"
#include "tacit/ranks/team/message.hpp"
#include "tacit/ranks/team/mpirun.hpp"
#include "tacit/ranks/team/sockets.hpp"

namespace tacit {
namespace {

std::string written(const RankKind& kind) {
  MessageWriter out;
  for (const std::string& text : {kind.release, kind.processor, kind.host}) out.text(text);
  for (const std::uint32_t number : {kind.cores, kind.share, kind.all}) out.number(number);
  return message(out);
}

RankKind read(std::string bytes) {
  MessageReader in(std::move(bytes));
  RankKind kind;
  for (std::string* text : {&kind.release, &kind.processor, &kind.host}) *text = in.text();
  for (unsigned* number : {&kind.cores, &kind.share, &kind.all}) *number = in.number<std::uint32_t>();
  return kind;
}

void check_alike(std::size_t rank, const RankKind& one, const RankKind& first) {
  if (one.release != first.release)
    throw InputError(fmt::format(
        "rank {} (on {}) runs tacit {}, but rank 0 (on {}) runs tacit {}; install the same release "
        "on all machines",
        rank, one.host, one.release, first.host, first.release));
  if (one.processor != first.processor)
    throw InputError(fmt::format(
        "rank {} (on {}) uses OpenBLAS for {}, but rank 0 (on {}) uses it for {}, which rounds differently; "
        "use "
        "machines with the same kind of processor, or select the oldest kind for all ranks, for example with "
        "mpirun -x OPENBLAS_CORETYPE=Haswell",
        rank, one.host, one.processor, first.host, first.processor));
}

}  // namespace

RankKind this_rank() {
  return {release(), blas_processor(), host_name(), default_threads(), share_of_cores(), cores_of_machine()};
}

std::vector<std::string> roll_call(Team& team, const RankKind& own) {
  std::vector<RankKind> all;
  for (std::string& one : team.share(written(own))) all.push_back(read(std::move(one)));
  for (std::size_t rank = 1; rank < all.size(); ++rank) check_alike(rank, all[rank], all[0]);
  if (!team.leads()) return {};
  for (std::size_t rank = 0; rank < all.size(); ++rank)
    if (all[rank].cores < all[rank].share)  // the first is enough: the same applies to the others
      return {fmt::format("rank {} may use only {} of the {} cores of {}; start with mpirun --bind-to none",
                          rank, all[rank].cores, all[rank].all, all[rank].host)};
  return {};
}

}  // namespace tacit
