module octet.trace;
import octet.base;
import octet.graph;
import octet.standard;
import :reachable;

namespace octet {

namespace {

Arrays joined(Arrays a, const Arrays& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

Arrays first_of(Arrays arrays, std::size_t count) {
  arrays.resize(std::min(count, arrays.size()));
  return arrays;
}

/// `on_true: f32[2]` and where that was made.
Link line_of(const char* side, const Array& value) {
  return {std::string{side} + ": " + to_string(value.type()), value.expression()->place};
}

/// The values of two sides whose types should be the same and are not; where one side has more, the first that the
/// other lacks.
std::vector<Link> differing(const char* one, const Arrays& ones, const char* other, const Arrays& others) {
  std::vector<Link> lines;
  const std::size_t both = std::min(ones.size(), others.size());
  for (std::size_t i = 0; i < both && lines.size() < 4; ++i)
    if (ones[i].type() != others[i].type()) {
      lines.push_back(line_of(one, ones[i]));
      lines.push_back(line_of(other, others[i]));
    }
  if (ones.size() > both) lines.push_back(line_of(one, ones[both]));
  if (others.size() > both) lines.push_back(line_of(other, others[both]));
  return lines;
}

/// Throws `error` again, its diagnostics of `number` with these lines: those of the operands would lead elsewhere.
[[noreturn]] void fail_with(const Error& error, int number, const std::vector<Link>& lines) {
  std::vector<Diagnostic> diagnostics = error.diagnostics();
  for (Diagnostic& diagnostic : diagnostics)
    if (diagnostic.number == number && !lines.empty()) diagnostic.because = lines;
  throw Error{std::move(diagnostics)};
}

}  // namespace

std::vector<Array> cond_arrays(const Array& condition, const std::function<std::vector<Array>()>& on_true,
                               const std::function<std::vector<Array>()>& on_false, const Place& place) {
  const std::uint64_t mark = next_birth();
  const Arrays when_true = on_true(), when_false = on_false();
  const Arrays captured = captures(joined(when_true, when_false), mark);
  std::vector<Graph> regions;
  regions.push_back(region("on_true", {}, captured, when_true));
  regions.push_back(region("on_false", {}, captured, when_false));
  try {
    return apply(Op::if_, joined({condition}, captured), NoAttributes{}, place, std::move(regions));
  } catch (const Error& error) {
    fail_with(error, 102, differing("on_true", when_true, "on_false", when_false));
  }
}

Arrays switch_arrays(const Array& index, const std::vector<std::function<Arrays()>>& branches, const Place& place) {
  if (branches.empty() || index.rank() != 0 || !is_integer(index.dtype()))
    fail([&] {
      if (branches.empty())
        return Diagnostic{.number = 405, .sentence = "switch_case has no branch to choose.", .where = placed(place)};
      return Diagnostic{
          .number = index.rank() != 0 ? 401 : 402,
          .sentence = "switch_case takes one whole number, a scalar, and is given " + to_string(index.type()) + ".",
          .where = placed(place),
          .because = because(index),
          .fix = {index.rank() != 0 ? "for a choice of each element, select(i == 0, a, select(i == 1, b, c))"
                                    : "cast<int>(i)"}};
    });
  std::vector<Arrays> given;
  const auto branch = [&](std::size_t i) {
    given.push_back(branches[i]());
    const std::vector<Link> lines =
        differing("branch 0", given.front(), ("branch " + std::to_string(i)).c_str(), given.back());
    if (!lines.empty())
      fail([&] {
        return Diagnostic{
            .number = 102,
            .sentence = "Branch " + std::to_string(i) + " of switch_case does not return what branch 0 does.",
            .where = placed(place),
            .because = lines};
      });
    return given.back();
  };
  // Halved until one is left: as many conditions are looked at as the logarithm of their number says.
  const std::function<Arrays(std::size_t, std::size_t)> among = [&](std::size_t first, std::size_t end) -> Arrays {
    if (end - first == 1) return branch(first);
    const std::size_t middle = first + (end - first) / 2;
    const Array lower = [&] {
      const ComposedAt scope{place};
      return index < static_cast<std::int64_t>(middle);
    }();
    return cond_arrays(lower, [&] { return among(first, middle); }, [&] { return among(middle, end); }, place);
  };
  return among(0, branches.size());
}

namespace {

/// Numbers the states of a loop that counts as its caller does, who was not given the counter.
std::vector<Diagnostic> without_counter(std::vector<Diagnostic> diagnostics) {
  constexpr std::string_view told = "while: state ";
  for (Diagnostic& diagnostic : diagnostics) {
    if (diagnostic.number != 103 || !diagnostic.sentence.starts_with(told)) continue;
    const std::size_t end = diagnostic.sentence.find(' ', told.size());
    const int state = std::stoi(diagnostic.sentence.substr(told.size(), end - told.size()));
    diagnostic.sentence.replace(0, end, "fori_loop: state " + std::to_string(state - 1));
  }
  return diagnostics;
}

/// A while; where it `counts`, its first state is the counter of a fori_loop.
Arrays loop_arrays(const std::function<Array(const Arrays&)>& condition,
                   const std::function<Arrays(const Arrays&)>& body, const Arrays& initial, const Place& place,
                   bool counts) {
  const std::uint64_t mark = next_birth();
  const Arrays tested = parameters_like(initial), state = parameters_like(initial);
  const Array holds = condition(tested);
  const Arrays next = body(state);
  const Arrays captured = captures(joined({holds}, next), mark);
  // What the loop captures travels with the state, unchanged.
  std::vector<Graph> regions;
  regions.push_back(region("condition", tested, captured, {holds}));
  regions.push_back(region("body", state, captured, joined(next, captured)));
  try {
    return first_of(apply(Op::while_, joined(initial, captured), NoAttributes{}, place, std::move(regions)),
                    initial.size());
  } catch (const Error& error) {
    fail_with(counts ? Error{without_counter(error.diagnostics())} : error, 103,
              differing("before the body", initial, "after the body", next));
  }
}

}  // namespace

Arrays while_arrays(const std::function<Array(const Arrays&)>& condition,
                    const std::function<Arrays(const Arrays&)>& body, const Arrays& initial, const Place& place) {
  return loop_arrays(condition, body, initial, place, false);
}

Arrays fori_arrays(std::int64_t lower, std::int64_t upper,
                   const std::function<Arrays(const Array&, const Arrays&)>& body, const Arrays& initial,
                   const Place& place) {
  for (std::int64_t bound : {lower, upper})
    if (bound != static_cast<std::int32_t>(bound))
      fail([&] {
        return Diagnostic{
            .number = 403,
            .sentence = "fori_loop counts in i32, which does not hold its bound " + std::to_string(bound) + ".",
            .where = placed(place)};
      });
  const auto rest = [](const Arrays& arrays) { return Arrays{arrays.begin() + 1, arrays.end()}; };
  // The counting is placed at the loop; what the body does has lines of its own.
  const auto counted = [&](auto&& function) {
    const ComposedAt scope{place};
    return function();
  };
  return rest(loop_arrays(
      [&](const Arrays& state) { return counted([&] { return state[0] < static_cast<std::int32_t>(upper); }); },
      [&](const Arrays& state) { return joined({counted([&] { return state[0] + 1; })}, body(state[0], rest(state))); },
      joined({counted([&] { return constant(Tensor::scalar(static_cast<std::int32_t>(lower))); })}, initial), place,
      true));
}

void require_scannable(const Arrays& inputs, const char* function, const Place& place) {
  for (const Array& array : inputs)
    if (array.rank() == 0 || array.extent(0) < 1 || array.extent(0) != inputs.front().extent(0))
      fail([&] {
        return Diagnostic{
            .number = 403,
            .sentence =
                std::string{function} + " needs inputs with one leading axis of at least 1, and is given " +
                to_string(array.type()) +
                (array.rank() == 0 || array.extent(0) < 1 ? "" : " beside " + to_string(inputs.front().type())) + ".",
            .where = placed(place),
            .because = because(array)};
      });
  if (inputs.empty())
    fail([&] {
      return Diagnostic{.number = 403,
                        .sentence = std::string{function} + " needs inputs with a leading axis, and is given none.",
                        .where = placed(place)};
    });
}

void require_carried(const Arrays& before, const Arrays& after, const Place& place) {
  for (std::size_t i = 0; i < std::max(before.size(), after.size()); ++i)
    if (i >= before.size() || i >= after.size() || before[i].type() != after[i].type())
      fail([&] {
        return Diagnostic{.number = 103,
                          .sentence = "Carry " + std::to_string(i) + " of scan is " +
                                      (i < before.size() ? to_string(before[i].type()) : "not there") +
                                      " before the body and " +
                                      (i < after.size() ? to_string(after[i].type()) : "not there") + " after it.",
                          .where = placed(place),
                          .because = i < after.size() ? because(after[i]) : std::vector<Link>{}};
      });
}

void require_outputs(std::size_t first, std::size_t next, const Place& place) {
  if (first != next)
    fail([&] {
      return Diagnostic{.number = 103,
                        .sentence = "The body of scan gives " + std::to_string(next) + " outputs, and " +
                                    std::to_string(first) + " when it was first traced.",
                        .where = placed(place)};
    });
}

void require_fixed(int number, std::uint64_t one, std::uint64_t other, const char* function, const Place& place) {
  if (one != other)
    fail([&] {
      return Diagnostic{
          .number = number,
          .sentence =
              std::string{number == 102 ? "What the branches of " : "What the body takes and returns in "} + function +
              (number == 102 ? " return differs" : " differs") +
              " in members that are no arrays, in lengths of lists or alternatives of variants: the program has one of "
              "each.",
          .where = placed(place),
          .fix = {"make a number that changes an Array", "keep it out of what is returned"}};
    });
}

namespace {

void require_scalar(const Array& index, const char* function, std::string fix, const std::source_location& where) {
  if (index.rank() == 0) return;
  fail([&] {
    return Diagnostic{
        .number = 401,
        .sentence = std::string{function} + " takes one index, a scalar, and is given " + to_string(index.type()) + ".",
        .where = placed(Place::of(where)),
        .because = because(index),
        .fix = {index.shape().elements() == 1 ? "make a scalar of it: reshape(i, {})" : std::move(fix)}};
  });
}

}  // namespace

Array index_leading(const Array& x, const Array& index, std::source_location where) {
  require_rank(x, 1, "index_leading", Place::of(where));
  require_scalar(index, "index_leading", "a row for each index is take(x, i)", where);
  const ComposedAt scope{where};
  Arrays starts{index};
  Dims sizes = x.shape().extents();
  sizes[0] = 1;
  for (std::int64_t d = 1; d < x.rank(); ++d) starts.push_back(zeros({index.dtype(), Shape{}}));
  return reshape(dynamic_slice(x, starts, sizes), Dims{sizes.begin() + 1, sizes.end()});
}

Array update_leading(const Array& x, operand value, const Array& index, std::source_location where) {
  require_rank(x, 1, "update_leading", Place::of(where));
  require_scalar(index, "update_leading",
                 "for a row of y for each index, add them with x + segment_sum(y, i, x.extent(0)), or replace rows one "
                 "by one in fori_loop or by scatter",
                 where);
  const ComposedAt scope{where};
  Arrays starts{index};
  for (std::int64_t d = 1; d < x.rank(); ++d) starts.push_back(zeros({index.dtype(), Shape{}}));
  const Array element =
      broadcast_to({value.array(&x.type()), value.where()}, Dims(x.shape().begin() + 1, x.shape().end()));
  return dynamic_update_slice(x, expand_dims(element, 0), starts);
}

Array update_leading(const Array& x, operand value, HostIndex index) {
  static_cast<void>(x[index]);  // says where there is none
  const std::int64_t at = index.value < 0 ? index.value + x.extent(0) : index.value;
  return update_leading(x, std::move(value), constant(Tensor::scalar(static_cast<std::int32_t>(at)), index.where),
                        index.where);
}

}  // namespace octet
