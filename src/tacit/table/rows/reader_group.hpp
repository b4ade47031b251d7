// The interface through which several processes read one table together (ranks/).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace tacit {

/// Several processes, each of which reads a part of the data.
class ReaderGroup {
 public:
  virtual ~ReaderGroup() = default;
  virtual std::size_t rank() const = 0;
  virtual std::size_t size() const = 0;
  /// Returns the texts of all processes, by rank. All processes must call it.
  virtual std::vector<std::string> share(std::string own) = 0;
};

}  // namespace tacit
