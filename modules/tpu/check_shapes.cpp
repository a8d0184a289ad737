/// Rule 3: how many programs the calls need, and which buckets would need fewer.
module octet.tpu;
import octet.base;
import octet.compile;
import octet.standard;
import :check;
import :check_lines;
import :readiness;

namespace octet {

namespace {

constexpr double few_programs = 8;
constexpr double few_calls = 8;  // fewer do not tell that most calls of a run compile

struct Counted {
  double programs = 0;
  double once = 0;  ///< programs that only one call needs
};

Counted count_programs(const std::vector<Signature>& calls) {
  std::map<std::string, int> uses;
  for (const Signature& call : calls) ++uses[to_string(call)];
  Counted result{.programs = static_cast<double>(uses.size())};
  for (const auto& [text, count] : uses) result.once += count == 1;
  return result;
}

/// Dimensions in which calls differ, under the shortest name that says no more.
std::vector<Bucket> varying(const std::vector<Signature>& calls) {
  std::map<std::pair<std::string, std::int64_t>, std::int64_t> largest;  // by array and dimension
  std::set<std::pair<std::string, std::int64_t>> differ;
  const Signature& first = calls.front();
  for (const Signature& call : calls) {
    if (call.names != first.names) continue;
    for (std::size_t i = 0; i < call.names.size(); ++i) {
      if (call.types[i].shape.rank() != first.types[i].shape.rank()) continue;
      for (std::int64_t d = 0; d < call.types[i].shape.rank(); ++d) {
        std::int64_t& most = largest[{call.names[i], d}];
        most = std::max(most, call.types[i].shape[d]);
        if (call.types[i].shape[d] != first.types[i].shape[d]) differ.insert({call.names[i], d});
      }
    }
  }
  std::map<std::pair<std::string, std::int64_t>, std::int64_t> result;
  for (const auto& [name, d] : differ) {
    const std::string argument = name.substr(0, name.find('.'));
    bool all = true;
    for (const auto& [other, extent] : largest)
      if (other.second == d && lies_below(other.first, argument)) all &= differ.contains(other);
    std::int64_t& most = result[{all ? argument : name, d}];
    most = std::max(most, largest[{name, d}]);
  }
  std::vector<Bucket> buckets;
  for (const auto& [where, most] : result)
    buckets.push_back({where.first, where.second, max_length(std::max<std::int64_t>(most, 1))});
  return buckets;
}

/// The most programs that calls as long as these can need, where each dimension that varies has buckets of which there
/// are few; arrays of one policy and one longest extent vary together.
std::optional<double> most_programs(const Checked& checked) {
  constexpr std::size_t many = 1 << 16;
  for (const Signature& call : checked.shares)
    for (const SignatureDifference& each : differences(call, checked.shares.front()))
      if (each.kind != SignatureDifference::Kind::extent) return std::nullopt;
  std::set<std::tuple<std::string, std::int64_t, std::int64_t>> counted_already;
  double most = 1;
  for (const Bucket& varied : varying(checked.shares)) {
    const auto& buckets = checked.options.jit.buckets;
    const auto bucket = std::find_if(buckets.begin(), buckets.end(), [&](const Bucket& each) {
      return each.dimension == varied.dimension &&
             (lies_below(varied.argument, each.argument) || lies_below(each.argument, varied.argument));
    });
    const std::int64_t longest = varied.policy.extents().front();
    if (bucket == buckets.end() || !bucket->policy.holds(longest)) return std::nullopt;
    const auto kind = bucket->policy.kind();
    if (kind == BucketPolicy::Kind::exact || kind == BucketPolicy::Kind::longest) return std::nullopt;
    if (counted_already.insert({to_string(bucket->policy), varied.dimension, longest}).second)
      most *= static_cast<double>(bucket->policy.buckets_up_to(longest, many).size());
  }
  return most;
}

std::string text_of(const std::vector<Bucket>& buckets) {
  std::string text;
  for (const Bucket& bucket : buckets)
    text += (text.empty() ? "{\"" : ", {\"") + bucket.argument + "\", " + std::to_string(bucket.dimension) + ", " +
            to_string(bucket.policy) + "}";
  return ".buckets = {" + text + "}";
}

struct PaddingCure {
  std::vector<Bucket> buckets;
  double programs = 0, padding = 0;
};

/// Buckets for the dimensions that vary: those with the least padding among the few that need few programs.
std::vector<PaddingCure> padding_cures(const std::vector<Signature>& calls) {
  const std::vector<Bucket> longest = varying(calls);
  std::vector<PaddingCure> result;
  if (longest.empty()) return result;
  const auto add = [&](const std::vector<Bucket>& buckets) {
    PaddedElements elements;
    std::vector<Diagnostic> faults;
    std::vector<TooLong> too_long;
    std::vector<Signature> padded;
    for (const Signature& call : calls) padded.push_back(in_buckets(call, buckets, elements, faults, too_long));
    if (!faults.empty() || !too_long.empty()) return;
    const double programs = count_programs(padded).programs;
    if (programs <= few_programs) result.push_back({buckets, programs, elements.share()});
  };
  add(longest);
  for (const std::int64_t multiple : {8, 16, 32, 64, 128, 256, 512}) {
    std::vector<Bucket> buckets = longest;
    for (Bucket& bucket : buckets)
      if (bucket.dimension != 0) bucket.policy = multiple_of(multiple);  // a batch is filled up
    if (buckets != longest) add(buckets);
  }
  std::sort(result.begin(), result.end(), [](const PaddingCure& a, const PaddingCure& b) {
    if (a.padding != b.padding) return a.padding < b.padding;
    return a.programs != b.programs ? a.programs < b.programs : text_of(a.buckets) < text_of(b.buckets);
  });
  return result;
}

}  // namespace

CheckLine judge_rule_3(const Checked& checked) {
  CheckLine line;
  const auto calls = static_cast<double>(checked.shares.size());
  const Counted exact = count_programs(checked.shares), now = count_programs(checked.padded);
  if (!checked.bucket_faults.empty()) line = with_faults(Verdict::fail, checked.bucket_faults);
  const double rest = std::max(0.0, 1000 - calls);
  // A call is as likely to bring a new program as so far calls alone in theirs were (Good 1953), as long as there are
  // more.
  double per_1000 =
      calls >= 1000 ? 1000 * now.programs / calls : now.programs + (calls > 1 ? rest * now.once / calls : 0);
  const std::optional<double> most = checked.bucket_faults.empty() ? most_programs(checked) : std::nullopt;
  if (most && calls < 1000) per_1000 = std::min(per_1000, std::max(now.programs, *most));
  line.figures = {{"calls", calls},
                  {"shapes", exact.programs},
                  {"programs", now.programs},
                  {"new_program_share", calls > 1 ? now.once / calls : 0},
                  {"programs_per_1000_calls", per_1000},
                  {"padding_share", checked.elements.share()}};
  if (!line.faults.empty()) return line;
  if (calls < 2) {
    line.figures.resize(3);
    line.finding = "One call was given, which does not say what shapes others have.";
    line.cure = {"give several calls, of the lengths that the data really have"};
    return line;
  }
  const std::string needed =
      counted(calls, "call") + (exact.programs == now.programs ? "" : " of " + counted(exact.programs, "shape"));
  line.finding = needed + " need " + counted(now.programs, "program") +
                 (checked.elements.padding ? ", with " + percent_text(checked.elements.share()) + " padding." : ".");
  const bool fresh = now.once > std::max(1.0, 0.05 * calls);
  line.verdict = Verdict::pass;
  if (fresh && per_1000 > few_programs) {
    line.verdict = !most && now.programs > calls / 2 && calls >= few_calls ? Verdict::fail : Verdict::warn;
    if (now.once == calls) line.evidence.push_back("no two of the calls share a program");
    line.evidence.push_back(
        counted(now.once, "program serves", "programs serve") + " one call alone: by that, " +
        (calls / now.once < 1.5 ? "about every call" : "about one call in " + number_text(calls / now.once)) +
        " brings a new one, and 1,000 calls up to " + counted(per_1000, "program"));
  } else if (now.programs > few_programs || (now.programs > 1 && now.once == calls)) {
    line.verdict = Verdict::warn;
    if (now.once == calls) line.evidence.push_back("no two of the calls share a program");
  }
  if (now.programs > static_cast<double>(checked.options.jit.max_programs)) {
    line.verdict = std::max(line.verdict, Verdict::warn);
    line.evidence.push_back("the cache holds " +
                            counted(static_cast<double>(checked.options.jit.max_programs), "program") +
                            ": others are dropped and compiled again");
  }
  const bool wasteful = checked.elements.share() > much_padding;
  if (wasteful) line.verdict = std::max(line.verdict, Verdict::warn);
  if (line.verdict == Verdict::pass) return line;

  // What differs, by name; the first call is as good as any to compare with.
  using Kind = SignatureDifference::Kind;
  std::set<std::string> statics;
  bool lists = false;
  for (const Signature& call : checked.padded)
    for (const SignatureDifference& each : differences(call, checked.padded.front())) {
      if (each.kind == Kind::static_value) statics.insert(each.argument);
      lists |= each.kind == Kind::presence || each.kind == Kind::lengths;
    }
  for (const std::string& name : statics)
    line.cure.push_back("pass '" + name + "' as an array: its value is part of the program, and it changes");
  if (lists) {
    line.evidence.push_back(to_string(SignatureDifference{.kind = Kind::lengths}));
    line.cure.push_back(
        "give each call lists of one length, the same optionals and variants: a program is made for them");
  }
  for (const Bucket& bucket : varying(checked.padded))
    line.evidence.push_back("dimension " + std::to_string(bucket.dimension) + " of '" + bucket.argument +
                            "' varies, up to " + std::to_string(bucket.policy.extents().front()));
  for (const PaddingCure& cure : padding_cures(checked.shares)) {
    if (line.cure.size() == 3) break;
    line.cure.push_back(text_of(cure.buckets) + ": " + counted(cure.programs, "program") + ", " +
                        percent_text(cure.padding) + " padding");
  }
  if (line.cure.empty()) line.cure = {"pad the inputs to a few lengths, with a mask that leaves the padding out"};
  return line;
}

}  // namespace octet
