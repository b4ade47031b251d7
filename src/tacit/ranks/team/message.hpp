// Messages between ranks. Numbers are exact to the bit, as in files (gp/saved_file.hpp).
#pragma once

#include <string>

#include "tacit/gp/saved_file.hpp"

namespace tacit {

inline constexpr SavedKind rank_message{"tacitrnk", 1, "a message from another rank",
                                        "start the same release of tacit on all ranks"};

using MessageWriter = SavedWriter;

inline std::string message(const MessageWriter& out) { return out.file(rank_message); }

class MessageReader : public SavedReader {
 public:
  explicit MessageReader(std::string bytes)
      : SavedReader(rank_message, "a message from another rank", std::move(bytes)) {}
};

}  // namespace tacit
