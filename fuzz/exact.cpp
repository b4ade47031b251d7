// Protocol exact among three agents, one of which (the last) does not keep to it: the input says which of its
// messages are changed, cut, lengthened, doubled or withheld, and under which tag they go out. Everybody must
// come to an end, with a sum or with an error.
#include "tacit/protocol/exact/exact.hpp"

#include <fuzzer/FuzzedDataProvider.h>

#include <map>
#include <memory>

#include "fuzz.hpp"
#include "tacit/graph/generators.hpp"

using namespace tacit;

namespace {

constexpr AgentId hostile = 2;

class Town;

class Seat final : public Channel {
 public:
  Seat(Town& town, AgentId self) : town_(town), random_(Prg::from_seed(1, "fuzz", self)), identity_(random_) {
    near_.self = self;
    for (AgentId j = 0; j < 3; ++j)
      if (j != self) near_.neighbours.push_back(j);
  }

  const Neighbourhood& neighbourhood() const override { return near_; }
  const Gathering& gathering() override { return gathering_; }
  Prg& randomness() override { return random_; }
  Payload buffer(std::size_t bytes) override;
  void send(AgentId to, const Tag& tag, Payload payload) override;
  const Identity& identity() override { return identity_; }
  const IdentityKey& identity_of(AgentId agent) override;

  using Messages = std::map<std::pair<AgentId, Tag>, Payload>;
  Messages inbox;

  bool waits() const { return static_cast<bool>(waiting_); }
  /// Gives the protocol what it waits for, if that has come.
  bool hear() {
    const auto at = inbox.find(wanted_);
    if (at == inbox.end()) return false;
    incoming_->message = std::move(at->second);
    inbox.erase(at);
    std::exchange(waiting_, {}).resume();
    return true;
  }
  /// It never comes.
  void miss() {
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
  Town& town_;
  Prg random_;
  Identity identity_;
  Neighbourhood near_;
  Gathering gathering_{complete_graph(3)};
  std::pair<AgentId, Tag> wanted_;
  Incoming* incoming_ = nullptr;
  std::coroutine_handle<> waiting_;
};

class Town {
 public:
  explicit Town(FuzzedDataProvider& input) : input_(input) {
    for (AgentId i = 0; i < 3; ++i) seats_.push_back(std::make_unique<Seat>(*this, i));
  }

  Seat& seat(AgentId agent) { return *seats_[agent]; }
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

  /// Lets everybody talk until all have come to an end.
  void talk() {
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
    seat(to).inbox.try_emplace({from, tag}, std::move(payload));
  }
  bool step() {
    for (const auto& seat : seats_)
      if (seat->waits() && seat->hear()) return true;
    for (const auto& seat : seats_)  // nothing is under way
      if (seat->waits()) {
        seat->miss();
        return true;
      }
    return false;
  }

  FuzzedDataProvider& input_;
  PayloadPool pool_;
  std::vector<std::unique_ptr<Seat>> seats_;
};

Payload Seat::buffer(std::size_t bytes) { return town_.buffer(bytes); }
void Seat::send(AgentId to, const Tag& tag, Payload payload) {
  town_.send(self(), to, tag, std::move(payload));
}
const IdentityKey& Seat::identity_of(AgentId agent) { return town_.seat(agent).identity_.public_key(); }

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  FuzzedDataProvider input(data, size);
  const ExactPlan plan = make_exact_plan({.agents = 3,
                                          .dimension = 3,
                                          .originator = input.ConsumeIntegralInRange<AgentId>(0, 2),
                                          .fewest = 2,
                                          .tree = input.ConsumeBool()});
  Town town(input);
  for (int sum = 0; sum < 2; ++sum) {  // the second uses the keys that are there, if any
    std::vector<Task<Values>> tasks;
    for (AgentId i = 0; i < 3; ++i) tasks.push_back(exact_sum(town.seat(i), plan, {.25, .5, 1}));
    for (const auto& task : tasks) task.handle().resume();
    town.talk();
    for (auto& task : tasks) {
      fuzz::must(task.done());
      fuzz::refusable([&] { (void)task.result(); });
    }
  }
  return 0;
}
