// Reads graphs from text files (generators.hpp).
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "tacit/base/error.hpp"
#include "tacit/graph/generators.hpp"

namespace tacit {
namespace {

bool blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }

void skip_blanks(std::string_view& text) {
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
}

// Removes an id from the front of the text and returns it. Ids that are too large for any graph become
// most_agents.
std::optional<std::size_t> take_id(std::string_view& text) {
  std::size_t id = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), id);
  if (code == std::errc::invalid_argument) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return code == std::errc() ? std::min(id, Graph::most_agents) : Graph::most_agents;
}

std::optional<std::pair<std::size_t, std::size_t>> parse_line(std::string_view text) {
  const auto first = take_id(text);
  if (!first || text.empty() || !(blank(text.front()) || text.front() == ',')) return std::nullopt;
  skip_blanks(text);
  if (!text.empty() && text.front() == ',') text.remove_prefix(1);
  skip_blanks(text);
  const auto second = take_id(text);
  skip_blanks(text);
  if (!second || !text.empty()) return std::nullopt;
  return std::pair(*first, *second);
}

// Returns the text for an error message: short, and without control characters.
std::string shown(std::string_view text) {
  constexpr std::size_t longest = 40;
  std::string result(text.substr(0, longest));
  std::replace_if(
      result.begin(), result.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  return text.size() > longest ? result + "..." : result;
}

}  // namespace

Graph read_edge_list(const std::filesystem::path& file, std::size_t agents) {
  const std::string name = file.string();
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored)) {
    throw InputError(
        fmt::format("Edge list {} is a directory; name a text file with two agent ids per line.", name));
  }
  std::ifstream stream(file);
  if (!stream)
    throw InputError(fmt::format("Edge list {} cannot be read; check its name and permissions.", name));
  const std::size_t limit = agents == 0 ? Graph::most_agents : agents;

  std::vector<Edge> edges;
  std::size_t largest = 0;
  std::size_t row = 0;
  std::string line;
  while (std::getline(stream, line)) {
    ++row;
    std::string_view text = line;
    if (row == 1 && text.starts_with("\xEF\xBB\xBF"))
      text.remove_prefix(3);  // the byte order mark of some editors
    text = text.substr(0, text.find('#'));
    skip_blanks(text);
    if (text.empty()) continue;
    const auto edge = parse_line(text);
    if (!edge) {
      throw InputError(fmt::format(
          "{}, line {}: \"{}\" is not an edge; write two agent ids, counted from 0, such as \"0 1\".", name,
          row, shown(text)));
    }
    const auto [a, b] = *edge;
    if (a == b && a < limit) {
      throw InputError(fmt::format("{}, line {}: the edge {} {} joins an agent to itself; remove the line.",
                                   name, row, a, b));
    }
    if (std::max(a, b) >= limit) {
      throw InputError(fmt::format(
          "{}, line {}: \"{}\" names an agent beyond the {} {}; ids are counted from 0, so the last is {}.",
          name, row, shown(text), limit, agents == 0 ? "that a graph may have" : "agents of this graph",
          limit - 1));
    }
    largest = std::max({largest, a, b});
    edges.emplace_back(static_cast<AgentId>(a), static_cast<AgentId>(b));
  }
  if (stream.bad()) throw InputError(fmt::format("Edge list {} cannot be read beyond line {}.", name, row));
  if (edges.empty()) {
    throw InputError(
        fmt::format("Edge list {} has no edges; write two agent ids per line, such as \"0 1\".", name));
  }
  return Graph(agents == 0 ? largest + 1 : agents, std::move(edges));
}

}  // namespace tacit
