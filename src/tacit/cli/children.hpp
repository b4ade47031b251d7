// Processes that end with the one that started them, and a folder that goes with them, whatever happens to
// it.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tacit {

/// A folder for its owner alone and processes that work in it. When this object or its process ends, by kill
/// -9 too, the processes are told to end, made to end if they do not, and the folder is removed. To be used
/// on the main thread before any other is started, but for end() and first_ended().
class Children {
 public:
  /// `name` is part of the folder's name in the system's folder for temporary files. Throws Error.
  explicit Children(const std::string& name);
  ~Children();
  Children(const Children&) = delete;

  const std::filesystem::path& folder() const { return folder_; }

  /// Runs this very program with these arguments; what it says goes to `log`.
  pid_t start(const std::vector<std::string>& arguments, const std::filesystem::path& log);

  /// The place, in the order of starts, of a process that has ended by itself.
  std::optional<std::size_t> first_ended();

  /// Tells all to end, waits, and makes those end that do not in time. False if any had to be.
  bool end(std::chrono::milliseconds time);

 private:
  std::filesystem::path folder_;
  std::vector<pid_t> running_;
  int to_janitor_ = -1;
  pid_t janitor_ = -1;
};

}  // namespace tacit
