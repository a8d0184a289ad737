// A run that compiled in nearly every step, replayed on the real cache: as pytorch/xla's issue 3356 tells of a RoBERTa,
// 429 compiles in 493 steps. The lengths are made up, so that their number is the story's. web/src/workshop/story.ts
// gives the objects their types.
#include "crossing.hpp"
#include "policies.hpp"
import octet.standard;
import octet;

namespace {

using crossing::number;
using crossing::take;
using crossing::val;
using octet::Array;

constexpr std::size_t steps = 493, different = 429;
constexpr std::int64_t rows = 4, shortest = 17, longest = 512;

/// The longest row of each step's batch: 429 different lengths in an order that looks like none, and 64 that were there
/// before.
std::vector<std::int64_t> stream() {
  std::uint32_t state = 3356;
  const auto below = [&](std::size_t n) {
    state = state * 1664525u + 1013904223u;
    return static_cast<std::size_t>((static_cast<std::uint64_t>(state) * n) >> 32);
  };
  std::vector<std::int64_t> fresh;
  for (std::int64_t length = shortest; length <= longest; ++length) fresh.push_back(length);
  for (std::size_t i = fresh.size(); i-- > 1;) std::swap(fresh[i], fresh[below(i + 1)]);
  std::vector<std::int64_t> result;
  std::size_t taken = 0, again = 0;
  while (result.size() < steps) {
    const bool repeat =
        taken == different || (again < steps - different && taken > 8 && below(steps) < steps - different);
    if (repeat)
      result.push_back(result[below(result.size())]);
    else
      result.push_back(fresh[taken++]);
    again += repeat;
  }
  // What is missing of the different ones takes the place of the last repetitions.
  for (std::size_t i = result.size(); taken < different && i-- > 0;)
    if (std::find(result.begin(), result.begin() + static_cast<std::ptrdiff_t>(i), result[i]) !=
        result.begin() + static_cast<std::ptrdiff_t>(i))
      result[i] = fresh[taken++];
  return result;
}

/// The mean of the tokens' squares, with the padding weighed by nothing: all that the story needs of a model.
Array loss(const Array& src_tokens, const Array& mask) {
  return octet::sum(octet::square(src_tokens) * mask) / octet::sum(mask);
}

octet::BucketPolicy chosen(const val& policy, const std::vector<std::int64_t>& lengths, std::size_t from) {
  // Fitted to what the run had seen by then; the model's own limit must find a bucket too.
  std::vector<std::int64_t> seen(lengths.begin(),
                                 lengths.begin() + static_cast<std::ptrdiff_t>(std::max<std::size_t>(from, 40)));
  seen.push_back(longest);
  return policies::policy_of(
      policy, octet::length_histogram(seen),
      {.compile_seconds = 30, .seconds_per_element = 0.001, .repetitions = 400.0 / static_cast<double>(seen.size())});
}

/// `{from, policy}` → the steps from there on: `{length, extent, compiled, text}` each, the alarm, what explain() says
/// at the end.
val replay(const val& request) {
  std::size_t from = 0;
  take(request, "from", from);
  from = std::min(from, steps - 1);
  const std::vector<std::int64_t> lengths = stream();
  const octet::BucketPolicy policy = chosen(request["policy"], lengths, from);

  std::vector<std::string> events;
  std::optional<octet::Diagnostic> alarm;
  std::size_t alarmed_at = 0, step = from;
  const auto function =
      octet::jit(loss, {.buckets = {{"src_tokens", 1, policy}, {"mask", 1, policy}},
                        .argument_names = {"src_tokens", "mask"},
                        .max_programs = 512,
                        .on_compile = [&](const octet::CompileEvent& event) { events.push_back(event.text()); },
                        .on_alarm =
                            [&](const octet::Diagnostic& diagnostic) {
                              alarm = diagnostic;
                              alarmed_at = step;
                            },
                        .name = "train_step"});
  val list = val::array();
  for (; step < steps; ++step) {
    const octet::Shape shape{rows, lengths[step]};
    events.clear();
    function(octet::Tensor::full(shape, 1.0f), octet::Tensor::full(shape, 1.0f));
    val object = val::object();
    object.set("length", number(lengths[step]));
    object.set("extent", number(policy.bucket(lengths[step])));
    object.set("compiled", !events.empty());
    object.set("text", events.empty() ? std::string{} : events.back());
    list.set(static_cast<unsigned>(step - from), object);
  }
  val answer = val::object();
  answer.set("steps", list);
  answer.set("policy", octet::to_string(policy));
  answer.set("padding_share", function.statistics().elements.share());
  answer.set("explanation", function.explain());
  answer.set("alarm",
             alarm ? crossing::diagnostic(octet::Error{std::vector<octet::Diagnostic>{*alarm}}.diagnostics().front())
                   : val::null());
  answer.set("alarmed_at", number(static_cast<std::int64_t>(alarmed_at)));
  return answer;
}

const crossing::Functions functions{{"replay", replay}};

}  // namespace
