// What agents say about a run, under their signatures: whoever passes it on cannot change it. All of it is
// bound to the digest of the announcement, and so to charter, request, originator, number and roster.
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
#include "tacit/protocol/channel/gathering.hpp"

namespace tacit {

/// A run that its originator has signed.
struct Announced {
  Run run;
  Digest digest{};      ///< what was signed
  wire::Header header;  ///< to be passed on, with the request's body as payload
  Charge charge = {};   ///< for as long as it is kept
};

/// Throws InputError, saying what to do, for a request or a roster that nobody would take.
Announced announce(Run run, const NodeOptions& options);
/// What has come from a neighbour. Throws Error, for the log, for anything that the originator it names has
/// not signed, or that breaks a rule.
Announced announced_in(const wire::Header& header, std::string_view body, const NodeOptions& options);

/// This agent's own answer.
wire::Reply signed_reply(wire::Reply reply, const Digest& announcement, const NodeOptions& options);
bool is_signed(const wire::Reply& reply, const NodeOptions& options);
/// A yes, a no or a busy, with a list of links that an agent can have. Everybody must hold this alike: what
/// the asker took for an answer, the others must not hold against it.
bool makes_sense(const wire::Reply& reply, const NodeOptions& options);
/// Is it an answer to that?
bool answers_to(const wire::Reply& reply, const Digest& announcement);

using Replies = google::protobuf::RepeatedPtrField<wire::Reply>;

/// What a run is about and who takes part in it, as all of them have signed: where its transcript starts.
struct Agreed {
  Digest start{};
  Gathering gathering;
};
/// From the replies of the whole roster, in its order. A link counts when both its ends say that they have
/// it.
Agreed agreed_on(const Digest& announcement, const Replies& replies, const Graph& links);

wire::Header start_of(const Announced& what, Replies replies, const NodeOptions& options);
/// Has the originator of this announcement signed it?
bool is_signed(const wire::Start& start, const Digest& announcement, AgentId originator,
               const NodeOptions& options);
/// Why this agent, which has sent that reply, must not follow a start that is signed; none if it may.
std::optional<std::string> objection_to(const wire::Start& start, const Announced& what,
                                        const wire::Reply& own, const NodeOptions& options);

wire::Header cancel_of(const Name& run, const Digest& announcement, const NodeOptions& options);
bool is_signed(const wire::Cancel& cancel, const NodeOptions& options);

/// `bound` is what the author knows of the run: where its transcript starts, before that the announcement's
/// digest, and for one that never heard of the run bound_to_name().
wire::Quit quit_of(const Name& run, const Digest& bound, const Reason& reason, const NodeOptions& options);
bool is_signed(const wire::Quit& quit, const Digest& bound, const NodeOptions& options);
Digest bound_to_name(const Name& run);
Reason reason_of(const wire::Quit& quit);

}  // namespace tacit
