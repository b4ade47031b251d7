#include "tacit/protocol/channel/channel.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>

#include "tacit/base/error.hpp"
#include "tacit/base/stop.hpp"
#include "tacit/graph/generators.hpp"
#include "tacit/protocol/channel/task.hpp"

namespace tacit {
namespace {

// Agent 0 of two. Its messages arrive at once, are late, or are lost.
class ScriptedChannel final : public Channel {
 public:
  enum class Arrival { at_once, late, lost };
  int asked = 0;
  explicit ScriptedChannel(Arrival arrival) : arrival_(arrival) {}

  const Neighbourhood& neighbourhood() const override { return here_; }
  Prg& randomness() override { return randomness_; }
  Payload buffer(std::size_t bytes) override { return pool_.take(bytes); }
  void send(AgentId, const Tag&, Payload) override {}
  void arrive() {
    if (arrival_ == Arrival::lost)
      incoming_->lost = "the line is cut";
    else
      incoming_->message = pool_.take(5);
    waiting_.resume();
  }

 protected:
  bool try_receive(AgentId, const Tag&, Payload& message) override {
    ++asked;
    if (arrival_ == Arrival::at_once) message = pool_.take(5);
    return arrival_ == Arrival::at_once;
  }
  bool wait(AgentId, const Tag&, Incoming& incoming, std::coroutine_handle<> protocol) override {
    incoming_ = &incoming;
    waiting_ = protocol;
    return true;
  }

 private:
  const Neighbourhood here_ = tacit::neighbourhood(complete_graph(2), 0);
  Prg randomness_ = Prg::from_seed(1, "test", 0);
  PayloadPool pool_;
  Arrival arrival_;
  Incoming* incoming_ = nullptr;
  std::coroutine_handle<> waiting_;
};

const Tag awaited{0, 3, 0, Step::share};

Task<std::size_t> take_one(Channel& net) {
  const Payload message = co_await net.receive(1, awaited);
  co_return message.size();
}

TEST(Channel, AMessageThatHasArrivedIsTakenWithoutAWait) {
  ScriptedChannel channel(ScriptedChannel::Arrival::at_once);
  auto task = take_one(channel);
  task.handle().resume();
  ASSERT_TRUE(task.done());
  EXPECT_EQ(task.result(), 5u);
}

TEST(Channel, AWaitEndsWithTheMessage) {
  ScriptedChannel channel(ScriptedChannel::Arrival::late);
  auto task = take_one(channel);
  task.handle().resume();
  ASSERT_FALSE(task.done());
  channel.arrive();
  EXPECT_EQ(task.result(), 5u);
}

TEST(Channel, ALostMessageIsAnErrorWithSenderRoundAndReason) {
  ScriptedChannel channel(ScriptedChannel::Arrival::lost);
  auto task = take_one(channel);
  task.handle().resume();
  channel.arrive();
  try {
    task.result();
    FAIL() << "no error";
  } catch (const Error& e) {
    const std::string text = e.what();
    for (const char* part : {"agent 1", "round 3", "the line is cut"})
      EXPECT_NE(text.find(part), std::string::npos) << text;
  }
}

TEST(Channel, StoppedWorkEndsAtTheNextReceive) {
  ScriptedChannel channel(ScriptedChannel::Arrival::at_once);
  auto task = take_one(channel);
  std::atomic<bool> stop = true;
  const StoppableWork here(stop);
  task.handle().resume();
  ASSERT_TRUE(task.done());
  EXPECT_THROW(task.result(), Stopped);
  EXPECT_EQ(channel.asked, 0);
}

// A driver that gives up destroys the task at its wait.
TEST(Channel, ATaskCanBeDestroyedAtItsWait) {
  ScriptedChannel channel(ScriptedChannel::Arrival::late);
  auto alive = std::make_shared<int>(0);
  const auto hold = [](Channel& net, std::shared_ptr<int> held) -> Task<std::size_t> {
    const std::size_t size = co_await take_one(net);
    co_return size + static_cast<std::size_t>(*held);
  };
  {
    auto task = hold(channel, alive);
    task.handle().resume();
    EXPECT_EQ(alive.use_count(), 2);
  }
  EXPECT_EQ(alive.use_count(), 1);
}

}  // namespace
}  // namespace tacit
