// An agent's history of ended requests and of its evaluations, which survives restarts: time, asker, outcome
// and reason, and scores. It holds no rows, no points and no other results.
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
  std::string time;  ///< UTC, when it ended
  EndedRequest request;
};

struct PastScore {
  std::string time;           ///< UTC
  std::uint64_t version = 0;  ///< of the model
  std::uint64_t rows = 0;     ///< number of scored rows
  double rmse = 0, log_density = 0;
};

struct Past {
  std::vector<PastRequest> requests;  ///< of the last four weeks, oldest first
  std::vector<PastScore> scores;      ///< oldest first
};

/// A missing file is an empty history. Lines that cannot be read, as after a crash, are skipped.
Past read_history(const std::filesystem::path& file);

/// Safe to call from several threads. A failed write is logged and has no other effect.
class History {
 public:
  /// Removes entries that are too old or too many, here and from time to time.
  History(std::filesystem::path file, LogSink log);

  void add(const EndedRequest& request);
  void add(PastScore score);

  /// The file in an agent's state folder.
  static std::filesystem::path file_in(const std::filesystem::path& state);

 private:
  void add_line(const std::string& line);
  void forget();

  const std::filesystem::path file_;
  const LogSink log_;
  std::mutex guard_;
  std::size_t added_ = 0;  // since the last forget()
};

}  // namespace tacit
