// Errors. Each is one sentence for a person: what, where (file, row, column, agent) and what to do about it.
#pragma once

#include <stdexcept>
#include <string>

namespace tacit {

/// The work could not be done although the request made sense: the program exits with 1.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The request or the data it names cannot be used as they are: the program exits with 2.
class InputError : public Error {
 public:
  using Error::Error;
};

}  // namespace tacit
