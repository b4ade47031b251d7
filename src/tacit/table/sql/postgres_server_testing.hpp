// Starts a PostgreSQL server for one test, with its data and Unix socket in a scratch folder and with
// password authentication. The server ends with the test, even if the test is killed.
#pragma once

#include <fcntl.h>
#include <libpq-fe.h>
#include <pwd.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "tacit/base/base_testing.hpp"

namespace tacit::testing {

class PostgresServer {
 public:
  /// Returns the program folder of the newest installed server; empty if there is none.
  static std::filesystem::path programs() {
    std::filesystem::path newest;
    std::error_code none;
    for (const auto& version : std::filesystem::directory_iterator("/usr/lib/postgresql", none))
      if (std::filesystem::exists(version.path() / "bin/initdb", none) && version.path() / "bin" > newest)
        newest = version.path() / "bin";
    return newest;
  }

  PostgresServer() {
    folder_.write("password", owner_password() + "\n");
    own(folder_.path);
    own(folder_.path / "password");
    const std::string bin = programs().string(), data = (folder_.path / "data").string();
    int status = -1;
    waitpid(start({bin + "/initdb", "-D", data, "-A", "scram-sha-256", "-U", "owner", "--pwfile",
                   (folder_.path / "password").string(), "-E", "UTF8", "--no-locale", "--no-sync"}),
            &status, 0);
    if (status != 0) throw Error("initdb failed: " + output());
    server_ =
        start({bin + "/postgres", "-D", data, "-k", folder_.path.string(), "-c", "listen_addresses=", "-c",
               "fsync=off", "-c", "max_connections=10", "-c", "shared_buffers=16MB"});
    if (output("ready to accept connections").empty()) throw Error("the PostgreSQL server did not start");
  }
  ~PostgresServer() {
    if (server_ > 0) {
      kill(server_, SIGQUIT);
      waitpid(server_, nullptr, 0);
    }
    if (output_) std::fclose(output_);
  }
  PostgresServer(const PostgresServer&) = delete;
  PostgresServer& operator=(const PostgresServer&) = delete;

  static std::string owner_password() { return "it's a \\ canary"; }

  /// Returns a connection for a user, without a password; further options of libpq may be appended.
  std::string connection(const std::string& user = "owner", const std::string& database = "postgres") const {
    return "postgresql://" + user + "@/" + database + "?host=" + folder_.path.string();
  }

  /// Runs statements as the owner.
  void run(const std::string& statements) const {
    setenv("PGPASSWORD", owner_password().c_str(), 1);
    PGconn* owner = PQconnectdb(connection().c_str());
    unsetenv("PGPASSWORD");
    PGresult* result = PQexec(owner, statements.c_str());
    const ExecStatusType status = PQresultStatus(result);
    const std::string problem = PQerrorMessage(owner);
    PQclear(result);
    PQfinish(owner);
    if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK) throw Error(problem);
  }

 private:
  // The server refuses to run as root.
  static const passwd* other_user() {
    if (geteuid() != 0) return nullptr;
    const passwd* user = getpwnam("postgres");
    return user ? user : getpwnam("nobody");
  }
  static void own(const std::filesystem::path& path) {
    if (const passwd* user = other_user(); user && chown(path.c_str(), user->pw_uid, user->pw_gid) != 0)
      throw Error("chown failed");
  }

  // Starts a program that ends when this one does. Its output can be read by `output`.
  pid_t start(std::vector<std::string> words) {
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) throw Error("no pipe");
    const passwd* user = other_user();
    const pid_t child = fork();
    if (child == 0) {
      if (user && (setgid(user->pw_gid) != 0 || setuid(user->pw_uid) != 0)) _exit(127);
      prctl(PR_SET_PDEATHSIG, SIGQUIT);
      dup2(ends[1], STDOUT_FILENO);
      dup2(ends[1], STDERR_FILENO);
      if (chdir("/") == 0) execv(argv[0], argv.data());
      _exit(127);
    }
    close(ends[1]);
    if (output_) std::fclose(output_);
    output_ = fdopen(ends[0], "r");
    return child;
  }

  // Returns the program's output up to a line with these words, or all of it; empty if the words never
  // appear.
  std::string output(const std::string& words = "") {
    std::string all;
    char line[1000];
    while (std::fgets(line, sizeof line, output_)) {
      all += line;
      if (!words.empty() && all.find(words) != all.npos) return all;
    }
    return words.empty() ? all : "";
  }

  ScratchFolder folder_;
  pid_t server_ = 0;
  std::FILE* output_ = nullptr;
};

}  // namespace tacit::testing
