#include "tacit/page/page_guard.hpp"

#include <fmt/format.h>

#include "tacit/agent/control/local_http.hpp"
#include "tacit/identity/card.hpp"

namespace tacit {
namespace {

// The chart library adds one fixed <style>. Browsers accept it by this digest of its text.
constexpr const char* style_of_charts = "'sha256-jSYQUrW7J0b3jPqhZP9C2Xh1PyJKHKXd4s0fpGGKrww='";

constexpr const char* how_to_open = "open the link that tacit page prints in the browser's address bar";

// A repeated header could be interpreted differently by browser and server.
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
        403, fmt::format("this page is available only on this machine at port {}; {}", port, how_to_open)};
  if (from_elsewhere(request))
    return PageRefusal{403, fmt::format("another web page sent this request; {}", how_to_open)};
  if (request.method != "GET" && request.method != "POST")
    return PageRefusal{405, "only GET and POST are supported"};
  if (request.has_header("Content-Encoding"))  // a compressed body could have any size
    return PageRefusal{400, "the header Content-Encoding is not supported"};
  if (request.method == "GET") return std::nullopt;
  if (!is_json(request.get_header_value("Content-Type")))
    return PageRefusal{415, "the body must have the type application/json"};
  if (!request.has_header("Content-Length"))
    return PageRefusal{411, "the request must have a Content-Length"};
  return std::nullopt;
}

bool needs_token(const std::string& path) { return path == "/api" || path.starts_with("/api/"); }

std::string token_of(const httplib::Request& request) {
  constexpr std::string_view bearer = "Bearer ";
  const std::string header = request.get_header_value("Authorization");
  return header.starts_with(bearer) ? header.substr(bearer.size()) : "";
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
