/// What is refused of branches and loops: what differs between branches, or changes from step to step.
#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <functional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

import octet.base;
import octet.graph;
import octet.trace;

using namespace octet;
using Arrays = std::vector<Array>;

#include "refused_trace.hpp"

TEST_CASE("branches that differ are refused with X102 and the line of cond") {
  const unsigned line = __LINE__ + 2;
  const Diagnostic fault = refused({f32({2})}, [](const Arrays& in) {
    return cond(all(in[0] > 0, {0}), [&] { return in[0]; }, [&] { return sum(in[0]); });
  });
  CHECK(fault.number == 102);
  CHECK(fault.where.line == line);
  CHECK(refused({f32({2})}, [](const Arrays& in) {
          return cond(in[0] > 0, [&] { return in[0]; }, [&] { return in[0]; });
        }).number == 401);
}

TEST_CASE("branches that differ are told with the lines of both, and captured values with where they were made") {
  unsigned line = __LINE__ + 2;
  Diagnostic fault = refused({f32({2})}, [](const Arrays& in) {
    const Array doubled = in[0] * 2.0f;
    return cond(all(in[0] > 0, {0}), [&] { return doubled; }, [&] { return sum(in[0]); });
  });
  REQUIRE(fault.because.size() == 2);
  CHECK(fault.because[0].what == "on_true: f32[2]");
  CHECK(fault.because[0].where.line == line);
  CHECK(fault.because[1].what == "on_false: f32[]");
  CHECK(fault.because[1].where.line == line + 1);

  line = __LINE__ + 3;
  fault = refused({f32({2})}, [](const Arrays& in) {
    return cond(
        all(in[0] > 0, {0}), [&] { return std::vector{in[0], -in[0]}; }, [&] { return std::vector{abs(in[0])}; })[0];
  });
  CHECK(fault.number == 102);
  REQUIRE(fault.because.size() == 1);
  CHECK(fault.because[0].what == "on_true: f32[2]");
  CHECK(fault.because[0].where.line == line);
}

TEST_CASE("a loop whose state changes its type is refused with X103") {
  const auto doubled = [](const Array& x) { return concatenate({x, x}, 0); };
  CHECK(refused({f32({2})}, [&](const Arrays& in) {
          return fori_loop(0, 3, [&](const Array&, const Array& x) { return doubled(x); }, in[0]);
        }).number == 103);
  CHECK(refused({f32({2})}, [&](const Arrays& in) {
          return while_loop([](const Array& x) { return sum(x) > 0; }, doubled, in[0]);
        }).number == 103);
  for (std::int64_t n : {1, 3})
    CHECK(refused({f32({2}), f32({n})}, [&](const Arrays& in) {
            return scan([&](const Array& x, const Array& y) { return std::pair{doubled(x), y}; }, in[0], in[1]).first;
          }).number == 103);
}

TEST_CASE("a fori_loop numbers the states that it was given") {
  CHECK(refused({f32({2, 3})}, [](const Arrays& in) {
          const auto body = [](const Array&, const std::pair<Array, Array>& s) {
            return std::pair{s.first, sum(s.second)};
          };
          return fori_loop(0, 2, body, std::pair{in[0], in[0]}).first;
        }).sentence == "fori_loop: state 1 is f32[2, 3] before the body and f32[] after it.");
  CHECK(refused({f32({2, 3})}, [](const Arrays& in) {
          return fori_loop(0, 2, [](const Array&, const Array& x) { return sum(x); }, in[0]);
        }).sentence == "fori_loop: state 0 is f32[2, 3] before the body and f32[] after it.");
  // One within its body has its own.
  CHECK(refused({f32({2, 3})}, [](const Arrays& in) {
          const auto inner = [](const Array&, const Array& x) {
            return while_loop([](const Array& y) { return sum(y) < 0; }, [](const Array& y) { return sum(y); }, x);
          };
          return fori_loop(0, 2, inner, in[0]);
        }).sentence == "while: state 0 is f32[2, 3] before the body and f32[] after it.");
  const Diagnostic converted = refused({f32({2})}, [](const Arrays& in) {
    return fori_loop(0, 2, [](const Array&, const Array& x) { return cast<std::int32_t>(x); }, in[0]);
  });
  REQUIRE(converted.fix.size() > 1);
  CHECK(converted.fix[0].starts_with("in the body: cast"));
}

