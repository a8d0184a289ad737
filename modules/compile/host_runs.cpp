module octet.compile;
import octet.base;
import octet.standard;
import :host_runs;

namespace octet {

namespace {

// The scopes in force: a lexical fact about calls in progress, which no result outlives. Not thread_local, as in
// octet.trace; a run looks no further than at the count while there is none.
std::atomic<int> open{0};
std::mutex mutex;
std::vector<std::pair<std::thread::id, HostRuns*>> scopes;

}  // namespace

HostRuns::HostRuns() {
  const std::lock_guard lock{mutex};
  scopes.emplace_back(std::this_thread::get_id(), this);
  ++open;
}

HostRuns::~HostRuns() {
  const std::lock_guard lock{mutex};
  std::erase(scopes, std::pair{std::this_thread::get_id(), this});
  --open;
}

void note_run(const std::string& function, const std::vector<Tensor>& results) {
  if (open == 0) return;
  const std::lock_guard lock{mutex};
  for (auto scope = scopes.rbegin(); scope != scopes.rend(); ++scope) {
    if (scope->first != std::this_thread::get_id()) continue;
    HostRuns& runs = *scope->second;
    if (std::ranges::count(runs.functions, function) == 0) runs.functions.push_back(function);
    runs.results.insert(runs.results.end(), results.begin(), results.end());
    return;
  }
}

void note_run(const std::string& function, const std::vector<std::vector<Tensor>>& results) {
  for (const std::vector<Tensor>& own : results) note_run(function, own);
}

}  // namespace octet
