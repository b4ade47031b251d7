#include "tacit/page/page_files.hpp"

#include <utility>

#include "tacit/page/web_files.hpp"

namespace tacit {
namespace {

constexpr std::pair<std::string_view, const char*> types[] = {{".html", "text/html; charset=utf-8"},
                                                              {".js", "text/javascript; charset=utf-8"},
                                                              {".css", "text/css; charset=utf-8"},
                                                              {".json", "application/json"},
                                                              {".svg", "image/svg+xml"},
                                                              {".png", "image/png"},
                                                              {".ico", "image/x-icon"},
                                                              {".woff2", "font/woff2"}};

}  // namespace

PageFile page_file(const std::string& path) {
  const std::string name = path == "/" ? "/index.html" : path;
  for (const auto& [ending, type] : types)
    if (name.ends_with(ending)) return {web_file("page" + name), type};
  return {};
}

}  // namespace tacit
