// Writes and reads priors, landmarks and pooled parts of models exactly, in the format of saved_file.hpp.
#pragma once

#include <memory>

#include "tacit/gp/landmarks/landmark_sums.hpp"
#include "tacit/gp/saved_file.hpp"

namespace tacit {

void write(SavedWriter& out, const Prior& prior);
Prior read_prior(SavedReader& in);

void write(SavedWriter& out, const Landmarks& landmarks);
std::shared_ptr<const Landmarks> read_landmarks(SavedReader& in);

void write(SavedWriter& out, const PooledPart& pooled);
std::shared_ptr<const PooledPart> read_pooled_part(SavedReader& in);

}  // namespace tacit
