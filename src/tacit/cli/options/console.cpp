#include "tacit/cli/options/console.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <iostream>

#include "tacit/cli/agent/stop_on_signal.hpp"
#include "tacit/cli/options/setting_words.hpp"
#include "tacit/cli/text/progress_bar.hpp"
#include "tacit/cli/text/terminal.hpp"

namespace tacit::cli {
namespace {

// A progress line on the terminal. Prints nothing to a pipe.
class Line {
 public:
  void show(const std::string& text) {
    if (!terminal_) return;
    overwrite_line(text);
    shown_ = true;
  }
  ~Line() {
    if (shown_) overwrite_line("");
  }

 private:
  const bool terminal_ = isatty(STDERR_FILENO) == 1;
  bool shown_ = false;
};

// Quotes the word for a shell if it needs quotes.
std::string quoted_for_shell(const std::string& word) {
  const bool plain = !word.empty() && std::ranges::all_of(word, [](unsigned char c) {
    return std::isalnum(c) || std::strchr("-_./:=,@%+", c);
  });
  if (plain) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

}  // namespace

std::string Console::worded(std::string_view text) const { return in_options(text); }

Json Console::worded_answer(Json answer) const {
  return tacit::worded(std::move(answer), [this](std::string_view text) { return worded(text); });
}

void Console::answer(const Json& json) { std::cout << text_of(worded_answer(json)); }

void Console::note(const std::string& words) { fmt::print(stderr, "{}\n", worded(words)); }

Held Console::watch(const Progress& progress) { return std::make_shared<ProgressBar>(progress); }

ControlClient::Words Console::words() {
  return [line = std::make_shared<Line>()](const std::string& text) { line->show(in_options(text)); };
}

Held Console::stopping(ControlClient& client) { return std::make_shared<StopOnSignal>(client); }

Table Console::read(const std::filesystem::path& source, const TableOptions& columns,
                    const ReadOptions& how) {
  return read_data(source, columns, how);
}

void Console::asked(const std::vector<std::string>& arguments) {
  line_ = "tacit";
  for (const std::string& one : arguments) line_ += " " + quoted_for_shell(one);
}

ReadTable Console::reader() {
  return [this](const std::filesystem::path& source, const TableOptions& columns, const ReadOptions& how) {
    return read(source, columns, how);
  };
}

}  // namespace tacit::cli
