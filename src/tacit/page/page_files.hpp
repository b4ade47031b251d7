// The page's files, which are part of the program.
#pragma once

#include <string>
#include <string_view>

namespace tacit {

struct PageFile {
  std::string_view bytes;  ///< empty if there is no such file
  const char* type = "";   ///< MIME type
};

/// Finds a file by the path of a request; "/" is the page itself.
PageFile page_file(const std::string& path);

}  // namespace tacit
