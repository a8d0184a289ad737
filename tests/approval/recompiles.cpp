/// Messages about recompiles and padding, as a user is shown them.
#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <regex>
#include <string>
#include <utility>
#include <vector>
import octet;

#include "approved.hpp"

using namespace octet;

namespace {

Tensor ones(std::int64_t n) { return Tensor::full<float>({n}, 1); }

}  // namespace

TEST_CASE("messages about recompiles are the approved ones") {
  std::vector<Diagnostic> alarms;
  const auto often =
      jit([](const Array& x) { return sum(x); }, {.argument_names = {"x"},
                                                  .on_alarm = [&](const Diagnostic& alarm) { alarms.push_back(alarm); },
                                                  .alarm = {.compiles = 4, .share = 0},
                                                  .name = "step"});
  for (std::int64_t n = 1; n <= 4; ++n) often(ones(n));
  REQUIRE(alarms.size() == 1);
  // Which cure comes first is a matter of measured times.
  const Diagnostic& alarm = alarms.front();
  approve_message(302, {.number = 302,
                        .sentence = alarm.sentence,
                        .where = alarm.where,
                        .because = alarm.because,
                        .fix = {"(by measured times)"}});

  const auto frozen = jit([](const Array& x) { return x + 1; }, {.argument_names = {"x"}, .name = "step"});
  frozen(ones(40));
  approve_refusal(303, [&] {
    const NoCompiling forbidden = frozen.forbid_compiling();
    frozen(ones(41));
  });
  const auto small = jit([](const Array& x) { return x + 1; },
                         {.argument_names = {"x"}, .max_programs = 1, .when_full = WhenFull::refuse, .name = "step"});
  small(ones(40));
  approve_refusal(304, [&] { small(ones(41)); });

  double factor = 0.5;
  const auto scaled = jit([&](const Array& x) { return x * factor; }, {.name = "scaled"});
  scaled(ones(2));
  factor = 0.1;
  approve_refusal(306, [&] { scaled.check_trace(ones(2)); });
}

TEST_CASE("the message about padding that changes a result is the approved one") {
  const auto average = jit([](const Array& x) { return mean(x); },
                           {.buckets = {{"x", 0, multiple_of(4)}}, .argument_names = {"x"}, .name = "average"});
  approve_refusal(305, [&] { average.check_padding(ones(5)).require(); });
}
