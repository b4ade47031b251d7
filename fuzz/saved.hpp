// For targets that read saved files: adds a header with the correct length and checksum.
#pragma once

#include "fuzz.hpp"
#include "tacit/gp/saved_file.hpp"

namespace tacit::fuzz {

inline std::string with_header(const char* magic, std::uint32_t version, std::string_view body) {
  SavedWriter writer;
  for (const char byte : body) writer.number(byte);
  return writer.file({magic, version, "", ""});
}

}  // namespace tacit::fuzz
