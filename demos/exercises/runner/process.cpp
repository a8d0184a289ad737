#include "process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

namespace exercises {

namespace {

constexpr std::size_t most_of_facts = 1u << 20;

volatile std::sig_atomic_t was_interrupted = 0;

void note_interruption(int) { was_interrupted = 1; }

/// Of the child, which becomes the program; `output` and `facts` are where it writes.
[[noreturn]] void become(const std::vector<char*>& arguments, const Limits& limits, int output, int facts) {
  setpgid(0, 0);
  if (const int nothing = open("/dev/null", O_RDONLY); nothing >= 0) dup2(nothing, 0);
  dup2(output, 1);
  dup2(output, 2);
  fcntl(facts, F_SETFD, 0);  // stays open in the program
  setenv("OCTET_FACTS", std::to_string(facts).c_str(), 1);
  if (limits.bytes > 0) {
    const rlimit most{limits.bytes, limits.bytes};
    setrlimit(RLIMIT_DATA, &most);
  }
  if (limits.processor_seconds > 0) {
    const rlimit most{limits.processor_seconds, limits.processor_seconds + 1};  // the first is told, the last ends it
    setrlimit(RLIMIT_CPU, &most);
  }
  execv(arguments[0], arguments.data());
  _exit(127);
}

/// A pipe that programs do not inherit.
struct Pipe {
  int ends[2] = {-1, -1};
  bool made = pipe2(ends, O_CLOEXEC) == 0;
  Pipe() = default;
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    close_end(0);
    close_end(1);
  }
  void close_end(int which) {
    if (ends[which] >= 0) close(std::exchange(ends[which], -1));
  }
};

/// Ends a program and what it started, the harder the later: ninja, asked to end, ends the compilers that it started,
/// each of which has a group of its own.
class Ending {
 public:
  using Clock = std::chrono::steady_clock;
  void at(Clock::time_point now, pid_t group) {
    constexpr std::chrono::seconds patience{2};
    if (!asked_) {
      kill(-group, SIGTERM);
      asked_ = now;
    } else if (now >= *asked_ + patience) {
      kill(-group, SIGKILL);
      killed_ = true;
    }
  }
  bool killed() const { return killed_; }

 private:
  std::optional<Clock::time_point> asked_;
  bool killed_ = false;
};

}  // namespace

void catch_interruptions() {
  struct sigaction action{};
  action.sa_handler = note_interruption;  // without SA_RESTART: what waits wakes up
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaction(signal, &action, nullptr);
}

bool interrupted() { return was_interrupted != 0; }

Finished run_program(const std::vector<std::string>& command, const Limits& limits) {
  Finished finished;
  Pipe output, facts;
  if (!output.made || !facts.made) return finished;
  std::vector<char*> arguments;
  for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  const pid_t child = fork();
  if (child == 0) become(arguments, limits, output.ends[1], facts.ends[1]);
  if (child < 0) return finished;
  setpgid(child, child);
  output.close_end(1);
  facts.close_end(1);

  const auto limit = Ending::Clock::now() + std::chrono::duration<double>(limits.seconds);
  Ending ending;
  pollfd waiting[] = {{output.ends[0], POLLIN, 0}, {facts.ends[0], POLLIN, 0}};
  int status = 0;
  while (true) {
    if (const auto now = Ending::Clock::now(); now >= limit || interrupted()) {
      finished.too_long = !interrupted();
      ending.at(now, child);
    }
    // It may close its outputs and go on; and what it started outside of its group may keep them open when it is gone.
    const bool is_heard = waiting[0].fd >= 0 || waiting[1].fd >= 0;
    if (!is_heard || ending.killed()) {
      const pid_t ended = waitpid(child, &status, WNOHANG);
      if (ended == child) break;
      if (ended < 0 && errno != EINTR) return finished;
    }
    if (poll(waiting, std::size(waiting), is_heard ? 50 : 5) <= 0) continue;
    for (pollfd& each : waiting) {
      if (each.fd < 0 || each.revents == 0) continue;
      char bytes[4096];
      const ssize_t count = read(each.fd, bytes, sizeof bytes);
      if (count == 0) each.fd = -1;  // poll passes over it
      if (count <= 0) continue;
      const std::string_view part{bytes, static_cast<std::size_t>(count)};
      if (&each == waiting)
        finished.output.append(part);
      else if (finished.facts.size() < most_of_facts)
        finished.facts += part;
    }
  }
  if (WIFEXITED(status)) finished.status = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) finished.signal = WTERMSIG(status);
  if (finished.signal == SIGXCPU) finished.too_long = true;
  return finished;
}

}  // namespace exercises
