#include "tacit/base/sanitised_text.hpp"

#include <gtest/gtest.h>

namespace tacit {
namespace {

TEST(Plain, WordsStayAsTheyAre) {
  EXPECT_EQ(sanitised_text(""), "");
  EXPECT_EQ(sanitised_text("columns.age: 0..100"), "columns.age: 0..100");
  EXPECT_EQ(sanitised_text("Köln, Łódź, 京都, 🏥"), "Köln, Łódź, 京都, 🏥");
}

TEST(Plain, NothingSteersATerminalOrHidesText) {
  EXPECT_EQ(sanitised_text("a\x1b[2Jb\nc\rd\te\x7f"), "a?[2Jb?c?d?e?");
  EXPECT_EQ(sanitised_text("a\xc2\x9b"
                           "b"),
            "a?b");  // a two-byte control character
  EXPECT_EQ(sanitised_text("a\xe2\x80\xae"
                           "b\xef\xbb\xbf"),
            "a?b?");  // right-to-left override; zero width
}

TEST(Plain, BytesThatAreNoTextAreQuestionMarks) {
  EXPECT_EQ(sanitised_text("\xff\xc0\x80"
                           "a\xe2\x82"),
            "???a??");
  EXPECT_EQ(sanitised_text("\xed\xa0\x80"), "???");  // half of a surrogate pair
  EXPECT_EQ(sanitised_text(std::string_view("a\0b", 3)), "a?b");
}

TEST(Plain, LongTextsAreCutBetweenCharacters) {
  EXPECT_EQ(sanitised_text("äöü", 2), "äö...");
  EXPECT_EQ(sanitised_text("äöü", 3), "äöü");
  EXPECT_EQ(sanitised_text(std::string(1'000'000, 'x')).size(), 203u);
}

}  // namespace
}  // namespace tacit
