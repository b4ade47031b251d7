// Who may use the page: whoever has the token, which is in a file that only the agent's owner can read.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace tacit {

/// 32 random bytes in hexadecimal digits, in the folder of an agent's state.
class PageToken {
 public:
  explicit PageToken(const std::filesystem::path& state);

  bool exists() const;
  /// Makes one; what was there before is void.
  void renew() const;
  /// Throws InputError when others can read the file, or when it holds something else.
  std::string read() const;
  /// Is it what `said` says? Takes as long whatever is said. Throws as read() does.
  bool is(std::string_view said) const;

 private:
  const std::filesystem::path file_;
};

}  // namespace tacit
