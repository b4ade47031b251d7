#include "tacit/base/sanitised_text.hpp"

#include <gtest/gtest.h>

namespace tacit {
namespace {

TEST(Plain, WordsStayAsTheyAre) {
  EXPECT_EQ(plain(""), "");
  EXPECT_EQ(plain("columns.age: 0..100"), "columns.age: 0..100");
  EXPECT_EQ(plain("Köln, Łódź, 京都, 🏥"), "Köln, Łódź, 京都, 🏥");
}

TEST(Plain, NothingSteersATerminalOrHidesText) {
  EXPECT_EQ(plain("a\x1b[2Jb\nc\rd\te\x7f"), "a?[2Jb?c?d?e?");
  EXPECT_EQ(plain("a\xc2\x9b"
                  "b"),
            "a?b");  // a control character of two bytes
  EXPECT_EQ(plain("a\xe2\x80\xae"
                  "b\xef\xbb\xbf"),
            "a?b?");  // right to left from here; no width
}

TEST(Plain, BytesThatAreNoTextAreQuestionMarks) {
  EXPECT_EQ(plain("\xff\xc0\x80"
                  "a\xe2\x82"),
            "???a??");
  EXPECT_EQ(plain("\xed\xa0\x80"), "???");  // half of a pair
  EXPECT_EQ(plain(std::string_view("a\0b", 3)), "a?b");
}

TEST(Plain, LongTextsAreCutBetweenCharacters) {
  EXPECT_EQ(plain("äöü", 2), "äö...");
  EXPECT_EQ(plain("äöü", 3), "äöü");
  EXPECT_EQ(plain(std::string(1'000'000, 'x')).size(), 203u);
}

}  // namespace
}  // namespace tacit
