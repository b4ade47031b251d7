// From a charter to the terms that agents compute with.
#pragma once

#include "tacit/charter/charter.hpp"
#include "tacit/consortium/terms/terms.hpp"

namespace tacit {

/// Throws InputError for a kernel that cannot be used.
Terms terms_of(const Charter& charter);

/// The part of them that says how sums are formed.
ProtocolTerms protocol_terms(const Charter& charter);

/// Where a model of `inputs` numeric inputs starts by default, with landmarks and rbcm as we would advise.
CharterModel usual_model(std::size_t inputs, bool standardise);

/// The default search for such a model. Its length-scale floor is half of what standardised rows are apart,
/// so that a model in which every row stands alone is out of reach; in other units nothing is known but the
/// box.
CharterTuning usual_tuning(const CharterModel& model, std::size_t inputs);

}  // namespace tacit
