// The names of a table's columns, with suggestions for mistyped ones.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tacit {

class ColumnNames {
 public:
  std::span<const std::string> all() const { return names_; }
  std::size_t size() const { return names_.size(); }
  bool has(std::string_view name) const { return places_.find(name) != places_.end(); }

  /// Appends a name, without the spaces around it. Throws InputError, beginning with `where`, if the name is
  /// blank, not UTF-8 or a duplicate. `count` is the number of columns in the file, `before` the number of
  /// leading ones that are left out.
  void add(std::string_view name, std::size_t count, std::string_view where, std::size_t before = 0);

  /// Throws InputError, beginning with `file`, if names are absent. Reports all of them, each with a
  /// suggestion.
  void require(std::span<const std::string> wanted, std::string_view file) const;

  /// Returns the place of a name, from 0. Throws InputError, beginning with `file`, if it is absent, with a
  /// suggestion and a list of the columns. A name in `wanted` is never suggested.
  std::size_t place(std::string_view name, std::string_view file,
                    std::span<const std::string> wanted = {}) const;

 private:
  std::vector<std::string> names_;
  std::map<std::string, std::size_t, std::less<>> places_;
};

}  // namespace tacit
