// tacit simulate --stream: bitwise the same answer, a scratch file without a name, and less memory.
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "diabetes_testing.hpp"
#include "refused_testing.hpp"

namespace tacit::testing {
namespace {

// Returns the results without the times and the command, which differ between runs.
Json answer(std::vector<std::string> arguments, bool stream) {
  if (stream) arguments.emplace_back("--stream");
  Json json = run_json(std::move(arguments));
  json.erase("about");
  json.erase("seconds");
  json["traffic"].erase("computing_seconds");
  return json;
}

void expect_same(const std::vector<std::string>& arguments) {
  const Json here = answer(arguments, false), there = answer(arguments, true);
  EXPECT_EQ(here, there) << Json::diff(here, there).dump(1).substr(0, 2000);
}

TEST(Stream, GivesTheSameAnswerToTheBit) {
  expect_same({"simulate", "--data", diabetes, "--target", "y", "--expert-rows", "15", "--holdout", "0.3",
               "--all-agents", "--tune-evaluations", "5"});
  expect_same({"simulate", "--data", diabetes, "--target", "y,bmi", "--categorical", "sex", "--split",
               "shuffled", "--agents", "5", "--expert-rows", "20", "--landmarks", "0", "--tune-evaluations",
               "3"});
  expect_same({"simulate", "--data", diabetes, "--target", "y", "--paper", "--standardise", "private"});
}

TEST(Stream, RefusesWhatNeedsAllRows) {
  const auto refused = [](std::vector<std::string> more, const std::string& words) {
    more.insert(more.begin(), {"simulate", "--data", diabetes, "--target", "y", "--stream"});
    check_refused(run_tacit(std::move(more)), {words, "--stream"});
  };
  refused({"--split", "regions"}, "--split regions");
  refused({"--expert-split", "clusters"}, "--expert-split clusters");
  refused({"--tune", "paper"}, "--tune paper");
  refused({"--scratch", "/nowhere"}, "/nowhere: no scratch file can be created");
}

// Runs a shell command in a child process and measures its peak memory.
struct Limited {
  int status = 0;
  long most_kilobytes = 0;
};
Limited run_limited(const std::string& command) {
  const pid_t child = fork();
  if (child == 0) {
    execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
    _exit(127);
  }
  Limited result;
  rusage used{};
  wait4(child, &result.status, 0, &used);
  result.most_kilobytes = used.ru_maxrss;
  return result;
}

std::string write_rows(const Folder& folder, std::size_t rows) {
  std::string path = folder.path("rows.csv");
  std::ofstream out(path);
  out << "a,b,c,d,e,f,g,h,i,j,k,y\n";
  for (std::size_t r = 0; r < rows; ++r)
    out << r % 7 << ',' << r % 11 << ',' << r % 13 << ',' << r % 17 << ',' << r % 3 << ',' << r % 5 << ','
        << r % 19 << ',' << r % 23 << ',' << r % 29 << ',' << r % 31 << ',' << r % 37 << ',' << r % 41
        << '\n';
  return path;
}

// Returns a shell command: output and errors go to a file, and limits of the shell apply to the program.
std::string simulate(const Folder& folder, const std::string& data, const std::string& more) {
  return "exec " TACIT_BINARY_DIR "/tacit simulate --data " + data + " --target y --paper --protocol exact " +
         "--noise 1 --lengthscale 5 --signal 20 --agents 2 --test-fraction 0.00001 --expert-rows 20 --json " +
         more + " > " + folder.path("output") + " 2>&1";
}

TEST(Stream, SaysWhenTheScratchFileCannotGrow) {
  const Folder folder;
  const std::string data = write_rows(folder, 30'000);
  const Limited full = run_limited("trap '' XFSZ; ulimit -f 2000; " + simulate(folder, data, "--stream"));
  ASSERT_TRUE(WIFEXITED(full.status));
  EXPECT_EQ(WEXITSTATUS(full.status), 2);
  const std::string text = content(folder.path("output"));
  EXPECT_TRUE(contains(text, "the scratch file cannot grow")) << text;
  EXPECT_TRUE(contains(text, " bytes")) << text;
}

TEST(Stream, LeavesNothingBehindWhenItIsKilled) {
  const Folder folder;
  const std::string scratch = folder.path("scratch");
  std::filesystem::create_directory(scratch);
  ASSERT_EQ(mkfifo(folder.path("rows.csv").c_str(), 0600), 0);
  const pid_t child = fork();
  if (child == 0) {
    execl("/bin/sh", "sh", "-c",
          simulate(folder, folder.path("rows.csv"), "--stream --scratch " + scratch).c_str(), nullptr);
    _exit(127);
  }
  // More than the capacity of the pipe is written, so the program has read rows and the scratch file is open.
  const int pipe = open(folder.path("rows.csv").c_str(), O_RDWR | O_NONBLOCK);
  std::string text = "x,y\n";
  for (int r = 0; r < 100'000; ++r) text += "1,2\n";
  int status = 0;
  for (std::size_t done = 0; done < text.size() && waitpid(child, &status, WNOHANG) == 0;) {
    const ssize_t more = write(pipe, text.data() + done, text.size() - done);
    pollfd room{pipe, POLLOUT, 0};
    if (more > 0)
      done += static_cast<std::size_t>(more);
    else
      poll(&room, 1, 100);
  }
  EXPECT_TRUE(std::filesystem::is_empty(scratch));
  ASSERT_EQ(kill(child, SIGKILL), 0) << content(folder.path("output"));
  waitpid(child, &status, 0);
  close(pipe);
  EXPECT_TRUE(WIFSIGNALED(status)) << content(folder.path("output"));
  EXPECT_TRUE(std::filesystem::is_empty(scratch));
}

#ifndef TACIT_SANITIZED  // sanitizers keep freed memory
TEST(Stream, TakesLessMemoryThanTheRows) {
  const Folder folder;
  constexpr long rows = 200'000, kilobytes = rows * 12 * 8 / 1024;
  const std::string data = write_rows(folder, rows);
  const Limited here = run_limited(simulate(folder, data, ""));
  const std::string first = content(folder.path("output"));
  const Limited streamed = run_limited(simulate(folder, data, "--stream"));
  ASSERT_EQ(here.status, 0) << first;
  ASSERT_EQ(streamed.status, 0) << content(folder.path("output"));
  EXPECT_LT(streamed.most_kilobytes, here.most_kilobytes - 3 * kilobytes / 4);
  EXPECT_EQ(Json::parse(first)["predictions"], Json::parse(content(folder.path("output")))["predictions"]);
}
#endif

}  // namespace
}  // namespace tacit::testing
