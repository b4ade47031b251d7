// The coroutine type of protocols. A task is lazy: its awaiter or a driver starts it. It may be resumed on
// any thread that the driver chooses.
//
// Threads: one thread at a time uses a task. The driver synchronises the threads on which it resumes the
// task.
// Errors: result() rethrows what the coroutine threw. A task whose coroutine has not ended has no result.
// Stopping: destroying a suspended task ends its coroutine and those that it awaits.
#pragma once

#include <coroutine>
#include <exception>
#include <optional>
#include <utility>

namespace tacit {

/// The result of a task.
template <class T>
struct TaskResult {
  std::optional<T> value;
  void return_value(T result) { value.emplace(std::move(result)); }
  T take() { return std::move(*value); }
};
template <>
struct TaskResult<void> {
  void return_void() {}
  void take() {}
};

template <class T>
class [[nodiscard]] Task {
 public:
  struct promise_type : TaskResult<T> {
    std::exception_ptr failure;
    std::coroutine_handle<> continuation;  // the awaiter of this task; null for the outermost

    Task get_return_object() { return Task(std::coroutine_handle<promise_type>::from_promise(*this)); }
    std::suspend_always initial_suspend() noexcept { return {}; }
    auto final_suspend() noexcept {
      struct Final {
        bool await_ready() noexcept { return false; }
        std::coroutine_handle<> await_suspend(std::coroutine_handle<promise_type> self) noexcept {
          const auto next = self.promise().continuation;
          return next ? next : std::noop_coroutine();
        }
        void await_resume() noexcept {}
      };
      return Final{};
    }
    void unhandled_exception() { failure = std::current_exception(); }
  };

  Task(Task&& other) noexcept : handle_(std::exchange(other.handle_, {})) {}
  Task& operator=(Task&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Task() {
    if (handle_) handle_.destroy();
  }

  /// For drivers: the coroutine to resume first, whether it has ended, and its result.
  std::coroutine_handle<> handle() const { return handle_; }
  bool done() const { return handle_.done(); }
  T result() {
    if (handle_.promise().failure) std::rethrow_exception(handle_.promise().failure);
    return handle_.promise().take();
  }

  auto operator co_await() && noexcept {
    struct Awaiter {
      Task& task;
      bool await_ready() noexcept { return false; }
      std::coroutine_handle<> await_suspend(std::coroutine_handle<> awaiting) noexcept {
        task.handle_.promise().continuation = awaiting;
        return task.handle_;
      }
      T await_resume() { return task.result(); }
    };
    return Awaiter{*this};
  }

 private:
  explicit Task(std::coroutine_handle<promise_type> handle) : handle_(handle) {}
  std::coroutine_handle<promise_type> handle_;
};

}  // namespace tacit
