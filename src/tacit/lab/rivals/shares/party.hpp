// A party's side: it hands shares of its rows to both servers and puts the answer together. Part of the rival
// `shares`, a baseline for measuring (shares.hpp).
#pragma once

#include "tacit/lab/rivals/shares/predict.hpp"

namespace tacit::shares {

/// Agents of the network are the two servers, then the parties.
inline constexpr AgentId first_party = 2;

/// What a party knows: everything public, and its own rows; the first one also asks, so the test points are
/// its.
struct Question {
  const Parties& parties;
  const OutputHyperparameters& shared;
  const Shape& shape;
  Vector centre;  ///< of the inputs' public ranges
};

/// One message to each server: for every output of the group the rows in their units, and from the first
/// party the test points before them.
Task<bool> hand_out(Channel& net, const Question& question);

/// A server's shares of all jobs' rows, from all parties.
Task<std::vector<Rows>> take_in(Server& server, const Shape& shape);

/// The servers' shares of the fused prediction go to every party, which adds them up. Throws Error if they
/// lie outside of their public bounds.
Task<bool> answer(Server& server, const Shape& shape, const FusedShares& fused);
Task<Prediction> hear(Channel& net, const Question& question);

}  // namespace tacit::shares
