#include "tacit/secrecy/ring.hpp"

#include <fmt/format.h>

#include "tacit/base/error.hpp"

namespace tacit {

template <class Word>
Ring<Word>::Ring(unsigned bits) : bits_(bits) {
  if (bits < 1 || bits > word_bits<Word>)
    throw InputError(fmt::format("a modulus of 2^{} does not fit {}-bit words; choose 1 to {} bits", bits,
                                 word_bits<Word>, word_bits<Word>));
  sign_ = Word{1} << (bits - 1);
  keep_ = sign_ | (sign_ - 1);
}

template class Ring<Word64>;
template class Ring<Word128>;

}  // namespace tacit
