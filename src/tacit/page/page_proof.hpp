// How the page's server and an open page prove to each other that they know the token, without sending it.
// The agent may be down while a page is open, and another user of the machine may then listen on its port.
//
// The page sends a random challenge. The server answers with a nonce, fixed while it holds its port, and with
// the server's proof. Only then does the page send a request, with its pass. A pass is not valid for
// another program that later listens on the port.
#pragma once

#include <string>
#include <string_view>

namespace tacit {

/// A random challenge or nonce: 64 hexadecimal digits.
std::string page_nonce();
bool is_page_nonce(std::string_view text);

/// `address` is the host:port that the server has bound and that the browser shows. A program that passes
/// messages on from another address therefore has no valid proof.
std::string server_proof(std::string_view token, std::string_view address, std::string_view challenge,
                         std::string_view nonce);
std::string page_pass(std::string_view token, std::string_view address, std::string_view nonce);

/// Compares two secrets of any length in constant time.
bool same_secret(std::string_view a, std::string_view b);

}  // namespace tacit
