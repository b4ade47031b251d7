#include "tacit/ranks/team/mpirun.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "tacit/base/system/parallel.hpp"

namespace tacit {
namespace {

unsigned number_from_launcher(const char* variable) {
  const char* text = std::getenv(variable);
  const long number = text ? std::strtol(text, nullptr, 10) : 0;
  return number > 0 && number < 1'000'000 ? static_cast<unsigned>(number) : 0;
}

struct Launcher {
  const char *size, *rank;
};
constexpr Launcher launchers[] = {{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"},
                                  {"PMI_SIZE", "PMI_RANK"},
                                  {"SLURM_STEP_NUM_TASKS", "SLURM_PROCID"}};

const Launcher* launcher() {
  for (const Launcher& one : launchers)
    if (number_from_launcher(one.size) > 1) return &one;
  return nullptr;
}

unsigned ranks_here() { return std::max(1u, number_from_launcher("OMPI_COMM_WORLD_LOCAL_SIZE")); }

}  // namespace

bool started_as_rank() { return launcher() != nullptr; }

unsigned ranks_started() { return launcher() ? number_from_launcher(launcher()->size) : 1; }

unsigned rank_started() { return launcher() ? number_from_launcher(launcher()->rank) : 0; }

bool started_by_mpirun() { return launcher() == &launchers[0]; }

unsigned threads_of_rank() {
  const long cores = ::sysconf(_SC_NPROCESSORS_ONLN);
  return std::clamp(static_cast<unsigned>(std::max(1L, cores)) / ranks_here(), 1u, default_threads());
}

// A rank's parent is mpirun, or the process that mpirun started on another machine. The parent is not bound
// to cores, but the limits of a container or a scheduler apply to it.
unsigned cores_of_machine() {
  cpu_set_t cores;
  if (!std::getenv("OMPI_MCA_orte_bound_at_launch") ||
      ::sched_getaffinity(::getppid(), sizeof cores, &cores) != 0)
    return default_threads();
  return std::max(default_threads(), static_cast<unsigned>(CPU_COUNT(&cores)));
}

unsigned share_of_cores() { return std::max(1u, cores_of_machine() / ranks_here()); }

}  // namespace tacit
