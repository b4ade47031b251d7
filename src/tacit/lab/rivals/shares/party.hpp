// A party's side: it sends shares of its rows to both servers and reconstructs the prediction. Part of the
// rival `shares`, a baseline for measurements (shares.hpp).
#pragma once

#include "tacit/lab/rivals/shares/predict.hpp"

namespace tacit::shares {

/// The agents of the network are the two servers and then the parties.
inline constexpr AgentId first_party = 2;

/// What a party knows: all public facts and its own rows. The first party also has the test points.
struct Question {
  const Parties& parties;
  const OutputHyperparameters& shared;
  const Shape& shape;
  Vector centre;  ///< of the inputs' public ranges
};

/// Sends one message to each server: for each output of the group the rows in their units. From the first
/// party, the test points precede them.
Task<bool> send_rows(Channel& net, const Question& question);

/// Receives a server's shares of the rows of all jobs from all parties.
Task<std::vector<Rows>> receive_rows(Server& server, const Shape& shape);

/// Sends a server's shares of the fused prediction to each party.
Task<bool> send_answer(Server& server, const Shape& shape, const FusedShares& fused);
/// Receives the shares of both servers and adds them. Throws Error if a result is outside its public bounds.
Task<Prediction> receive_answer(Channel& net, const Question& question);

}  // namespace tacit::shares
