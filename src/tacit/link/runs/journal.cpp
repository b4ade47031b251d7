#include "tacit/link/runs/journal.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/util/delimited_message_util.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <vector>

#include "tacit/base/error.hpp"
#include "tacit/base/system/release.hpp"
#include "tacit/link/runs/journal.pb.h"

namespace tacit {
namespace {

namespace fs = std::filesystem;
namespace io = google::protobuf::io;
constexpr std::size_t check_bytes = 8;
constexpr std::uint32_t journal_format = 1;

std::string check_of(const std::string& record) {
  const Digest digest = digest_of({std::as_bytes(std::span(record))});
  return {reinterpret_cast<const char*>(digest.data()), check_bytes};
}

std::string entry_of(const journal::Record& record) {
  journal::Entry entry;
  entry.set_record(record.SerializeAsString());
  entry.set_check(check_of(entry.record()));
  std::string bytes;
  io::StringOutputStream out(&bytes);
  google::protobuf::util::SerializeDelimitedToZeroCopyStream(entry, &out);
  return bytes;
}

// The entry has no other fields. With a wrong length, bytes of the next entry could be parsed as unknown
// fields.
bool is_whole(const journal::Entry& entry, std::uint64_t size) {
  journal::Entry same;
  same.set_record(entry.record());
  same.set_check(entry.check());
  return same.ByteSizeLong() == size;
}

journal::Record begun(const Name& run, AgentId originator, std::uint64_t number) {
  journal::Record record;
  record.mutable_begun()->set_run(to_field(run));
  record.mutable_begun()->set_originator(originator);
  record.mutable_begun()->set_number(number);
  record.set_format(journal_format);
  return record;
}

[[noreturn]] void failed(const std::string& what, const fs::path& file) {
  throw Error(fmt::format("cannot {} the journal {}: {}", what, file.string(), std::strerror(errno)));
}

void raise(std::map<AgentId, std::uint64_t>& last, AgentId originator, std::uint64_t number) {
  std::uint64_t& known = last[originator];
  known = std::max(known, number);
}

// Writes the names of new and renamed files to disk.
void sync_folder(const fs::path& folder) {
  const int handle = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (handle < 0) failed("sync", folder);
  fsync(handle);
  close(handle);
}

}  // namespace

std::map<AgentId, std::uint64_t> numbers_in(std::span<const std::byte> bytes) {
  std::map<AgentId, std::uint64_t> last;
  while (!bytes.empty()) {
    io::CodedInputStream in(reinterpret_cast<const std::uint8_t*>(bytes.data()),
                            static_cast<int>(bytes.size()));
    std::uint64_t size = 0;
    // After a power failure a file may end in an incomplete entry, or in zeros.
    if (!in.ReadVarint64(&size) && bytes.size() < 10) return last;
    const auto at = static_cast<std::size_t>(in.CurrentPosition());
    if (size > bytes.size() - at && size < 4096) return last;
    if (std::ranges::all_of(bytes, [](std::byte b) { return b == std::byte{0}; })) return last;
    journal::Entry entry;
    journal::Record record;
    if (size > bytes.size() - at || !entry.ParseFromArray(bytes.data() + at, static_cast<int>(size)) ||
        !is_whole(entry, size) || entry.check() != check_of(entry.record()) ||
        !record.ParseFromString(entry.record()))
      throw Error(fmt::format("it is damaged {} bytes before its end", bytes.size()));
    check_format("this agent's journal", record.format(), journal_format);
    if (record.has_begun()) raise(last, record.begun().originator(), record.begun().number());
    bytes = bytes.subspan(at + size);
  }
  return last;
}

std::map<AgentId, std::uint64_t> read_journal(const fs::path& folder) {
  std::map<AgentId, std::uint64_t> last;
  for (const char* name :
       {"journal", "journal.old", "journal.new"}) {  // after a crash in rotate(), any may be the newest
    const fs::path file = folder / name;
    std::ifstream in(file, std::ios::binary);
    if (!in) continue;
    const std::string text(std::istreambuf_iterator<char>(in), {});
    try {
      for (const auto& [originator, number] : numbers_in(std::as_bytes(std::span(text))))
        raise(last, originator, number);
    } catch (const NewerFormat&) {
      throw;  // the file must stay unchanged
    } catch (const Error& e) {
      throw Error(
          fmt::format("the journal {} cannot be used: {}. It prevents this agent from answering twice in "
                      "one run. Restart all other agents; then the file may be removed.",
                      file.string(), e.what()));
    }
  }
  return last;
}

Journal::Journal(fs::path folder, std::size_t most_bytes)
    : folder_(std::move(folder)), most_bytes_(most_bytes) {
  std::error_code error;
  fs::create_directories(folder_, error);
  lock_ = open(file("lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (lock_ < 0) failed("open", file("lock"));
  if (flock(lock_, LOCK_EX | LOCK_NB) != 0) {
    close(lock_);
    throw Error(fmt::format(
        "the journal {} is in use by another process. Stop that process, or give each agent its own folder.",
        folder_.string()));
  }
  try {
    last_ = read_journal(folder_);
  } catch (...) {
    close(lock_);
    throw;
  }
  try {
    rotate();
  } catch (const Error&) {
    // On a full disk the agent runs on: begin() tries again, and refuses the run with the reason.
  }
}

Journal::~Journal() {
  close(out_);
  close(lock_);
}

std::uint64_t Journal::last_of(AgentId originator) const {
  const std::lock_guard lock(guard_);
  const auto at = last_.find(originator);
  return at == last_.end() ? 0 : at->second;
}

void Journal::begin(const Name& run, AgentId originator, std::uint64_t number) {
  const std::lock_guard lock(guard_);
  if (const auto at = last_.find(originator); at != last_.end() && number <= at->second)
    throw Error(
        fmt::format("run {} of agent {} has number {}, but this agent has already begun number {}: it may be "
                    "a replay of an old run",
                    short_name(run), originator, number, at->second));
  if (out_ < 0 || size_ > most_bytes_) rotate();
  append(entry_of(begun(run, originator, number)));
  if (fdatasync(out_) != 0) failed("sync", file("journal"));
  last_[originator] = number;
  run_ = run;
  labels_.clear();
}

void Journal::sending(AgentId to, const Tag& tag, std::span<const std::byte> bytes) {
  const std::lock_guard lock(guard_);
  if (!run_) throw Error("a message cannot be sent outside a run");
  const Digest digest = digest_of({bytes});
  if (!labels_.empty()) {
    const std::uint32_t newest = labels_.rbegin()->first.first.run;
    if (tag.run + 1 < newest)
      throw Error(fmt::format("a message of a finished execution cannot be sent: {}", to_string(tag)));
    while (!labels_.empty() && labels_.begin()->first.first.run + 1 < std::max(newest, tag.run))
      labels_.erase(labels_.begin());
  }
  const auto [known, fresh] = labels_.try_emplace({tag, to}, digest);
  if (!fresh) {
    if (known->second == digest) return;
    throw Error(fmt::format("refused to send agent {} two different messages under one label: {}", to,
                            to_string(tag)));
  }
  journal::Record record;
  journal::Sent& sent = *record.mutable_sent();
  sent.set_run(to_field(*run_));
  sent.set_to(to);
  sent.set_execution(tag.run);
  sent.set_round(tag.round);
  sent.set_about(tag.about);
  sent.set_step(static_cast<std::uint32_t>(tag.step));
  sent.set_digest(digest.data(), digest.size());
  if (out_ < 0 || size_ > most_bytes_) rotate();
  append(entry_of(record));
}

void Journal::append(const std::string& entry) {
  for (std::size_t done = 0; done < entry.size();) {
    const ssize_t written = write(out_, entry.data() + done, entry.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      const int reason = errno;
      // A later entry must not follow a part of this one.
      if (ftruncate(out_, static_cast<off_t>(size_)) != 0) close(std::exchange(out_, -1));
      errno = reason;
      failed("write", file("journal"));
    }
    done += static_cast<std::size_t>(written);
  }
  size_ += entry.size();
}

// Replaces the current file by a new one with only the numbers. The old file is kept until the next rotation.
// After an error no file is open, and the next call tries again.
void Journal::rotate() {
  try {
    replace_file();
  } catch (const Error&) {
    if (out_ >= 0) close(std::exchange(out_, -1));
    throw;
  }
}

void Journal::replace_file() {
  const int old = std::exchange(
      out_, open(file("journal.new").c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0600));
  if (out_ < 0) failed("write", file("journal.new"));
  if (old >= 0) close(old);
  size_ = 0;
  for (const auto& [originator, number] : last_) append(entry_of(begun({}, originator, number)));
  if (fsync(out_) != 0) failed("sync", file("journal.new"));
  std::error_code none;  // there may be no current file
  fs::rename(file("journal"), file("journal.old"), none);
  if (std::rename(file("journal.new").c_str(), file("journal").c_str()) != 0)
    failed("rename", file("journal.new"));
  sync_folder(folder_);
}

}  // namespace tacit
