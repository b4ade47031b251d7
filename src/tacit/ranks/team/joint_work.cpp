#include "tacit/ranks/team/joint_work.hpp"

#include <optional>

#include "tacit/ranks/team/message.hpp"

namespace tacit {

std::vector<std::string> Together::share(std::string own) { return heard(Word::fine, own); }

std::vector<std::string> Together::heard(Word own, const std::string& text, const BadCells* cells) {
  MessageWriter out;
  out.number(static_cast<std::uint32_t>(own));
  out.text(text);
  out.number<std::uint32_t>(cells ? 1 : 0);
  if (cells) cells->write(out);
  Word first = Word::fine;
  std::optional<BadCells> bad;  // of the first rank that cannot continue
  std::vector<std::string> all = team_.share(message(out));
  for (std::string& one : all) {
    MessageReader in(std::move(one));
    const Word word = in.choice<Word>(3);
    one = in.text();
    const bool has_cells = in.number<std::uint32_t>() != 0;
    if (bad && has_cells) bad->add(BadCells::read(in));
    if (word == Word::fine || first != Word::fine) continue;
    first = word;
    words_ = std::move(one);
    if (has_cells) bad = BadCells::read(in);
  }
  if (bad) words_ = bad->text();
  if (first == Word::refused) throw Heard();
  if (first == Word::failed) throw HeardFailure();
  return all;
}

void Together::tell(Word word, const std::string& text, const BadCells* cells) {
  try {
    heard(word, text, cells);
  } catch (const Heard&) {
    throw InputError(words_);
  } catch (const HeardFailure&) {
    throw Error(words_);
  }
  throw Error(text);  // the other ranks did not receive it
}

}  // namespace tacit
