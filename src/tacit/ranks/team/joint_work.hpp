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
class Together final : public ReadTogether {
 public:
  explicit Together(Team& team) : team_(team) {}
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
    } catch (const Heard&) {
      throw InputError(words_);
    } catch (const HeardFailure&) {
      throw Error(words_);
    } catch (const BadCellsError& e) {
      tell(Word::refused, e.what(), &e.cells());
    } catch (const InputError& e) {
      tell(Word::refused, e.what());
    } catch (const std::exception& e) {
      tell(Word::failed, e.what());
    }
  }

 private:
  enum class Word : std::uint32_t { fine, refused, failed };
  struct Heard {};
  struct HeardFailure {};

  std::vector<std::string> heard(Word word, const std::string& text, const BadCells* cells = nullptr);
  [[noreturn]] void tell(Word word, const std::string& text, const BadCells* cells = nullptr);

  Team& team_;
  std::string words_;
};

}  // namespace tacit
