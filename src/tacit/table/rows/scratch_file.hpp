// Stores numbers on disk instead of in memory, in a file without a name. No other process can open the file,
// and it disappears when the process ends, also after a crash.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

namespace tacit {

class ScratchFile {
 public:
  /// Creates the file in this folder, or in the folder for temporary files (TMPDIR) if empty. Throws
  /// InputError if that fails; `expect` and `flush` throw InputError if there is not enough space.
  explicit ScratchFile(std::filesystem::path folder = {});
  ~ScratchFile();
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;

  /// Throws InputError if there is no space for about this many more numbers.
  void expect(std::uint64_t numbers) const;

  void append(std::span<const double> numbers);
  /// Writes the appended numbers, so that they can be read.
  void flush();

  std::uint64_t size() const { return written_ + waiting_.size(); }  ///< in numbers
  /// May be called by several threads at once.
  void read(std::uint64_t first, std::span<double> into) const;

 private:
  std::filesystem::path folder_;
  int file_ = -1;
  std::uint64_t written_ = 0;
  std::vector<double> waiting_;
};

}  // namespace tacit
