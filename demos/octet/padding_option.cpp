#include "padding_option.hpp"
import cli11;
import octet.standard;
import octet;

namespace program {

namespace {

namespace data = octet::data;
using Kind = data::Padding::Kind;

struct Policy {
  const char* name;
  std::size_t least, most;  // numbers that it takes
  const char* numbers;
  Kind kind;
};
constexpr std::size_t any = std::numeric_limits<std::size_t>::max();
constexpr Policy policies[] = {{"max_length", 0, 0, "", Kind::max_length},
                               {"longest", 0, 0, "", Kind::longest},
                               {"multiple_of", 1, 1, ":N", Kind::multiple_of},
                               {"doubling_then_linear", 2, 2, ":BOUND,STEP", Kind::doubling_then_linear},
                               {"lengths", 1, any, ":N,N,...", Kind::lengths}};

std::string joined(const std::vector<std::int64_t>& numbers) {
  std::string text;
  for (const std::int64_t number : numbers) text += (text.empty() ? "" : ",") + std::to_string(number);
  return text;
}

/// Whole numbers of at least 1; nothing where one is none.
std::optional<std::vector<std::int64_t>> numbers_of(const std::string& text) {
  std::vector<std::int64_t> numbers;
  for (const std::string& part : CLI::detail::split(text, ','))
    if (!CLI::detail::lexical_cast(part, numbers.emplace_back()) || numbers.back() < 1) return std::nullopt;
  return numbers;
}

[[noreturn]] void refuse(const std::string& sentence) { throw CLI::ValidationError("--padding", sentence); }

}  // namespace

std::string words_of(const PaddingChoice& choice) {
  if (choice.fitted > 0) return "fitted:" + std::to_string(choice.fitted);
  const data::Padding& padding = choice.padding;
  for (const Policy& policy : policies)
    if (policy.kind == padding.kind)
      return policy.name + (policy.most == 0                    ? ""
                            : padding.kind == Kind::multiple_of ? ":" + std::to_string(padding.multiple)
                                                                : ":" + joined(padding.lengths));
  return {};
}

PaddingChoice padding_of(const std::string& words, bool may_be_fitted) {
  const auto colon = words.find(':');
  const std::string name = words.substr(0, colon);
  const auto numbers = colon == words.npos ? std::vector<std::int64_t>{} : numbers_of(words.substr(colon + 1));
  if (numbers)
    for (const Policy& policy : policies)
      if (policy.name == name && numbers->size() >= policy.least && numbers->size() <= policy.most)
        return {{.kind = policy.kind,
                 .multiple = policy.kind == Kind::multiple_of ? numbers->front() : data::Padding{}.multiple,
                 .lengths = policy.kind == Kind::multiple_of ? std::vector<std::int64_t>{} : *numbers}};
  if (numbers && name == "fitted" && numbers->size() == 1) {
    if (may_be_fitted) return {data::pad_to_longest(), numbers->front()};
    refuse(
        "lengths are fitted where those of all batches are known: octet train --text, octet check --text or --lengths; "
        "choose " +
        padding_words(false));
  }
  if (const auto bare = numbers_of(words); bare && !bare->empty())
    refuse("'" + words + "' is written --padding " + (bare->size() == 1 ? "multiple_of:" : "lengths:") + joined(*bare));
  refuse("'" + words + "' is not " + padding_words(may_be_fitted));
}

std::string padding_words(bool may_be_fitted) {
  std::string text;
  for (const Policy& policy : policies)
    text += (text.empty()                                        ? ""
             : !may_be_fitted && policy.kind == policies[4].kind ? " or "
                                                                 : ", ") +
            std::string{policy.name} + policy.numbers;
  return text + (may_be_fitted ? " or fitted:N" : "");
}

void refuse_padding_by_other_names(CLI::App* app) {
  const auto now = [app](const char* name, std::function<std::string(const std::string&)> words) {
    app->add_option_function<std::string>(
           name,
           [name, words](const std::string& given) {
             throw CLI::ValidationError(name, "is written --padding " + words(given));
           },
           "")
        ->group("");
  };
  now("--buckets", [](const std::string& given) { return "lengths:" + given; });
  now("--pad-to-multiple-of", [](const std::string& given) { return "multiple_of:" + given; });
  app->add_flag_callback(
         "--pad-to-max-length",
         [] { throw CLI::ValidationError("--pad-to-max-length", "is written --padding max_length"); }, "")
      ->group("");
}

}  // namespace program
