#include "tacit/cli/options/console.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <iostream>

#include "tacit/cli/agent/stop_on_signal.hpp"
#include "tacit/cli/text/progress_bar.hpp"
#include "tacit/cli/text/terminal.hpp"

namespace tacit::cli {
namespace {

// A progress line on the terminal; nothing in a pipe.
class Line {
 public:
  void say(const std::string& words) {
    if (!shown_) return;
    overwrite_line(words);
    said_ = true;
  }
  ~Line() {
    if (said_) overwrite_line("");
  }

 private:
  const bool shown_ = isatty(STDERR_FILENO) == 1;
  bool said_ = false;
};

// As a shell takes it as one word.
std::string as_one_word(const std::string& word) {
  const bool plain = !word.empty() && std::ranges::all_of(word, [](unsigned char c) {
    return std::isalnum(c) || std::strchr("-_./:=,@%+", c);
  });
  if (plain) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

}  // namespace

void Console::answer(const Json& json) { std::cout << text_of(json); }

void Console::note(const std::string& words) { fmt::print(stderr, "{}\n", words); }

Held Console::watch(const Progress& progress) { return std::make_shared<ProgressBar>(progress); }

ControlClient::Words Console::words() {
  return [line = std::make_shared<Line>()](const std::string& said) { line->say(said); };
}

Held Console::stopping(ControlClient& client) { return std::make_shared<StopOnSignal>(client); }

Table Console::read(const std::filesystem::path& source, const TableOptions& columns,
                    const ReadOptions& how) {
  return read_data(source, columns, how);
}

void Console::asked(const std::vector<std::string>& arguments) {
  line_ = "tacit";
  for (const std::string& one : arguments) line_ += " " + as_one_word(one);
}

ReadTable Console::reader() {
  return [this](const std::filesystem::path& source, const TableOptions& columns, const ReadOptions& how) {
    return read(source, columns, how);
  };
}

}  // namespace tacit::cli
