// Announcements, answers, starts and cancellations of runs, as a convening agent handles them. The target
// signs the messages that it derives from the input, so that the check of signatures does not stop the
// fuzzer. Target frame covers frames.
#include <fuzzer/FuzzedDataProvider.h>

#include "convening.hpp"

using namespace tacit;

namespace {

// The options of an agent. All agents have the same identity.
NodeOptions as(AgentId agent) {
  NodeOptions options = fuzz::node_options();
  options.self = agent;
  return options;
}

RunDescription run_of(FuzzedDataProvider& input) {
  RunDescription run{.originator = input.ConsumeIntegralInRange<AgentId>(0, 3),
                     .number = input.ConsumeIntegral<std::uint64_t>(),
                     .ticket = input.ConsumeIntegral<std::uint64_t>(),
                     .request = {input.ConsumeRandomLengthString(40), input.ConsumeRandomLengthString(1000)},
                     .roster = {}};
  // Few names, so that several messages refer to the same run.
  run.name[0] = std::byte{input.ConsumeIntegral<std::uint8_t>()};
  while (input.ConsumeBool()) run.roster.push_back(input.ConsumeIntegralInRange<AgentId>(0, 3));
  return run;
}

Replies replies_of(FuzzedDataProvider& input, const Digest& announcement) {
  Replies replies;
  while (input.ConsumeBool()) {
    wire::Reply reply;
    reply.set_word(static_cast<wire::Reply::Word>(input.ConsumeIntegralInRange(0, 4)));
    reply.set_code(input.ConsumeIntegral<std::uint32_t>());
    reply.set_detail(input.ConsumeIntegral<std::uint64_t>());
    reply.set_in_the_way(input.ConsumeIntegral<std::uint64_t>());
    while (input.ConsumeBool()) reply.add_linked(input.ConsumeIntegral<std::uint32_t>());
    *replies.Add() =
        signed_reply(std::move(reply), announcement, as(input.ConsumeIntegralInRange<AgentId>(0, 2)));
  }
  return replies;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  FuzzedDataProvider input(data, size);
  fuzz::Nowhere nowhere;
  const NodeOptions& options = fuzz::node_options();
  Convening convening(options, nowhere, 1);
  Announced run;
  while (input.remaining_bytes() > 0)
    fuzz::refusable([&] {
      const AgentId from = input.ConsumeIntegralInRange<AgentId>(1, 2);
      wire::Header header;
      switch (input.ConsumeIntegralInRange(0, 9)) {
        case 0:
          run = announce(run_of(input), options);
          [[fallthrough]];
        case 1:
          return fuzz::receive(convening, from, run.header, run.run.request.body, options);
        case 2:
          return convening.heard(from, start_of(run, replies_of(input, run.digest), options));
        case 3:
          header.mutable_answer()->set_run(to_field(run.run.name));
          header.mutable_answer()->set_complete(input.ConsumeBool());
          header.mutable_answer()->set_disturbed(input.ConsumeBool());
          *header.mutable_answer()->mutable_replies() = replies_of(input, run.digest);
          return convening.heard(from, header);
        case 4:
          return convening.heard(
              from, cancel_of(run.run.name, run.digest, as(input.ConsumeIntegralInRange<AgentId>(0, 2))));
        case 5:
          if (header.ParseFromString(input.ConsumeRandomLengthString(200)))
            fuzz::receive(convening, from, header, {}, options);
          return;
        case 6:
          return convening.ended(input.ConsumeBool() ? Convening::Ending::done
                                                     : Convening::Ending::left_by_originator);
        case 7:
          return convening.lost(from);
        case 8:
          return convening.ask(1, {"add", ""}, {0, 1, 2});
        default:
          convening.tick();
      }
    });
  return 0;
}
