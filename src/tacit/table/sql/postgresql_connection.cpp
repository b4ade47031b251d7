#include "tacit/table/sql/postgresql_connection.hpp"

#include <fmt/format.h>
#include <libpq-fe.h>

#include <cstdlib>
#include <iterator>
#include <map>
#include <memory>
#include <string_view>

#include "tacit/base/error.hpp"
#include "tacit/secrecy/secret_file.hpp"
#include "tacit/table/sql/sql_reading.hpp"

namespace tacit {
namespace {

using Options = std::unique_ptr<PQconninfoOption, decltype(&PQconninfoFree)>;

// The options in the connection. None may be a secret, as a connection is seen in files, logs and lists of
// processes.
Options options_in(const std::string& connection, const std::string& name, const ReadOptions& how) {
  const InputError holds_password(
      fmt::format("{}: the connection holds a password, which others could see there; put it into {}.", name,
                  password_setting(how)));
  char* text = nullptr;
  Options options(PQconninfoParse(connection.c_str(), &text), PQconninfoFree);
  const std::unique_ptr<char, decltype(&PQfreemem)> problem(text, PQfreemem);
  if (!options) {
    // The problem may quote any part of the connection.
    const std::size_t user = connection.find("://") + 3, at = connection.rfind('@');
    if (connection.find("password") != connection.npos ||
        (at != connection.npos && connection.find(':', user) < at))
      throw holds_password;
    throw InputError(
        fmt::format("{}: PostgreSQL cannot read this connection ({}); write "
                    "postgresql://user@host:5432/database?sslmode=require.",
                    name, one_line(problem ? problem.get() : "no memory")));
  }
  for (const PQconninfoOption* one = options.get(); one->keyword; ++one)
    if (one->val && *one->val && std::string_view(one->keyword).ends_with("password")) throw holds_password;
  return options;
}

SecretText password(const ReadOptions& how) {
  if (how.password_file.empty()) {
    const char* word = std::getenv("TACIT_SQL_PASSWORD");
    const std::string_view view = word ? word : "";
    return {view.begin(), view.end()};
  }
  SecretText word = read_secret(how.password_file);
  while (!word.empty() && (word.back() == '\n' || word.back() == '\r')) word.pop_back();
  if (word.empty())
    throw InputError(fmt::format("{}: there is no password in this file; write it on one line.",
                                 how.password_file.string()));
  return word;
}

}  // namespace

// A connection again, of options alone, as SOCI cannot carry quoted values to libpq. SOCI keeps copies of it
// while it is connected, and does not wipe them.
std::string postgresql_parameters(const std::string& connection, const std::string& name,
                                  const ReadOptions& how) {
  std::string text = "postgresql:///";
  text.reserve(4096);  // so that no piece of a password stays behind in a smaller one
  auto add = [&](std::string_view key, std::string_view value) {
    fmt::format_to(std::back_inserter(text), "{}{}=", text.ends_with('/') ? '?' : '&', key);
    for (const char c : value)
      fmt::format_to(std::back_inserter(text), "%{:02X}", static_cast<unsigned char>(c));
  };
  // A server that never accepts, or is gone, must not keep anybody waiting for hours.
  std::map<std::string_view, std::string_view> waits = {{"connect_timeout", "10"},
                                                        {"keepalives_idle", "30"},
                                                        {"keepalives_interval", "10"},
                                                        {"keepalives_count", "3"}};
  if (std::getenv("PGCONNECT_TIMEOUT")) waits.erase("connect_timeout");
  const Options options = options_in(connection, name, how);
  for (const PQconninfoOption* one = options.get(); one->keyword; ++one) {
    if (!one->val) continue;
    add(one->keyword, one->val);
    waits.erase(one->keyword);
  }
  for (const auto& [key, value] : waits) add(key, value);
  add("fallback_application_name", "tacit");
  add("client_encoding", "UTF8");
  if (const SecretText word = password(how); !word.empty()) add("password", {word.data(), word.size()});
  return text;
}

}  // namespace tacit
