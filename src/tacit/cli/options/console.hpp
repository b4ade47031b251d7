// What a command talks to: a terminal, or a program that has called it in its own process.
#pragma once

#include <filesystem>
#include <memory>

#include "tacit/agent/control/control.hpp"
#include "tacit/base/progress.hpp"
#include "tacit/cli/text/json.hpp"
#include "tacit/table/read_data.hpp"

namespace tacit::cli {

/// Something that goes on for as long as it is held.
using Held = std::shared_ptr<void>;

/// The terminal and the files of this machine. Others override what is different for them.
class Console {
 public:
  virtual ~Console() = default;

  /// The answer for programs: one object on standard output.
  virtual void answer(const Json& json);
  /// A remark beside the answer, on standard error.
  virtual void note(const std::string& words);
  /// Shows how far the work has got; as a bar on a terminal, not at all in a pipe.
  virtual Held watch(const Progress& progress);
  /// Takes words about the progress of a request to an agent, one after the other.
  virtual ControlClient::Words words();
  /// Stops the request of this client when the user does not want it any longer; on Ctrl-C.
  virtual Held stopping(ControlClient& client);
  /// Rows from where a user says they are.
  virtual Table read(const std::filesystem::path& source, const TableOptions& columns,
                     const ReadOptions& how);

  /// What the user wrote, as a shell takes it; empty when nobody wrote a line.
  const std::string& line() const { return line_; }
  void asked(const std::vector<std::string>& arguments);

  /// The last of these, as a function.
  ReadTable reader();

 private:
  std::string line_;
};

}  // namespace tacit::cli
