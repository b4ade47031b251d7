#include "tacit/base/system/listen_fault.hpp"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <linux/capability.h>
#include <sched.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tacit {
namespace {

// A socket that listens on a free port of 127.0.0.1.
class Taken {
 public:
  Taken() {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    EXPECT_EQ(::bind(handle_, reinterpret_cast<sockaddr*>(&address), size), 0);
    EXPECT_EQ(::listen(handle_, 1), 0);
    ::getsockname(handle_, reinterpret_cast<sockaddr*>(&address), &size);
    port = std::to_string(ntohs(address.sin_port));
  }
  ~Taken() { ::close(handle_); }
  Taken(const Taken&) = delete;
  std::string port;

 private:
  const int handle_ = ::socket(AF_INET, SOCK_STREAM, 0);
};

TEST(ListenFault, NamesATakenPortUntilItIsFree) {
  std::string port;
  {
    const Taken taken;
    port = taken.port;
    EXPECT_EQ(listen_fault("127.0.0.1", port),
              "another program uses the port; stop that program, or choose another port");
    EXPECT_NE(listen_fault("0.0.0.0", port), "");
    EXPECT_NE(listen_fault("localhost", port), "");
  }
  EXPECT_EQ(listen_fault("127.0.0.1", port), "");
  EXPECT_EQ(listen_fault("127.0.0.1", port), "");  // the check leaves it free
}

TEST(ListenFault, NamesAnAddressOfAnotherMachine) {
  EXPECT_EQ(listen_fault("192.0.2.1", "7501"), "this machine does not have the address; correct it");
  EXPECT_NE(listen_fault("no-such-host.invalid", "7501").find("cannot be resolved"), std::string::npos);
  EXPECT_FALSE(is_of_this_machine("192.0.2.1"));
  EXPECT_FALSE(is_of_this_machine("no-such-host.invalid"));
  EXPECT_TRUE(is_of_this_machine("127.0.0.1"));
}

// A process without the right to use low ports, in a network of its own where these need it.
TEST(ListenFault, NamesAPortThatNeedsARight) {
  const pid_t child = ::fork();
  if (child == 0) {
    if (::unshare(CLONE_NEWNET) != 0) ::_exit(77);
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    __user_cap_data_struct none[2] = {};
    if (::syscall(SYS_capset, &header, none) != 0) ::_exit(77);
    ::_exit(listen_fault("0.0.0.0", "80") == "this user may not use a port below 1024; choose a higher port"
                ? 0
                : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  if (WEXITSTATUS(status) == 77) GTEST_SKIP() << "this user cannot create a network namespace";
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace tacit