TEST_CASE("a loop whose state changes its type is told with the line of the state and that of the body") {
  const unsigned line = __LINE__ + 2;
  const Diagnostic fault = refused({f32({2})}, [](const Arrays& in) {
    const Array initial = in[0] * 2.0f;
    return while_loop([](const Array& x) { return all(x > 0, {0}); },
                      [](const Array& x) { return concatenate({x, x}, 0); }, initial);
  });
  CHECK(fault.number == 103);
  REQUIRE(fault.because.size() == 2);
  CHECK(fault.because[0].what == "before the body: f32[2]");
  CHECK(fault.because[0].where.line == line);
  CHECK(fault.because[1].what == "after the body: f32[4]");
  CHECK(fault.because[1].where.line == line + 2);
}

namespace {
struct Counted {
  Array value;
  std::int64_t count = 0;
  std::vector<std::vector<Array>> lists = {};
};
}  // namespace

TEST_CASE("members that are no arrays may not change in a branch with X102, nor in a loop with X103") {
  for (const std::int64_t step : {0, 1}) {
    const auto number = [&](int refusal) { return step == 0 ? 0 : refusal; };
    const auto next = [&](const Counted& x) { return Counted{x.value * 2.0, x.count + step}; };
    const unsigned line = __LINE__ + 2;
    const Diagnostic fault = refused({f32({})}, [&](const Arrays& in) {
      return cond(in[0] > 0.0, [&] { return Counted{in[0]}; }, [&] { return next({in[0]}); }).value;
    });
    CHECK(fault.number == number(102));
    if (step) CHECK(fault.where.line == line);
    CHECK(refused({f32({})}, [&](const Arrays& in) {
            return while_loop([](const Counted& x) { return x.value < 9.0; }, next, Counted{in[0]}).value;
          }).number == number(103));
    CHECK(refused({f32({})}, [&](const Arrays& in) {
            return fori_loop(0, 3, [&](const Array&, const Counted& x) { return next(x); }, Counted{in[0]}).value;
          }).number == number(103));
    CHECK(refused({f32({}), f32({3})}, [&](const Arrays& in) {
            return scan([&](const Counted& x, const Array& y) { return std::pair{next(x), y}; }, Counted{in[0]}, in[1])
                .second;
          }).number == number(103));
    CHECK(refused({f32({}), f32({3})}, [&](const Arrays& in) {
            std::int64_t calls = 0;
            return scan([&](const Array& x, const Array& y) { return std::pair{x, Counted{y, step * calls++}}; }, in[0],
                        in[1])
                .first;
          }).number == number(103));
  }
}

TEST_CASE("lists that are divided otherwise are refused in a branch and in a loop") {
  const auto lists = [](const Array& x, bool swapped) {
    return Counted{x, 0, {Arrays(swapped ? 2 : 1, x), Arrays(swapped ? 1 : 2, x)}};
  };
  CHECK(refused({f32({})}, [&](const Arrays& in) {
          return cond(in[0] > 0.0, [&] { return lists(in[0], false); }, [&] { return lists(in[0], true); }).value;
        }).number == 102);
  CHECK(refused({f32({})}, [&](const Arrays& in) {
          return fori_loop(
                     0, 2, [&](const Array&, const Counted& x) { return lists(x.value, true); }, lists(in[0], false))
              .value;
        }).number == 103);
}

TEST_CASE("a scan whose body gives another number of outputs when it is traced again is refused with X103") {
  for (const bool more : {true, false})
    CHECK(refused({f32({}), f32({3})}, [&](const Arrays& in) {
            std::size_t calls = 0;
            return scan(
                       [&](const Array& x, const Array& y) {
                         ++calls;
                         return std::pair{x, Arrays(more ? calls : 3 - calls, y)};
                       },
                       in[0], in[1])
                .first;
          }).number == 103);
}

TEST_CASE("scan is refused inputs without one common leading axis") {
  const auto scanned = [](const std::vector<TensorType>& types) {
    return refused(types,
                   [](const Arrays& in) {
                     return scan([](const Array& c, const Arrays& x) { return std::pair{c + sum(x[0]), x[1]}; },
                                 constant(Tensor::scalar(0.0f)), in)
                         .first;
                   })
        .number;
  };
  CHECK(scanned({f32({3}), f32({3, 2})}) == 0);
  CHECK(scanned({f32({3}), f32({4})}) == 403);
  CHECK(scanned({f32({3}), f32({})}) == 403);
  CHECK(scanned({f32({0}), f32({0})}) == 403);
}

TEST_CASE("fori_loop is refused bounds that its counter cannot hold") {
  CHECK(refused({f32({})}, [](const Arrays& in) {
          return fori_loop(0, std::int64_t{1} << 32, [](const Array&, const Array& x) { return x; }, in[0]);
        }).number == 403);
}
