// What neighbours send: frames, and what an agent that convenes does with them. Several frames in one input,
// each with two bytes of length before it.
#include <google/protobuf/stubs/logging.h>

#include <chrono>
#include <cstdint>
#include <deque>

#include "tacit/base/error.hpp"
#include "tacit/link/convening.hpp"
#include "tacit/link/hello.hpp"

using namespace tacit;

namespace {

struct Nowhere final : Convening::Outside {
  Convening::Time now() override { return Convening::Time(std::chrono::milliseconds(++clock)); }
  std::uint64_t calendar() override { return clock; }
  void send(AgentId, wire::Header header, std::string_view) override { (void)header.ByteSizeLong(); }
  std::vector<AgentId> neighbours() override { return {1, 2}; }
  Consent consent(const Run& run) override {
    return {run.request.kind == "no" ? Consent::Word::no : Consent::Word::yes, "why"};
  }
  std::uint64_t last_of(AgentId) override { return 0; }
  void expect(const Run&) override {}
  void forget(const Run&, const std::string&) override {}
  void start(const Run&) override {}
  void failed(std::uint64_t, const std::string&) override {}
  void granted(std::uint64_t, const Run&) override {}
  void log(LogLevel, const std::string&) override {}
  std::uint64_t clock = 0;
};

const NodeOptions& options() {
  static Prg prg = Prg::from_seed(1, "fuzz", 0);
  static const Identity identity(prg);
  static const NodeOptions made = [] {
    NodeOptions fresh;
    for (const char* name : {"a", "b", "c"}) fresh.everybody.push_back({name, "", "", identity.public_key()});
    fresh.graph = Graph(3, {{0, 1}, {1, 2}, {0, 2}});
    fresh.agreement.fields = {{"title", "x"}};
    fresh.identity = &identity;
    return fresh;
  }();
  return made;
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  google::protobuf::SetLogHandler(nullptr);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static PayloadPool pool;
  Nowhere nowhere;
  Convening convening(options(), nowhere, 1);
  convening.ask(1, {"add", ""}, {});
  for (AgentId from = 1; size >= 2; from = 3 - from) {
    const std::size_t length = std::min<std::size_t>(data[0] + 256u * data[1], size - 2);
    const grpc::Slice bytes(data + 2, length);
    grpc::ByteBuffer buffer(&bytes, 1);
    data += 2 + length;
    size -= 2 + length;
    try {
      const Frame frame = decode(buffer, pool);
      const wire::Header& header = frame.header;
      if (header.has_hello()) (void)objection_to(header.hello(), from, options());
      if (header.has_refusal()) (void)first_difference(options().agreement, header.refusal());
      if (header.has_message()) (void)to_string(tag_from(header.message()));
      const auto payload = frame.payload.bytes();
      convening.heard(from, header, {reinterpret_cast<const char*>(payload.data()), payload.size()});
      convening.tick();
      (void)encode(header, grpc::Slice());
    } catch (const Error&) {  // refused
    }
  }
  return 0;
}
