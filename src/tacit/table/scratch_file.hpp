// Numbers that memory shall not hold, in a file without a name: nobody else can open it, and it is gone when
// the process ends, however it ends.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

namespace tacit {

class ScratchFile {
 public:
  /// In this folder, or where temporary files go (TMPDIR) when empty. Throws InputError when no file can be
  /// made there, as others do when there is no room.
  explicit ScratchFile(std::filesystem::path folder = {});
  ~ScratchFile();
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;

  /// Is there room for about so many more?
  void expect(std::uint64_t numbers) const;

  void append(std::span<const double> numbers);
  /// What was appended can be read after this.
  void flush();

  std::uint64_t size() const { return written_ + waiting_.size(); }  ///< in numbers
  /// May be called by several threads at a time.
  void read(std::uint64_t first, std::span<double> into) const;

 private:
  std::filesystem::path folder_;
  int file_ = -1;
  std::uint64_t written_ = 0;
  std::vector<double> waiting_;
};

}  // namespace tacit
