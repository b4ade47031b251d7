#include "tacit/ranks/team/joint_work.hpp"

#include <optional>

#include "tacit/ranks/team/message.hpp"

namespace tacit {

std::vector<std::string> JointWork::share(std::string own) { return exchange(Outcome::fine, own); }

std::vector<std::string> JointWork::exchange(Outcome own, const std::string& text, const BadCells* cells) {
  MessageWriter out;
  out.number(static_cast<std::uint32_t>(own));
  out.text(text);
  out.number<std::uint32_t>(cells ? 1 : 0);
  if (cells) cells->write(out);
  Outcome first = Outcome::fine;
  std::optional<BadCells> bad;  // of the first rank that cannot continue
  std::vector<std::string> all = team_.share(message(out));
  for (std::string& one : all) {
    MessageReader in(std::move(one));
    const Outcome outcome = in.choice<Outcome>(3);
    one = in.text();
    const bool has_cells = in.number<std::uint32_t>() != 0;
    if (bad && has_cells) bad->add(BadCells::read(in));
    if (outcome == Outcome::fine || first != Outcome::fine) continue;
    first = outcome;
    error_ = std::move(one);
    if (has_cells) bad = BadCells::read(in);
  }
  if (bad) error_ = bad->text();
  if (first == Outcome::refused) throw OtherRefused();
  if (first == Outcome::failed) throw OtherFailed();
  return all;
}

void JointWork::report(Outcome outcome, const std::string& text, const BadCells* cells) {
  try {
    exchange(outcome, text, cells);
  } catch (const OtherRefused&) {
    throw InputError(error_);
  } catch (const OtherFailed&) {
    throw Error(error_);
  }
  throw Error(text);  // the other ranks did not receive it
}

}  // namespace tacit
