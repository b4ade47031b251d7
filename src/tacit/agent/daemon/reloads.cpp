#include "tacit/agent/daemon/reloads.hpp"

#include <utility>

#include "tacit/base/error.hpp"

namespace tacit {
namespace {

constexpr const char* not_now = "the agent is about to stop or restart; try again";

}  // namespace

control::ReloadReply Reloads::ask() {
  std::future<control::ReloadReply> coming;
  {
    const std::lock_guard lock(guard_);
    if (closed_) throw Error(not_now);
    coming = asked_.emplace_back().get_future();
  }
  wake_();
  return coming.get();
}

std::vector<std::promise<control::ReloadReply>> Reloads::take() {
  const std::lock_guard lock(guard_);
  return std::exchange(asked_, {});
}

void Reloads::answer(const control::ReloadReply& reply) {
  for (auto& one : take()) one.set_value(reply);
}

void Reloads::close() {
  {
    const std::lock_guard lock(guard_);
    closed_ = true;
  }
  answer(std::make_exception_ptr(Error(not_now)));
}

void Reloads::open() {
  const std::lock_guard lock(guard_);
  closed_ = false;
}

void Reloads::answer(const std::exception_ptr& error) {
  for (auto& one : take()) one.set_exception(error);
}

}  // namespace tacit
