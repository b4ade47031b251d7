// The kinds of requests.
#pragma once

#include <string>
#include <string_view>

namespace tacit {

enum class RequestKind { fit, predict, evaluate };
inline constexpr RequestKind all_request_kinds[] = {RequestKind::fit, RequestKind::predict,
                                                    RequestKind::evaluate};

/// The word used in requests, policies and configurations. Parsing throws InputError for any other word.
std::string to_string(RequestKind kind);
RequestKind parse_request_kind(std::string_view word);

}  // namespace tacit
