// One party's rows for protected openings: by key, in an order that depends on keys alone, with a stable hash
// of each key that decides about chunks.
//
// Threads: plain values; const functions may run on any number of threads.
// Errors: InputError for rows and slots that do not fit each other.
// Stopping: no function runs long.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "tacit/consortium/protect/protected_run.hpp"
#include "tacit/gp/matrix.hpp"
#include "tacit/table/rows/samples.hpp"

namespace tacit {

class OwnRows {
 public:
  /// `slots` has the stable number of each row's key, which survives corrections; rows with the same number
  /// belong to one key. `secret` is this agent's key of the hash and must not change. A row with a value that
  /// is not finite is left out: it is an empty slot. Throws InputError for other numbers of slots than rows,
  /// for more than one output, and for more keys than `most`.
  OwnRows(const Samples& rows, std::span<const std::uint64_t> slots, std::span<const std::byte> secret,
          std::size_t most);

  std::size_t keys() const { return first_.size() - 1; }
  Index rows() const { return inputs_.cols(); }
  Index dimensions() const { return inputs_.rows(); }
  /// Returns a number in [0, 1) that depends on the key and the secret only.
  double hash(std::size_t key) const { return hash_[key]; }
  /// Returns the rows of a key, as a range.
  Index first(std::size_t key) const { return first_[key]; }
  Index end(std::size_t key) const { return first_[key + 1]; }

  /// The inputs, one column a row, and the targets.
  const Matrix& inputs() const { return inputs_; }
  const Vector& targets() const { return targets_; }

 private:
  Matrix inputs_;
  Vector targets_;
  std::vector<Index> first_;
  std::vector<double> hash_;
};

/// Returns the terms of keys, each the mean of the terms of its rows. A mean of terms within a bound is
/// within the bound. `write` receives a row's index and zeroed numbers. `rows` must outlive the result.
KeyTerms mean_terms(const OwnRows& rows, std::function<void(Index row, std::span<double> term)> write);

}  // namespace tacit
