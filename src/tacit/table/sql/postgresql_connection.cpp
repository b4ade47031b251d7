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

// Returns the options in the connection. None may be secret, because a connection is visible in files, logs
// and process lists.
Options options_in(const std::string& connection, const std::string& name, const ReadOptions& how) {
  const InputError holds_password(
      fmt::format("{}: the connection contains a password, which other users could see; put it into {}.",
                  name, password_setting(how)));
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
        fmt::format("{}: PostgreSQL does not accept this connection ({}); write "
                    "postgresql://user@host:5432/database?sslmode=require.",
                    name, one_line(problem ? problem.get() : "out of memory")));
  }
  for (const PQconninfoOption* one = options.get(); one->keyword; ++one)
    if (one->val && *one->val && std::string_view(one->keyword).ends_with("password")) throw holds_password;
  return options;
}

SecretText password(const ReadOptions& how) {
  if (how.password_file.empty()) {
    const char* value = std::getenv("TACIT_SQL_PASSWORD");
    const std::string_view view = value ? value : "";
    return {view.begin(), view.end()};
  }
  SecretText secret = read_secret(how.password_file);
  while (!secret.empty() && (secret.back() == '\n' || secret.back() == '\r')) secret.pop_back();
  if (secret.empty())
    throw InputError(fmt::format("{}: there is no password in this file; write it on one line.",
                                 how.password_file.string()));
  return secret;
}

}  // namespace

// Writes all settings as URI options, because SOCI cannot pass quoted values to libpq. SOCI keeps copies of
// the string while it is connected, and does not wipe them.
std::string postgresql_parameters(const std::string& connection, const std::string& name,
                                  const ReadOptions& how) {
  std::string text = "postgresql:///";
  text.reserve(4096);  // a reallocation could leave a piece of the password in freed memory
  auto add = [&](std::string_view key, std::string_view value) {
    fmt::format_to(std::back_inserter(text), "{}{}=", text.ends_with('/') ? '?' : '&', key);
    for (const char c : value)
      fmt::format_to(std::back_inserter(text), "%{:02X}", static_cast<unsigned char>(c));
  };
  // A server that never accepts, or is gone, must not block the program for hours.
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
  if (const SecretText secret = password(how); !secret.empty())
    add("password", {secret.data(), secret.size()});
  return text;
}

}  // namespace tacit
