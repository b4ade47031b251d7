#include "tacit/page/page_token.hpp"

#include <fmt/format.h>

#include <array>

#include "tacit/base/error.hpp"
#include "tacit/base/system/files.hpp"
#include "tacit/identity/encoding.hpp"
#include "tacit/secrecy/prg.hpp"
#include "tacit/secrecy/secret_file.hpp"

namespace tacit {
namespace {

constexpr std::size_t bytes = 32;

}  // namespace

PageToken::PageToken(const std::filesystem::path& state) : file_(state / "page.token") {}

bool PageToken::exists() const { return std::filesystem::exists(file_); }

void PageToken::renew() const {
  std::array<std::byte, bytes> token{};
  Prg::from_os().fill(token);
  write_whole(file_, hex(token) + '\n', 0600);
}

std::string PageToken::read() const {
  constexpr const char* cure = "create a new one with `new_page`";
  const SecretText text = read_secret(file_, cure);
  std::string token(text.begin(), text.end());
  while (!token.empty() && token.back() == '\n') token.pop_back();
  std::array<std::byte, bytes> ignored{};
  if (!from_hex(token, ignored))
    throw InputError(fmt::format("{}: the file does not contain a page token; {}", file_.string(), cure));
  return token;
}

}  // namespace tacit
