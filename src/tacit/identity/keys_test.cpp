#include <gtest/gtest.h>
#include <sys/stat.h>

#include "tacit/base/system/files.hpp"
#include "tacit/identity/encoding.hpp"
#include "tacit/identity/identity_testing.hpp"
#include "tacit/identity/keys.hpp"

namespace tacit {
namespace {

using namespace testing;

unsigned mode_of(const std::filesystem::path& file) {
  struct stat info {};
  return ::stat(file.c_str(), &info) == 0 ? info.st_mode & 07777 : 0;
}

class Keys : public ::testing::Test {
 protected:
  ScratchFolder scratch;
  std::filesystem::path folder = scratch.path / "deep" / "aachen";
};

TEST_F(Keys, AreKeptForTheOwnerAloneAndReadBack) {
  const mode_t before = umask(0);
  const AgentKeys made = make_keys(folder, "aachen", "10.0.0.1:7500");
  umask(before);
  EXPECT_EQ(mode_of(folder), 0700u);
  EXPECT_EQ(mode_of(folder / "identity.key"), 0600u);
  EXPECT_EQ(mode_of(folder / "tls.key"), 0600u);
  EXPECT_EQ(mode_of(folder / "card.toml"), 0644u);
  const AgentKeys loaded = load_keys(folder);
  EXPECT_EQ(loaded.identity.public_key(), made.identity.public_key());
  EXPECT_EQ(loaded.card.name, "aachen");
  EXPECT_EQ(loaded.card.address, "10.0.0.1:7500");
  EXPECT_EQ(loaded.card.certificate, made.card.certificate);
  const auto message = std::as_bytes(std::span("hello"));
  EXPECT_TRUE(verify(made.card.identity, message, loaded.identity.sign(message)));
}

TEST_F(Keys, AreNeverOverwritten) {
  make_keys(folder, "aachen", "");
  const std::string before = read_whole(folder / "identity.key");
  EXPECT_TRUE(says(refusal([&] { make_keys(folder, "aachen", ""); }), "never overwritten"));
  EXPECT_EQ(read_whole(folder / "identity.key"), before);
  std::filesystem::remove(folder / "identity.key");
  EXPECT_TRUE(says(refusal([&] { make_keys(folder, "aachen", ""); }), "tls.key"));
  EXPECT_FALSE(std::filesystem::exists(folder / "identity.key"));
}

TEST_F(Keys, TwoAreNeverTheSame) {
  const AgentKeys a = make_keys(scratch.path / "a", "same", ""),
                  b = make_keys(scratch.path / "b", "same", "");
  EXPECT_NE(a.card.identity, b.card.identity);
  EXPECT_NE(a.card.certificate, b.card.certificate);
}

TEST_F(Keys, ThatOthersMayReadAreRefusedWithTheCure) {
  make_keys(folder, "aachen", "");
  for (const char* file : {"identity.key", "tls.key"}) {
    ::chmod((folder / file).c_str(), 0640);
    const std::string error = refusal([&] { load_keys(folder); });
    EXPECT_TRUE(says(error, "chmod 600") && says(error, file)) << error;
    ::chmod((folder / file).c_str(), 0600);
  }
  ::chmod(folder.c_str(), 0770);
  EXPECT_TRUE(says(refusal([&] { load_keys(folder); }), "chmod 700"));
  ::chmod(folder.c_str(), 0700);
  load_keys(folder);
}

TEST_F(Keys, ThatDoNotBelongTogetherAreRefused) {
  make_keys(folder, "aachen", "");
  make_keys(scratch.path / "other", "aachen", "");
  const auto mixed = [&](const char* file) {
    const std::string mine = read_whole(folder / file);
    write_whole(folder / file, read_whole(scratch.path / "other" / file), 0600);
    const std::string error = refusal([&] { load_keys(folder); });
    write_whole(folder / file, mine, 0600);
    return error;
  };
  EXPECT_TRUE(says(mixed("identity.key"), "card does not match the identity"));
  EXPECT_TRUE(says(mixed("tls.key"), "do not belong together"));
  EXPECT_TRUE(says(mixed("card.toml"), "card does not match the identity"));
  load_keys(folder);
  write_whole(folder / "identity.key", "0123", 0600);
  EXPECT_TRUE(says(refusal([&] { load_keys(folder); }), "not an identity key"));
}

TEST_F(Keys, ACardThatWasChangedIsRefused) {
  make_keys(folder, "aachen", "10.0.0.1:7500");
  const std::string card = read_whole(folder / "card.toml");
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string text = card;
    const std::size_t at = text.find(from);
    if (at == text.npos) return std::string("nothing to change");
    text.replace(at, from.size(), to);
    return refusal([&] { parse_card("card.toml", text); });
  };
  EXPECT_EQ(changed("# The card", "# A card"), "");  // comments are not signed
  EXPECT_TRUE(says(changed("10.0.0.1:7500", "10.0.0.2:7500"), "signature is invalid"));
  EXPECT_TRUE(says(changed("name = \"aachen\"", "name = \"bonn\""), "not for an agent named bonn"));
  EXPECT_TRUE(says(changed("name = \"aachen\"", "name = \"Aachen!\""), "line 4, name"));
  EXPECT_TRUE(says(changed("address", "adress"), "address: this field is missing"));
  // Another certificate for the same name, with its own fingerprint, under the old signature.
  const TlsKeys forged = make_tls_keys("aachen");
  Card other = parse_card("card.toml", card);
  other.certificate = forged.certificate;
  EXPECT_TRUE(says(refusal([&] { parse_card("card.toml", to_toml(other)); }), "signature is invalid"));
}

TEST_F(Keys, NamesAndAddresses) {
  for (const char* name : {"a", "aachen-2", "0", "x--y"})
    EXPECT_EQ(refusal([&] { check_name(name, "here"); }), "");
  for (const char* name :
       {"", "-a", "a-", "A", "a b", "a.b", "ä", "0123456789012345678901234567890123456789x"})
    EXPECT_TRUE(says(refusal([&] { check_name(name, "here"); }), "here: ")) << name;
  for (const char* address : {"a:1", "10.0.0.1:65535", "[::1]:7500", "host-1.example:80"})
    EXPECT_EQ(refusal([&] { check_address(address, "here"); }), "");
  for (const char* address :
       {"", "a", "a:", ":1", "a:0", "a:65536", "a:1x", "::1:80", "a b:80", "a:-1", "[]:1"})
    EXPECT_TRUE(says(refusal([&] { check_address(address, "here"); }), "here: ")) << address;
}

TEST(TextForm, HexadecimalAndQuotes) {
  std::array<std::byte, 2> two{};
  EXPECT_TRUE(from_hex("0aFf", two));
  EXPECT_EQ(hex(two), "0aff");
  EXPECT_EQ(colons(two), "0a:ff");
  for (const char* bad : {"", "0a", "0aff0", "0aff00", "0ag0", "0a f", "0a:f"})
    EXPECT_FALSE(from_hex(bad, two)) << bad;
  EXPECT_EQ(in_quotes("a\"\\\n"), "\"a\\\"\\\\\\u000a\"");
  EXPECT_EQ(real(3), "3.0");
  EXPECT_EQ(real(1e300), "1e+300");
  EXPECT_EQ(real(0.1), "0.1");
}

}  // namespace
}  // namespace tacit
