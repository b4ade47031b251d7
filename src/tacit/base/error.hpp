// Errors. Each message is one sentence: the problem, its location (file, row, column, agent) and the remedy.
// It names settings by their ids between backquotes, which front ends replace by their own words
// (settings.hpp).
//
// Threads: plain values.
// Errors: nothing of its own.
// Stopping: nothing here takes long.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace tacit {

/// A valid request failed. The program exits with 1.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The request, or the data that it names, must be corrected by the caller. The program exits with 2.
class InputError : public Error {
 public:
  using Error::Error;
  /// The ids of the settings that the message names, as thrown: front ends replace them by their own words.
  std::vector<std::string> settings() const;
};

}  // namespace tacit
