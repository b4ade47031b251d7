#include "tacit/ranks/together.hpp"

#include "tacit/ranks/message.hpp"

namespace tacit {

std::vector<std::string> Together::share(std::string own) { return heard(Word::fine, own); }

std::vector<std::string> Together::heard(Word own, const std::string& text) {
  MessageWriter out;
  out.number(static_cast<std::uint32_t>(own));
  out.text(text);
  std::vector<std::string> all = team_.share(message(out));
  for (std::string& one : all) {
    MessageReader in(std::move(one));
    const Word word = in.choice<Word>(3);
    one = in.text();
    if (word == Word::fine) continue;
    words_ = std::move(one);
    if (word == Word::refused) throw Heard();
    throw HeardFailure();
  }
  return all;
}

void Together::tell(Word word, const std::string& text) {
  try {
    heard(word, text);
  } catch (const Heard&) {
    throw InputError(words_);
  } catch (const HeardFailure&) {
    throw Error(words_);
  }
  throw Error(text);  // which was heard by nobody
}

}  // namespace tacit
