#include "tacit/ranks/mpirun.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "tacit/base/parallel.hpp"

namespace tacit {
namespace {

unsigned number_from_launcher(const char* variable) {
  const char* text = std::getenv(variable);
  const long number = text ? std::strtol(text, nullptr, 10) : 0;
  return number > 0 && number < 1'000'000 ? static_cast<unsigned>(number) : 0;
}

}  // namespace

bool started_as_rank() {
  for (const char* variable : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"})
    if (number_from_launcher(variable) > 1) return true;
  return false;
}

unsigned threads_of_rank() {
  const long cores = ::sysconf(_SC_NPROCESSORS_ONLN);
  const unsigned ranks = std::max(1u, number_from_launcher("OMPI_COMM_WORLD_LOCAL_SIZE"));
  return std::clamp(static_cast<unsigned>(std::max(1L, cores)) / ranks, 1u, default_threads());
}

}  // namespace tacit
