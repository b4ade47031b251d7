// What members sign: announcements and starts of runs, and what an agent that convenes does with them. The
// target signs what it makes of the input, so that the check of signatures is no wall. Frames as such are
// those of target frame.
#include <fuzzer/FuzzedDataProvider.h>

#include "convening.hpp"
#include "tacit/link/signed_run.hpp"

using namespace tacit;

namespace {

Run run_of(FuzzedDataProvider& input) {
  Run run{.originator = input.ConsumeIntegralInRange<AgentId>(0, 4),
          .number = input.ConsumeIntegral<std::uint64_t>(),
          .ticket = input.ConsumeIntegral<std::uint64_t>(),
          .request = {input.ConsumeRandomLengthString(16), input.ConsumeRandomLengthString(1000)},
          .present = {}};
  run.name[0] = std::byte{
      input.ConsumeIntegral<std::uint8_t>()};  // few names, so that messages are about the same runs
  while (input.ConsumeBool()) run.present.push_back(input.ConsumeIntegralInRange<AgentId>(0, 4));
  return run;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  FuzzedDataProvider input(data, size);
  fuzz::Nowhere nowhere;
  Convening convening(fuzz::node_options(), nowhere, 1);
  Run run;
  while (input.remaining_bytes() > 0)
    fuzz::refusable([&] {
      const AgentId from = input.ConsumeIntegralInRange<AgentId>(1, 2);
      switch (input.ConsumeIntegralInRange(0, 6)) {
        case 0:
          run = run_of(input);
          [[fallthrough]];
        case 1:
          return convening.heard(from, announcement_of(run, fuzz::node_options()), run.request.body);
        case 2:
          return convening.heard(from, start_of(run, fuzz::node_options()), {});
        case 3: {
          wire::Header header;
          if (header.ParseFromString(input.ConsumeRandomLengthString(200))) convening.heard(from, header, {});
          return;
        }
        case 4:
          return convening.ended();
        case 5:
          return convening.lost(from);
        default:
          convening.tick();
      }
    });
  return 0;
}
