// How several processes share the reading of one table (ranks/).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace tacit {

/// Several processes that read the data together, each a part of them (ranks/).
class ReadTogether {
 public:
  virtual ~ReadTogether() = default;
  virtual std::size_t rank() const = 0;
  virtual std::size_t size() const = 0;
  /// What each of them says, by rank. All call it.
  virtual std::vector<std::string> share(std::string own) = 0;
};

}  // namespace tacit
