// Derives from a charter the terms with which agents compute.
#pragma once

#include "tacit/charter/charter.hpp"
#include "tacit/consortium/terms/terms.hpp"

namespace tacit {

/// Throws InputError for an unusable kernel.
Terms terms_of(const Charter& charter);

/// The terms of the sums only.
ProtocolTerms protocol_terms(const Charter& charter);

/// The default model for `inputs` numeric inputs, with the recommended landmarks and rbcm.
CharterModel usual_model(std::size_t inputs, bool standardise);

/// The default search for such a model. Its length-scale floor is about half the distance between
/// standardised rows, which excludes models that treat every row separately. In other units, both floors are
/// the lower end of the range.
CharterTuning usual_tuning(const CharterModel& model, std::size_t inputs);

}  // namespace tacit
