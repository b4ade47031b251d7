// Parses and prints kernels. The grammar is small and errors must give the position of a character, so the
// parser is hand-written:
//   sum = product {"+" product}, product = factor {("*" | "×") factor}, factor = "(" sum ")" | name
//   [numbers], numbers = "(" key "=" (number | "[" number {"," number} "]") {"," …} ")".
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <optional>

#include "tacit/base/error.hpp"
#include "tacit/gp/kernel/kernel.hpp"

namespace tacit {
namespace {

constexpr struct {
  Shape shape;
  const char* name;
} shapes[] = {{Shape::constant, "constant"},     {Shape::linear, "linear"},     {Shape::se, "se"},
              {Shape::matern12, "matern12"},     {Shape::matern32, "matern32"}, {Shape::matern52, "matern52"},
              {Shape::rational_quadratic, "rq"}, {Shape::periodic, "periodic"}};

class KernelParser {
 public:
  explicit KernelParser(std::string_view text) : text_(text) {}

  Kernel whole() {
    Kernel kernel = sum();
    if (at_ < text_.size()) fail("expected +, * or the end");
    return kernel;
  }

 private:
  // Kernels are printed and evaluated recursively, so untrusted texts must not exhaust the stack.
  static constexpr int deepest = 50;      // nested parentheses
  static constexpr int most_leaves = 64;  // basic kernels

  Kernel sum() {
    Kernel kernel = product();
    while (take("+")) kernel = kernel + product();
    return kernel;
  }

  Kernel product() {
    Kernel kernel = factor();
    while (take("*") || take("×")) kernel = kernel * factor();
    return kernel;
  }

  Kernel factor() {
    if (!take("(")) return leaf();
    if (++depth_ > deepest) fail("too many nested parentheses", at_ - 1);
    Kernel kernel = sum();
    --depth_;
    if (!take(")")) fail("expected )");
    return kernel;
  }

  Kernel leaf() {
    skip();
    const std::size_t start = at_;
    if (++leaves_ > most_leaves) fail(fmt::format("more than {} kernels", most_leaves));
    const std::string name = word();
    std::string_view base = name;
    const bool with_ard = base.ends_with("-ard");
    if (with_ard) base.remove_suffix(4);
    const Shape shape = shape_of(base, start);
    if (with_ard && shape == Shape::constant) fail("constant has no length-scales; remove -ard", start);

    std::optional<Lengthscale> lengthscale;
    double extra = 1, signal = 1;
    if (take("(") && !take(")")) {
      do {
        skip();
        const std::size_t key_at = at_;
        const std::string key = word();
        if (!take("=")) fail("expected = after the name of a number");
        if (key == "lengthscale" && shape != Shape::constant && (shape != Shape::linear || with_ard)) {
          lengthscale = with_ard ? Lengthscale(numbers()) : Lengthscale(number());
        } else if (key == (shape == Shape::periodic ? "period" : "alpha") &&
                   (shape == Shape::periodic || shape == Shape::rational_quadratic)) {
          extra = number();
        } else if (key == "signal" && !(shape == Shape::linear && with_ard)) {
          signal = number();
        } else {
          fail(fmt::format("{} has no number called \"{}\"", name, key), key_at);
        }
      } while (take(","));
      if (!take(")")) fail("expected , or )");
    }
    if (!lengthscale) lengthscale = with_ard ? Lengthscale(ard) : Lengthscale(1.);
    try {
      return {shape, *lengthscale, extra, signal};
    } catch (const InputError& e) {
      fail(e.what(), start);
    }
  }

  Shape shape_of(std::string_view name, std::size_t start) const {
    std::vector<std::string> known;
    for (const auto& [shape, its] : shapes) {
      if (name == its) return shape;
      known.emplace_back(its);
    }
    fail(name.empty() ? "expected a kernel"
                      : fmt::format("\"{}\" is not a kernel; use one of {}", name, fmt::join(known, ", ")),
         start);
  }

  std::vector<double> numbers() {
    if (!take("[")) return {number()};
    std::vector<double> all;
    do all.push_back(number());
    while (take(","));
    if (!take("]")) fail("expected , or ]");
    return all;
  }

  double number() {
    skip();
    double value = 0;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error != std::errc()) fail("expected a number");
    at_ = static_cast<std::size_t>(end - text_.data());
    return value;
  }

  std::string word() {
    const std::size_t start = at_;
    const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; };
    while (at_ < text_.size() && letter(text_[at_])) ++at_;
    return std::string(text_.substr(start, at_ - start));
  }

  bool take(std::string_view sign) {
    skip();
    if (!text_.substr(at_).starts_with(sign)) return false;
    at_ += sign.size();
    return true;
  }

  void skip() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }

  [[noreturn]] void fail(const std::string& what) const { fail(what, at_); }
  [[noreturn]] void fail(const std::string& what, std::size_t at) const {
    std::size_t character = 1;  // counts characters, not bytes
    for (char c : text_.substr(0, at)) character += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
    throw InputError(fmt::format("kernel \"{}\", character {}: {}", text_, character, what));
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
  int leaves_ = 0;
};

std::string leaf_text(const Kernel::Leaf& leaf, bool numbers) {
  std::string name = name_of(leaf.shape);
  if (leaf.ard) name += "-ard";
  if (!numbers) return name;
  std::vector<std::string> parts;
  if (leaf.ard)
    parts.push_back(fmt::format("lengthscale=[{}]", fmt::join(leaf.lengthscale, ", ")));
  else if (!leaf.lengthscale.empty())
    parts.push_back(fmt::format("lengthscale={}", leaf.lengthscale[0]));
  if (leaf.has_extra())
    parts.push_back(fmt::format("{}={}", leaf.shape == Shape::periodic ? "period" : "alpha", leaf.extra));
  if (leaf.free_signal) parts.push_back(fmt::format("signal={}", leaf.signal));
  return parts.empty() ? name : fmt::format("{}({})", name, fmt::join(parts, ", "));
}

}  // namespace

const char* name_of(Shape shape) { return shapes[static_cast<std::size_t>(shape)].name; }

Kernel parse_kernel(std::string_view text, std::size_t most_bytes) {
  if (text.size() > most_bytes)
    throw InputError(
        fmt::format("a kernel's text may have at most {} bytes, but the one that starts with "
                    "\"{}\" has {}; use fewer kernels or fewer numbers",
                    most_bytes, text.substr(0, 20), text.size()));
  return KernelParser(text).whole();
}

std::string Kernel::written(std::size_t at, bool numbers) const {
  const Node& node = nodes_[at];
  if (node.kind == Node::Kind::leaf) return leaf_text(leaves_[node.left], numbers);
  const bool product = node.kind == Node::Kind::product;
  const auto side = [&](std::size_t child, bool right) {
    const Node::Kind kind = nodes_[child].kind;
    const bool brackets = (product && kind == Node::Kind::sum) || (right && kind == node.kind);
    const std::string inside = written(child, numbers);
    return brackets ? fmt::format("({})", inside) : inside;
  };
  return fmt::format("{} {} {}", side(node.left, false), product ? '*' : '+', side(node.right, true));
}

std::string Kernel::text() const { return written(nodes_.size() - 1, true); }
std::string Kernel::form() const { return written(nodes_.size() - 1, false); }

}  // namespace tacit
