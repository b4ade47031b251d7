// For tests: runs the built program as a user does and returns its output.
#pragma once

#include <arpa/inet.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "tacit/base/base_testing.hpp"

extern char** environ;

namespace tacit::testing {

struct Output {
  int exit_code = -1;
  std::string out, err;
};

inline bool contains(const std::string& text, const std::string& words) {
  return text.find(words) != std::string::npos;
}

/// A scratch folder with paths as strings, for command lines.
class Folder {
 public:
  std::string path(const std::string& name) const { return (own_.path / name).string(); }
  std::string write(const std::string& name, const std::string& text) const {
    return own_.write(name, text).string();
  }

 private:
  ScratchFolder own_;
};

/// Returns `count` different free ports of the loopback address.
inline std::vector<int> free_ports(std::size_t count) {
  std::vector<int> sockets, ports;
  for (std::size_t k = 0; k < count; ++k) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    sockets.push_back(socket(AF_INET, SOCK_STREAM, 0));
    bind(sockets.back(), reinterpret_cast<sockaddr*>(&address), size);
    getsockname(sockets.back(), reinterpret_cast<sockaddr*>(&address), &size);
    ports.push_back(ntohs(address.sin_port));
  }
  for (const int one : sockets) close(one);
  return ports;
}

/// Runs the program to its end. If `interrupt_after` is not 0, sends SIGINT after this many milliseconds, as
/// Ctrl-C does. Its standard input is the file `input`.
inline Output run_tacit(std::vector<std::string> arguments, int interrupt_after = 0,
                        const std::string& input = "/dev/null") {
  const Folder folder;
  const std::string out = folder.path("out"), err = folder.path("err");
  arguments.insert(arguments.begin(), TACIT_BINARY_DIR "/tacit");
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);

  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, input.c_str(), O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, out.c_str(), O_WRONLY | O_CREAT, 0600);
  posix_spawn_file_actions_addopen(&files, STDERR_FILENO, err.c_str(), O_WRONLY | O_CREAT, 0600);
  posix_spawnattr_t group;
  posix_spawnattr_init(&group);
  posix_spawnattr_setflags(&group, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&group, 0);
  pid_t child = 0;
  Output output;
  if (posix_spawn(&child, argv[0], &files, &group, argv.data(), environ) == 0) {
    if (interrupt_after > 0) {
      usleep(static_cast<useconds_t>(1000 * interrupt_after));
      kill(-child, SIGINT);  // the whole group, as a terminal does
    }
    int status = 0;
    waitpid(child, &status, 0);
    while (interrupt_after > 0 && kill(-child, 0) == 0) usleep(10'000);
    output.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  posix_spawnattr_destroy(&group);
  posix_spawn_file_actions_destroy(&files);
  output.out = content(out);
  output.err = content(err);
  return output;
}

}  // namespace tacit::testing
