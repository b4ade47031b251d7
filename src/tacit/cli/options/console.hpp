// The caller of a command: a terminal, or a program that runs the command in its own process.
#pragma once

#include <filesystem>
#include <memory>
#include <string_view>

#include "tacit/agent/control/control.hpp"
#include "tacit/answers/json.hpp"
#include "tacit/base/progress.hpp"
#include "tacit/table/read_data.hpp"

namespace tacit::cli {

/// An activity that continues while this pointer is held.
using Held = std::shared_ptr<void>;

/// The terminal and the files of this machine. Other callers override what differs for them.
class Console {
 public:
  virtual ~Console() = default;

  /// The text with the caller's words for settings (base/settings.hpp): the options of the command line.
  virtual std::string worded(std::string_view text) const;
  /// Gives the answer for programs: one object on standard output.
  virtual void answer(const Json& json);
  /// Prints a note that is not part of the answer, on standard error.
  virtual void note(const std::string& words);
  /// Shows the progress of the work: a bar on a terminal, nothing in a pipe.
  virtual Held watch(const Progress& progress);
  /// Returns a function that shows messages about the progress of a request to an agent.
  virtual ControlClient::Words words();
  /// Stops the request of this client when the user cancels it with Ctrl-C.
  virtual Held stopping(ControlClient& client);
  /// Reads rows from the source that the user named.
  virtual Table read(const std::filesystem::path& source, const TableOptions& columns,
                     const ReadOptions& how);

  /// The user's command line, quoted for a shell; empty if there was none.
  const std::string& line() const { return line_; }
  void asked(const std::vector<std::string>& arguments);

  /// The same for all texts of an answer.
  Json worded_answer(Json answer) const;

  /// read() as a function.
  ReadTable reader();

 private:
  std::string line_;
};

}  // namespace tacit::cli
