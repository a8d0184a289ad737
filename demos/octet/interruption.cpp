#include "interruption.hpp"

#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#ifdef __EMSCRIPTEN_PTHREADS__
#include <emscripten.h>
#endif

namespace program {

namespace {

// A signal handler is a function without a context, so what it sets has to be global.
std::atomic<int> received{0};
static_assert(std::atomic<int>::is_always_lock_free);

#ifdef __EMSCRIPTEN_PTHREADS__
// WebAssembly gets no signals: node does, on the thread that main does not run on.
void listen() {
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpedantic"
  // clang-format off
  MAIN_THREAD_EM_ASM({
    if (typeof process != 'object') return;  // a browser sends none
    function heard(number) {
      if (Atomics.compareExchange(HEAP32, $0 >> 2, 0, number) && number != 1) process.exit(128 + number);
    }
    process.on('SIGINT', function() { heard(2); });
    process.on('SIGTERM', function() { heard(15); });
    process.on('SIGHUP', function() { heard(1); });
  }, &received);
  // clang-format on
#pragma clang diagnostic pop
}
#else
extern "C" void remember_signal(int signal) {
  int none = 0;
  if (!received.compare_exchange_strong(none, signal)) {
    // Of a terminal that is closed, a shell and the system both tell, one after the other.
    if (signal == SIGHUP) return;
    _exit(128 + signal);
  }
  constexpr char said[] = "\nStopping where nothing is lost; once more ends at once.\n";
  const int error = errno;
  if (isatty(STDERR_FILENO)) static_cast<void>(!write(STDERR_FILENO, said, sizeof said - 1));
  errno = error;
}

void set_handler(void (*handler)(int), int flags) {
  struct sigaction action = {};
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  action.sa_flags = flags;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction before = {};
    sigaction(signal, nullptr, &before);
    // Under nohup, a terminal that is closed is nothing to hear of; nor is Ctrl-C for a script's job in the background.
    if (before.sa_handler != SIG_IGN) sigaction(signal, &action, nullptr);
  }
}
#endif

}  // namespace

#ifdef __EMSCRIPTEN_PTHREADS__
Interruption::Interruption(Waiting) { listen(); }
Interruption::~Interruption() = default;
#else
Interruption::Interruption(Waiting waiting) {
  set_handler(remember_signal, waiting == Waiting::goes_on ? SA_RESTART : 0);
  // Who reads standard output may have ended, by the same Ctrl-C too: what is being made is saved all the same.
  ::signal(SIGPIPE, SIG_IGN);
}
Interruption::~Interruption() {
  set_handler(SIG_DFL, SA_RESTART);
  ::signal(SIGPIPE, SIG_DFL);
}
#endif

int Interruption::signal() const { return received; }

const char* Interruption::name() const { return received == 1 ? "SIGHUP" : received == 2 ? "SIGINT" : "SIGTERM"; }

}  // namespace program
