// What an agent remembers of requests that have ended, and of its evaluations, over restarts: when, who, how
// it ended and why, and scores. No rows, no points and no other results.
#pragma once

#include <cstdint>
#include <filesystem>
#include <mutex>
#include <string>
#include <vector>

#include "tacit/agent/work/request_counts.hpp"
#include "tacit/link/node/node_options.hpp"

namespace tacit {

struct PastRequest {
  std::string time;  ///< UTC, of its end
  EndedRequest request;
};

struct PastScore {
  std::string time;           ///< UTC
  std::uint64_t version = 0;  ///< of the model
  std::uint64_t rows = 0;     ///< that were scored
  double rmse = 0, log_density = 0;
};

struct Past {
  std::vector<PastRequest> requests;  ///< of the last four weeks, the oldest first
  std::vector<PastScore> scores;      ///< the oldest first
};

/// No file is an empty past, and a line that cannot be read, as after a crash, is passed over.
Past read_history(const std::filesystem::path& file);

/// Safe to call from several threads. What cannot be written is in the log, and harms nothing else.
class History {
 public:
  /// What is too old or too much is forgotten, here and once in a while.
  History(std::filesystem::path file, LogSink log);

  void add(const EndedRequest& request);
  void add(PastScore score);

  /// In an agent's folder for its state.
  static std::filesystem::path file_in(const std::filesystem::path& state);

 private:
  void add_line(const std::string& line);
  void forget();

  const std::filesystem::path file_;
  const LogSink log_;
  std::mutex guard_;
  std::size_t added_ = 0;  // since the last time that something could be forgotten
};

}  // namespace tacit
