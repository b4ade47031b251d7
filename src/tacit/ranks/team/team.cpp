#include "tacit/ranks/team/team.hpp"

#include "tacit/ranks/team/message.hpp"

namespace tacit {

// A binomial tree: a rank that has the bytes sends them to the ranks 1, 2, 4 ... further.
void Team::broadcast(std::string& bytes) {
  std::size_t step = 1;
  while (step < size() && (rank() & step) == 0) step *= 2;
  if (!leads()) bytes = receive(rank() - step);
  while ((step /= 2) > 0)
    if (rank() + step < size()) send(rank() + step, bytes);
  flush();
}

std::vector<std::string> Team::gather(std::string own) {
  if (!leads()) {
    send(0, std::move(own));
    flush();
    return {};
  }
  std::vector<std::string> all{std::move(own)};
  while (all.size() < size()) all.push_back(receive(all.size()));
  return all;
}

std::vector<std::string> Team::share(std::string own) {
  MessageWriter out;
  for (const std::string& one : gather(std::move(own))) out.text(one);
  std::string together = leads() ? message(out) : std::string();
  broadcast(together);
  MessageReader in(std::move(together));
  std::vector<std::string> all(size());
  for (std::string& one : all) one = in.text();
  return all;
}

std::vector<std::string> Team::exchange(std::vector<std::string> to) {
  std::vector<std::string> from(size());
  from[rank()] = std::move(to[rank()]);
  for (std::size_t step = 1; step < size(); ++step) {
    const std::size_t other = (rank() + step) % size();
    send(other, std::move(to[other]));
  }
  for (std::size_t step = 1; step < size(); ++step) {
    const std::size_t other = (rank() + size() - step) % size();
    from[other] = receive(other);
  }
  flush();
  return from;
}

}  // namespace tacit
