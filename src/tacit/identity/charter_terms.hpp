// From a charter to the terms that agents compute with.
#pragma once

#include "tacit/consortium/terms.hpp"
#include "tacit/identity/charter.hpp"

namespace tacit {

/// Throws InputError for a kernel that cannot be used.
Terms terms_of(const Charter& charter);

/// The part of them that says how sums are formed.
ProtocolTerms protocol_terms(const Charter& charter);

/// Where a model of `inputs` numeric inputs starts by default.
CharterModel usual_model(std::size_t inputs, bool standardise);

}  // namespace tacit
