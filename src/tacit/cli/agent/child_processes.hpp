// Child processes that always end with the process that started them, and a folder that is removed with them.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tacit {

/// A private folder and processes that work in it. When this object or its process ends, even by kill -9, the
/// processes are terminated, or killed if they do not end, and the folder is removed. Use it on the main
/// thread before any other thread starts, except for end() and first_ended().
class Children {
 public:
  /// Makes the folder in the system's folder for temporary files; its name contains `name`. Throws Error.
  explicit Children(const std::string& name);
  ~Children();
  Children(const Children&) = delete;

  const std::filesystem::path& folder() const { return folder_; }

  /// Runs this program with these arguments; its output goes to `log`.
  pid_t start(const std::vector<std::string>& arguments, const std::filesystem::path& log);

  /// The index, in the order of starts, of a process that has ended without end().
  std::optional<std::size_t> first_ended();

  /// Terminates all processes, waits, and kills those that do not end in time. False if any was killed.
  bool end(std::chrono::milliseconds time);

 private:
  std::filesystem::path folder_;
  std::vector<pid_t> running_;
  int to_janitor_ = -1;
  pid_t janitor_ = -1;
};

}  // namespace tacit
