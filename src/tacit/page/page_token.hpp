// The token that allows access to the page. It is in a file that only the agent's owner can read.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace tacit {

/// 32 random bytes in hexadecimal digits, in an agent's state folder.
class PageToken {
 public:
  explicit PageToken(const std::filesystem::path& state);

  bool exists() const;
  /// Creates a new token; the previous one becomes invalid.
  void renew() const;
  /// Throws InputError if other users can read the file, or if it does not contain a token.
  std::string read() const;

 private:
  const std::filesystem::path file_;
};

}  // namespace tacit
