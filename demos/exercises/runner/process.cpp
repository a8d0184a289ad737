#include "process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>

namespace exercises {

namespace {

volatile std::sig_atomic_t was_interrupted = 0;

void note_interruption(int) { was_interrupted = 1; }

}  // namespace

void catch_interruptions() {
  struct sigaction action{};
  action.sa_handler = note_interruption;  // without SA_RESTART: what waits wakes up
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaction(signal, &action, nullptr);
}

bool interrupted() { return was_interrupted != 0; }

Finished run_program(const std::vector<std::string>& command, double seconds) {
  Finished finished;
  int ends[2];
  if (pipe(ends) != 0) return finished;
  std::vector<char*> arguments;
  for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    setpgid(0, 0);
    if (const int nothing = open("/dev/null", O_RDONLY); nothing >= 0) dup2(nothing, 0);
    dup2(ends[1], 1);
    dup2(ends[1], 2);
    close(ends[0]);
    close(ends[1]);
    execv(arguments[0], arguments.data());
    _exit(127);
  }
  close(ends[1]);
  if (child < 0) {
    close(ends[0]);
    return finished;
  }
  setpgid(child, child);

  using Clock = std::chrono::steady_clock;
  const auto limit = Clock::now() + std::chrono::duration<double>(seconds);
  bool killed = false;
  while (true) {
    if (!killed && (Clock::now() >= limit || interrupted())) {
      finished.too_long = !interrupted();
      kill(-child, SIGKILL);
      killed = true;
    }
    pollfd waiting{ends[0], POLLIN, 0};
    if (poll(&waiting, 1, 50) <= 0) continue;
    char bytes[4096];
    const ssize_t count = read(ends[0], bytes, sizeof bytes);
    if (count < 0) continue;
    if (count == 0) break;
    if (finished.output.size() < (1u << 20)) finished.output.append(bytes, static_cast<std::size_t>(count));
  }
  close(ends[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return finished;
  finished.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return finished;
}

}  // namespace exercises
