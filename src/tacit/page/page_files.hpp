// The page's own files, which are inside of the program.
#pragma once

#include <string>
#include <string_view>

namespace tacit {

struct PageFile {
  std::string_view bytes;  ///< none when there is no such file
  const char* type = "";   ///< as browsers name it
};

/// By the path that a browser asks for; "/" is the page itself.
PageFile page_file(const std::string& path);

}  // namespace tacit
