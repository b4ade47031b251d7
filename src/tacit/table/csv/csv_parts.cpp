#include "tacit/table/csv/csv_parts.hpp"

#include <algorithm>
#include <fstream>
#include <string>
#include <string_view>

#include "tacit/table/csv/byte_source.hpp"
#include "tacit/table/mat/mat.hpp"
#include "tacit/table/sql/sql.hpp"

namespace tacit {
namespace {

constexpr std::size_t part_block = std::size_t{1} << 20;

// Calls visit(byte, next) for each byte from `begin` on until it returns false. After the last byte, next is
// 0.
template <class Visit>
void for_each_byte(const std::filesystem::path& file, std::uint64_t begin, const Visit& visit) {
  std::ifstream in(file, std::ios::binary);
  in.seekg(static_cast<std::streamoff>(begin));
  std::string block(part_block, '\0');
  char waits = 0;
  bool any = false;
  while (in) {
    in.read(block.data(), static_cast<std::streamsize>(block.size()));
    for (const char c : std::string_view(block).substr(0, static_cast<std::size_t>(in.gcount()))) {
      if (any && !visit(waits, c)) return;
      waits = c;
      any = true;
    }
  }
  if (any) visit(waits, '\0');
}

// LF, CRLF and CR each end a line.
bool ends_line(char c, char next) { return c == '\n' || (c == '\r' && next != '\n'); }

std::uint64_t begin_of(const std::filesystem::path& file, std::size_t share, std::size_t shares) {
  const std::uint64_t size = std::filesystem::file_size(file);
  return size / shares * share + size % shares * share / shares;
}

}  // namespace

bool can_be_cut(const std::filesystem::path& source) {
  if (is_database(source) || source == standard_input) return false;
  if (std::filesystem::exists(source) && !std::filesystem::is_regular_file(source)) return false;
  const ByteSource bytes(source);                            // throws if there is no file
  if (std::filesystem::file_size(source) == 0) return true;  // reading a part reports that it is empty
  return bytes.size() > 0 && !is_sqlite(bytes.peek()) && !is_mat(bytes.peek(), source);
}

ByteShare count_share(const std::filesystem::path& file, std::size_t share, std::size_t shares) {
  ByteShare count;
  std::uint64_t left = begin_of(file, share + 1, shares) - begin_of(file, share, shares);
  if (left > 0)
    for_each_byte(file, begin_of(file, share, shares), [&](char c, char next) {
      count.quotes += c == '"';
      count.lines += ends_line(c, next);
      return --left > 0;
    });
  return count;
}

FilePart start_of(const std::filesystem::path& file, std::size_t share,
                  const std::vector<ByteShare>& counts) {
  FilePart start;
  if (share == 0) return start;
  start.begin = begin_of(file, share, counts.size());
  bool quoted = false;
  for (std::size_t before = 0; before < share; ++before) {
    quoted ^= counts[before].quotes % 2 == 1;
    start.line += counts[before].lines;
  }
  for_each_byte(file, start.begin, [&](char c, char next) {
    ++start.begin;
    quoted ^= c == '"';
    start.line += ends_line(c, next);
    return c != '\n' || quoted;
  });
  return start;
}

}  // namespace tacit
