#include "command.hpp"

#include "losses.hpp"
#include "messages.hpp"
import octet.standard;
import octet;

namespace program {

namespace {

std::optional<std::int64_t> number_of(std::string_view digits) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (digits.empty() || error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  return number;
}

/// How many of the replicas are lost in a step.
std::int64_t lost_in(std::int64_t step, const std::vector<Loss>& losses, std::int64_t replicas) {
  std::set<std::int64_t> lost;
  for (const Loss& loss : losses) {
    if (loss.step != step) continue;
    if (!loss.replica) return replicas;
    lost.insert(*loss.replica);
  }
  return static_cast<std::int64_t>(lost.size());
}

}  // namespace

bool leaves_nothing(const std::vector<Loss>& losses, const octet::train::TrainOptions& options) {
  // With shares of the optimizer's state, nobody else has what is lost.
  if (options.shard_optimizer) return !losses.empty();
  const std::int64_t replicas = octet::tpu::slice(options.slice).replicas;
  return std::ranges::any_of(losses,
                             [&](const Loss& loss) { return lost_in(loss.step, losses, replicas) == replicas; });
}

std::vector<Loss> losses_of(const std::vector<std::string>& given, const octet::train::TrainOptions& options,
                            std::int64_t done, bool saved) {
  std::vector<Loss> losses;
  const std::int64_t replicas = octet::tpu::slice(options.slice).replicas;
  for (const std::string& text : given) {
    const auto at = text.find('@');
    const std::string who = text.substr(0, at);
    const auto replica = number_of(who);
    const auto step = at == text.npos ? std::nullopt : number_of(std::string_view{text}.substr(at + 1));
    if (!step || (!replica && who != "all"))
      refuse_option("--lose " + text + " is not REPLICA@STEP or all@STEP.", "write it as 3@120 or all@120");
    if (replica && (*replica < 0 || *replica >= replicas))
      refuse_option("--lose " + text + " names a replica that " + options.slice + " does not have.",
                    "name one of 0 to " + std::to_string(replicas - 1) + ", or all");
    if (done >= options.steps)
      refuse_option("--lose " + text + " names a step of a run that is finished.", "leave --lose out");
    if (*step <= done || *step > options.steps)
      refuse_option("--lose " + text + " names a step that the run does not have before it.",
                    "name one of " + std::to_string(done + 1) +
                        (options.steps == unknown_steps ? " or more" : " to " + std::to_string(options.steps)));
    losses.push_back({replica, *step});
    if (!saved && leaves_nothing(losses, options))
      refuse_option("--lose " + text + " leaves no replica that holds all of the state, and nothing is saved.",
                    "save the run: --out DIR");
  }
  std::sort(losses.begin(), losses.end(), [](const Loss& a, const Loss& b) {
    return a.step != b.step ? a.step < b.step : a.replica.value_or(-1) < b.replica.value_or(-1);
  });
  // What is lost in a step is lost once, and with all replicas each of them.
  const auto [twice, end] = std::ranges::unique(
      losses, [](const Loss& a, const Loss& b) { return a.step == b.step && (!a.replica || a.replica == b.replica); });
  losses.erase(twice, end);
  return losses;
}

std::string command_line_of(const std::vector<Loss>& losses) {
  std::string line;
  for (const Loss& loss : losses)
    line += " --lose " + (loss.replica ? std::to_string(*loss.replica) : "all") + "@" + std::to_string(loss.step);
  return line;
}

}  // namespace program
