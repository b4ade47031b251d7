// Protocol exact among three agents, the last of which is hostile. The input determines which of its messages
// are changed, cut, lengthened, duplicated or withheld, and their tags. Every agent must finish with a sum or
// an error.
#include "tacit/protocol/exact/exact.hpp"

#include <fuzzer/FuzzedDataProvider.h>

#include <map>
#include <memory>

#include "fuzz.hpp"
#include "tacit/graph/generators.hpp"

using namespace tacit;

namespace {

constexpr AgentId hostile = 2;

class TestNetwork;

class Endpoint final : public Channel, public Identities {
 public:
  Endpoint(TestNetwork& network, AgentId self)
      : network_(network),
        random_(Prg::from_seed(1, "fuzz", self)),
        identity_(random_),
        near_(tacit::neighbourhood(gathering_.graph, self)),
        run_(*this, gathering_, *this, Transcript()) {}

  const Neighbourhood& neighbourhood() const override { return near_; }
  Prg& randomness() override { return random_; }
  Payload buffer(std::size_t bytes) override;
  void send(AgentId to, const Tag& tag, Payload payload) override;
  const Identity& identity() override { return identity_; }
  const IdentityKey& identity_of(AgentId agent) override;

  Run& run() { return run_; }

  using Messages = std::map<std::pair<AgentId, Tag>, Payload>;
  Messages inbox;

  bool waits() const { return static_cast<bool>(waiting_); }
  /// Resumes the protocol if the message for which it waits has arrived.
  bool deliver() {
    const auto at = inbox.find(wanted_);
    if (at == inbox.end()) return false;
    incoming_->message = std::move(at->second);
    inbox.erase(at);
    std::exchange(waiting_, {}).resume();
    return true;
  }
  /// Resumes the protocol with an error: the message is lost.
  void lose() {
    incoming_->lost = "fuzz";
    std::exchange(waiting_, {}).resume();
  }

 protected:
  bool try_receive(AgentId, const Tag&, Payload&) override { return false; }
  bool wait(AgentId from, const Tag& tag, Incoming& incoming, std::coroutine_handle<> protocol) override {
    wanted_ = {from, tag};
    incoming_ = &incoming;
    waiting_ = protocol;
    return true;
  }

 private:
  TestNetwork& network_;
  Prg random_;
  Identity identity_;
  Gathering gathering_{complete_graph(3)};
  Neighbourhood near_;
  Run run_;
  std::pair<AgentId, Tag> wanted_;
  Incoming* incoming_ = nullptr;
  std::coroutine_handle<> waiting_;
};

class TestNetwork {
 public:
  explicit TestNetwork(FuzzedDataProvider& input) : input_(input) {
    for (AgentId i = 0; i < 3; ++i) endpoints_.push_back(std::make_unique<Endpoint>(*this, i));
  }

  Endpoint& endpoint(AgentId agent) { return *endpoints_[agent]; }
  Payload buffer(std::size_t bytes) { return pool_.take(bytes); }

  void send(AgentId from, AgentId to, Tag tag, Payload payload) {
    if (from != hostile) return deliver(from, to, tag, std::move(payload));
    std::string bytes(reinterpret_cast<const char*>(payload.bytes().data()), payload.size());
    for (;;) switch (input_.ConsumeIntegralInRange(0, 8)) {
        case 1:
          if (!bytes.empty())
            bytes[input_.ConsumeIntegralInRange<std::size_t>(0, bytes.size() - 1)] =
                input_.ConsumeIntegral<char>();
          break;
        case 2:
          bytes.resize(input_.ConsumeIntegralInRange<std::size_t>(0, bytes.size()));
          break;
        case 3:
          bytes += input_.ConsumeRandomLengthString(200);
          break;
        case 4:
          bytes += bytes.substr(0, 4096);
          break;
        case 5:
          deliver(from, to, tag, payload_of(bytes));
          break;
        case 6:
          tag.step = static_cast<Step>(input_.ConsumeIntegralInRange(1, static_cast<int>(last_step)));
          break;
        case 7:
          tag.round = input_.ConsumeIntegral<std::uint32_t>();
          tag.about = input_.ConsumeIntegralInRange<AgentId>(0, 4);
          break;
        case 8:
          return;
        default:
          return deliver(from, to, tag, payload_of(bytes));
      }
  }

  /// Delivers messages until all agents have finished.
  void run() {
    while (step()) {
    }
  }

 private:
  Payload payload_of(const std::string& bytes) {
    Payload payload = buffer(bytes.size());
    std::ranges::copy(std::as_bytes(std::span(bytes)), payload.bytes().begin());
    return payload;
  }
  void deliver(AgentId from, AgentId to, const Tag& tag, Payload payload) {
    endpoint(to).inbox.try_emplace({from, tag}, std::move(payload));
  }
  bool step() {
    for (const auto& endpoint : endpoints_)
      if (endpoint->waits() && endpoint->deliver()) return true;
    for (const auto& endpoint : endpoints_)  // no message is in transit
      if (endpoint->waits()) {
        endpoint->lose();
        return true;
      }
    return false;
  }

  FuzzedDataProvider& input_;
  PayloadPool pool_;
  std::vector<std::unique_ptr<Endpoint>> endpoints_;
};

Payload Endpoint::buffer(std::size_t bytes) { return network_.buffer(bytes); }
void Endpoint::send(AgentId to, const Tag& tag, Payload payload) {
  network_.send(self(), to, tag, std::move(payload));
}
const IdentityKey& Endpoint::identity_of(AgentId agent) {
  return network_.endpoint(agent).identity_.public_key();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  FuzzedDataProvider input(data, size);
  const ExactPlan plan = make_exact_plan({.agents = 3,
                                          .dimension = 3,
                                          .originator = input.ConsumeIntegralInRange<AgentId>(0, 2),
                                          .fewest = 2,
                                          .tree = input.ConsumeBool()});
  TestNetwork network(input);
  for (int sum = 0; sum < 2; ++sum) {  // the second sum reuses the keys of the first, if any
    std::vector<Task<Values>> tasks;
    for (AgentId i = 0; i < 3; ++i) tasks.push_back(exact_sum(network.endpoint(i).run(), plan, {.25, .5, 1}));
    for (const auto& task : tasks) task.handle().resume();
    network.run();
    for (auto& task : tasks) {
      fuzz::must(task.done());
      fuzz::refusable([&] { (void)task.result(); });
    }
  }
  return 0;
}
