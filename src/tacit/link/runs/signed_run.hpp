// Signed statements about a run, which relays cannot change. Each is bound to the digest of the announcement,
// and so to charter, request, originator, number and roster.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tacit/link/node/node_options.hpp"
#include "tacit/link/runs/run.hpp"
#include "tacit/link/transport/budget.hpp"
#include "tacit/link/transport/frame.hpp"
#include "tacit/protocol/run/gathering.hpp"

namespace tacit {

/// A run that its originator has signed.
struct Announced {
  RunDescription run;
  Digest digest{};      ///< what the originator signed
  wire::Header header;  ///< to pass on, with the request's body as payload
  Charge charge = {};   ///< held as long as the announcement is kept
};

/// Signs an announcement. Throws InputError, with the fix, for a request or a roster that every agent would
/// refuse.
Announced announce(RunDescription run, const NodeOptions& options);
/// Checks an announcement from a neighbour. Throws Error, for the log, if the named originator has not signed
/// it, or if it breaks a rule.
Announced announced_in(const wire::Header& header, std::string_view body, const NodeOptions& options);

/// Signs this agent's own answer.
wire::Reply signed_reply(wire::Reply reply, const Digest& announcement, const NodeOptions& options);
bool is_signed(const wire::Reply& reply, const NodeOptions& options);
/// True if the answer is ready, refuses or busy, with a list of links that is possible. All agents must apply
/// the same rule. Otherwise the others would blame the asker for a start with an answer that it accepted.
bool is_well_formed(const wire::Reply& reply, const NodeOptions& options);
/// True if the reply answers this announcement.
bool answers_to(const wire::Reply& reply, const Digest& announcement);

using Replies = google::protobuf::RepeatedPtrField<wire::Reply>;

/// What all agents of a run have signed: the start of its transcript, the roster and the links.
struct Agreed {
  Digest start{};
  Gathering gathering;
};
/// From the replies of the whole roster, in its order. A link counts if both of its agents report it.
Agreed agreed_on(const Digest& announcement, const Replies& replies, const Graph& links);

wire::Header start_of(const Announced& what, Replies replies, const NodeOptions& options);
/// True if the originator of this announcement has signed the start.
bool is_signed(const wire::Start& start, const Digest& announcement, AgentId originator,
               const NodeOptions& options);
/// Why this agent, which sent the reply `own`, must not follow a signed start. None if it may.
std::optional<std::string> objection_to(const wire::Start& start, const Announced& what,
                                        const wire::Reply& own, const NodeOptions& options);

wire::Header cancel_of(const Name& run, const Digest& announcement, const NodeOptions& options);
bool is_signed(const wire::Cancel& cancel, const NodeOptions& options);

/// `bound` is what the author knows of the run: the start of its transcript, before that the announcement's
/// digest, or bound_to_name() if the author has never received the announcement.
wire::Quit quit_of(const Name& run, const Digest& bound, const Reason& reason, const NodeOptions& options);
bool is_signed(const wire::Quit& quit, const Digest& bound, const NodeOptions& options);
Digest bound_to_name(const Name& run);
Reason reason_of(const wire::Quit& quit);

}  // namespace tacit
