#include <cstdint>
#include <map>
#include <string>
import octet;
import facts;
using namespace octet;

BucketPolicy buckets(const LengthHistogram& lengths, const FittingOptions& costs);

void within(const std::string& text, const LengthHistogram& lengths, const FittingOptions& costs) {
  const double least = fitted(lengths, costs).cost.seconds();
  facts::at_most("seconds of compiling and running for " + text,
                 bucket_cost(buckets(lengths, costs), lengths, costs).seconds(), least * 1.001);
}

void check() {
  LengthHistogram tweets, articles;
  for (std::int64_t length = 8; length <= 40; ++length) tweets[length] = 900 - 20 * length;
  for (std::int64_t length = 60; length <= 512; length += 3) articles[length] = length % 7 + 1;
  articles[512] = 4000;
  within("tweets, where compiling is cheap", tweets, {.compile_seconds = 0.2, .seconds_per_element = 1e-3});
  within("tweets, where compiling is dear", tweets, {.compile_seconds = 400, .seconds_per_element = 1e-3});
  within("articles", articles, {.compile_seconds = 20, .seconds_per_element = 1e-3});
}
