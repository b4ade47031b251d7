// Lets ranks do work together in which any of them may fail. All ranks then end with the same error.
#pragma once

#include <string>
#include <vector>

#include "tacit/base/error.hpp"
#include "tacit/ranks/team/team.hpp"
#include "tacit/table/cells/bad_cells.hpp"
#include "tacit/table/rows/reader_group.hpp"

namespace tacit {

/// A rank that cannot continue reports this at the point where the other ranks wait for its message.
class JointWork final : public ReaderGroup {
 public:
  explicit JointWork(Team& team) : team_(team) {}
  std::size_t rank() const override { return team_.rank(); }
  std::size_t size() const override { return team_.size(); }
  std::vector<std::string> share(std::string own) override;

  /// Does the work. If ranks fail, all ranks throw the error of the lowest of these. Bad cells of one file
  /// are combined over all ranks. All ranks call it, with work that calls `share` equally often unless it
  /// throws.
  template <class Work>
  void run(const Work& work) {
    try {
      work();
      share({});
    } catch (const OtherRefused&) {
      throw InputError(error_);
    } catch (const OtherFailed&) {
      throw Error(error_);
    } catch (const BadCellsError& e) {
      report(Outcome::refused, e.what(), &e.cells());
    } catch (const InputError& e) {
      report(Outcome::refused, e.what());
    } catch (const std::exception& e) {
      report(Outcome::failed, e.what());
    }
  }

 private:
  enum class Outcome : std::uint32_t { fine, refused, failed };
  struct OtherRefused {};
  struct OtherFailed {};

  std::vector<std::string> exchange(Outcome outcome, const std::string& text,
                                    const BadCells* cells = nullptr);
  [[noreturn]] void report(Outcome outcome, const std::string& text, const BadCells* cells = nullptr);

  Team& team_;
  std::string error_;
};

}  // namespace tacit
