// What the page's server does not answer at all, and what it says to browsers about itself.
#pragma once

#include <httplib.h>

#include <optional>
#include <string>

namespace tacit {

struct PageRefusal {
  int status = 0;
  std::string sentence;
};

/// Why a request is not even looked at: it calls this machine by another name or port, or comes from a page
/// of somebody else, or has a form that no browser of ours would send. Nothing if it is. The token is not
/// asked for here.
std::optional<PageRefusal> refused_by_form(const httplib::Request& request, int port);

/// Is the path one that only whoever has the token may ask for?
bool needs_token(const std::string& path);

/// What follows "Bearer " in the header Authorization; empty when there is none.
std::string token_of(const httplib::Request& request);

/// Keep browsers from running anything but the page itself, and others from having it inside of theirs.
httplib::Headers page_headers();

}  // namespace tacit
