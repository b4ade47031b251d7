// Looks at the first bytes of a connection without taking them, so that programs that send nothing, or
// something else, never reach a library.
#pragma once

#include <string>

namespace tacit {

enum class FirstMessage { incomplete, complete, wrong };

/// The client's first TLS message.
FirstMessage look_for_tls(int socket);
/// The first bytes of HTTP/2, as gRPC sends them without TLS.
FirstMessage look_for_http2(int socket);
/// The head of an HTTP/1 request, up to its empty line.
FirstMessage look_for_http(int socket);
/// This head, with its empty line; the connection still has it. Empty if it has not arrived.
std::string http_head(int socket);

}  // namespace tacit
