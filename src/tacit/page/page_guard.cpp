#include "tacit/page/page_guard.hpp"

#include <fmt/format.h>

#include "tacit/agent/control/local_http.hpp"
#include "tacit/identity/card.hpp"

namespace tacit {
namespace {

// The library that draws charts adds one fixed <style>, and browsers take it by this digest of its text.
constexpr const char* style_of_charts = "'sha256-jSYQUrW7J0b3jPqhZP9C2Xh1PyJKHKXd4s0fpGGKrww='";

constexpr const char* open_as_said = "open the page by the link that tacit page prints, in the address bar";

// A header that is there twice could mean one thing here and another elsewhere.
bool once_at_most(const httplib::Request& request, const char* header) {
  return request.get_header_value_count(header) <= 1;
}

bool from_elsewhere(const httplib::Request& request) {
  if (request.has_header("Origin") &&
      request.get_header_value("Origin") != "http://" + request.get_header_value("Host"))
    return true;
  const std::string site = request.get_header_value("Sec-Fetch-Site");
  return !site.empty() && site != "same-origin" && site != "none";
}

bool is_json(const std::string& type) {
  constexpr std::string_view json = "application/json";
  return type == json || type.starts_with(std::string(json) + ";");
}

}  // namespace

std::optional<PageRefusal> refused_by_form(const httplib::Request& request, int port) {
  for (const char* header :
       {"Host", "Origin", "Sec-Fetch-Site", "Authorization", "Content-Type", "Content-Length"})
    if (!once_at_most(request, header))
      return PageRefusal{400, fmt::format("the request has more than one {}", header)};
  if (!asks_for_this_machine(request) ||
      host_and_port(request.get_header_value("Host")).second != std::to_string(port))
    return PageRefusal{
        403, fmt::format("this page is for this machine and port {} alone; {}", port, open_as_said)};
  if (from_elsewhere(request))
    return PageRefusal{403, fmt::format("another page has asked for this; {}", open_as_said)};
  if (request.method != "GET" && request.method != "POST")
    return PageRefusal{405, "only GET and POST are answered here"};
  // Packed bodies, and those of a length that is not said, could be of any size.
  for (const char* header : {"Range", "Transfer-Encoding", "Content-Encoding"})
    if (request.has_header(header)) return PageRefusal{400, fmt::format("{} is not understood here", header)};
  if (request.method == "GET") return std::nullopt;
  if (!is_json(request.get_header_value("Content-Type")))
    return PageRefusal{415, "what is sent here must be of the type application/json"};
  if (!request.has_header("Content-Length"))
    return PageRefusal{411, "what is sent here must say its length in Content-Length"};
  return std::nullopt;
}

bool needs_token(const std::string& path) { return path == "/api" || path.starts_with("/api/"); }

std::string token_of(const httplib::Request& request) {
  constexpr std::string_view bearer = "Bearer ";
  const std::string said = request.get_header_value("Authorization");
  return said.starts_with(bearer) ? said.substr(bearer.size()) : "";
}

httplib::Headers page_headers() {
  return {
      {"Content-Security-Policy",
       fmt::format("default-src 'none'; script-src 'self'; style-src 'self' {}; connect-src 'self'; img-src "
                   "'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
                   style_of_charts)},
      {"X-Content-Type-Options", "nosniff"},
      {"X-Frame-Options", "DENY"},
      {"Referrer-Policy", "no-referrer"},
      {"Cross-Origin-Resource-Policy", "same-origin"},
      {"Cross-Origin-Opener-Policy", "same-origin"}};
}

}  // namespace tacit
