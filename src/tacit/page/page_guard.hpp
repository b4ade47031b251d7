// The requests that the page's server refuses, and the security headers of its answers.
#pragma once

#include <httplib.h>

#include <optional>
#include <string>

namespace tacit {

struct PageRefusal {
  int status = 0;
  std::string sentence;
};

/// Why a request is refused because of its form: it names another host or port, comes from another page, or
/// has a form that the page's own requests never have. Nullopt if it is acceptable. This does not check the
/// token.
std::optional<PageRefusal> refused_by_form(const httplib::Request& request, int port);

/// Whether requests for this path need the token.
bool needs_token(const std::string& path);

/// The token after "Bearer " in the header Authorization; empty if there is none.
std::string token_of(const httplib::Request& request);

/// Headers that allow browsers to run only the page's own code, and that forbid other pages to embed it.
httplib::Headers page_headers();

}  // namespace tacit
