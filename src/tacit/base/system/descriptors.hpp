// File descriptors: an owner, and the limit of this process.
#pragma once

#include <utility>

namespace tacit {

/// Closes its descriptor on destruction.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  ~Descriptor() { reset(); }
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    if (this != &other) reset(std::exchange(other.number_, -1));
    return *this;
  }

  int get() const { return number_; }
  explicit operator bool() const { return number_ >= 0; }
  /// The caller must close it.
  int release() { return std::exchange(number_, -1); }
  void reset(int number = -1);

 private:
  int number_;
};

/// How many descriptors this process may have open. The highest number is one less.
int descriptor_limit();

/// Raises the limit as far as the system allows, at most to 65,536. Keeps it where that is refused.
void raise_descriptor_limit();

}  // namespace tacit
