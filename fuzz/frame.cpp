// Frames from neighbours, as a convening agent handles them. An input contains several frames, each preceded
// by its length in two bytes.
#include <google/protobuf/stubs/logging.h>

#include "convening.hpp"
#include "tacit/base/sanitised_text.hpp"
#include "tacit/link/transport/hello.hpp"

using namespace tacit;

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  google::protobuf::SetLogHandler(nullptr);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static PayloadPool pool;
  const NodeOptions& options = fuzz::node_options();
  fuzz::Nowhere nowhere;
  Convening convening(options, nowhere, 1);
  convening.ask(1, {"add", ""}, {0, 1, 2});
  for (AgentId from = 1; size >= 2; from = 3 - from) {
    const std::size_t length = std::min<std::size_t>(data[0] + 256u * data[1], size - 2);
    const grpc::Slice bytes(data + 2, length);
    grpc::ByteBuffer buffer(&bytes, 1);
    data += 2 + length;
    size -= 2 + length;
    fuzz::refusable([&] {
      const Frame frame = decode(buffer, pool);
      const wire::Header& header = frame.header;
      if (header.has_hello()) (void)objection_to(header.hello(), from, options);
      if (header.has_refusal()) (void)first_difference(options.agreement, header.refusal());
      if (header.has_refusal()) fuzz::must(sanitised_text(header.refusal().reason()).size() <= 4 * 200 + 3);
      if (header.has_quit()) (void)in_words(reason_of(header.quit()));
      if (header.has_message()) (void)to_string(tag_from(header.message()));
      const auto payload = frame.payload.bytes();
      fuzz::receive(convening, from, header, {reinterpret_cast<const char*>(payload.data()), payload.size()},
                    options);
      convening.tick();
      (void)encode(header, grpc::Slice());
    });
  }
  return 0;
}
