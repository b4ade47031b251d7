// The names of a table's columns, with help for those who mistype one.
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

  /// Adds one at the end, without spaces around it. Throws InputError, beginning with `where`, when it is
  /// blank, not UTF-8 or there already; `count` is how many columns the file has, `before` how many of them
  /// come first and are left out.
  void add(std::string_view name, std::size_t count, std::string_view where, std::size_t before = 0);

  /// Throws InputError, beginning with `file`, that names all of these that are not there, each with the name
  /// that may have been meant.
  void require(std::span<const std::string> wanted, std::string_view file) const;

  /// Its place, from 0. Throws InputError for a name that is not there: it begins with `file`, says which
  /// name may have been meant and lists what there is. One of `wanted` is not meant by another name.
  std::size_t place(std::string_view name, std::string_view file,
                    std::span<const std::string> wanted = {}) const;

 private:
  std::vector<std::string> names_;
  std::map<std::string, std::size_t, std::less<>> places_;
};

}  // namespace tacit
