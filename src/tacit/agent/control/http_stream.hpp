// A connection of a client of this machine's HTTP servers. The client has a limited time for its whole
// request, and for taking the whole answer, however it divides its bytes.
#pragma once

#include <httplib.h>

#include <array>
#include <atomic>
#include <chrono>
#include <optional>
#include <string_view>

#include "tacit/base/system/descriptors.hpp"

namespace tacit {

class HttpStream final : public httplib::Stream {
 public:
  using Clock = std::chrono::steady_clock;

  HttpStream(Descriptor socket, std::chrono::milliseconds limit)
      : socket_(std::move(socket)), limit_(limit), until_(Clock::now() + limit), waits_since_(Clock::now()) {}

  /// The answer may last for any time while the client takes each part of it within the limit.
  void let_answer_last() { lasting_ = true; }

  /// Since when the client has kept this connection waiting in the current phase (request or answer); none if
  /// it does not wait for the client, or if its answer may last. For any thread.
  std::optional<Clock::time_point> waits_since() const;
  /// Answers without reading the rest of the request.
  void refuse(std::string_view answer);
  /// Ends what waits for the client. For any thread, while this object exists.
  void end() const;

  bool is_readable() const override;
  bool is_writable() const override;
  ssize_t read(char* to, std::size_t size) override;
  ssize_t write(const char* from, std::size_t size) override;
  void get_remote_ip_and_port(std::string& ip, int& port) const override;
  void get_local_ip_and_port(std::string& ip, int& port) const override;
  socket_t socket() const override { return socket_.get(); }

 private:
  bool wait_for(short event) const;

  const Descriptor socket_;
  const std::chrono::milliseconds limit_;
  Clock::time_point until_;
  bool answering_ = false;
  std::atomic<bool> lasting_ = false;
  mutable std::atomic<bool> waiting_ = false;
  std::atomic<Clock::time_point> waits_since_;
  std::array<char, 4096> arrived_{};  // the library reads single bytes
  std::size_t next_ = 0, last_ = 0;
};

}  // namespace tacit
