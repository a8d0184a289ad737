module;
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>
#include "report.hpp"
module facts;
import octet;

namespace facts {

using namespace octet;

namespace {

int stated = 0, broken = 0;

void state(bool holds, const std::string& kind, const std::string& what, const std::string& measured,
           const std::string& relation, const std::string& wanted) {
  ++stated;
  if (!holds) ++broken;
  report({"fact", holds ? "ok" : "no", kind, what, measured, relation, wanted});
}

constexpr int few_digits = 6;

std::string text(double number, int digits = few_digits) {
  if (std::isnan(number)) return "nan";  // whatever its sign
  char characters[32];
  std::snprintf(characters, sizeof characters, "%.*g", digits, number);
  return characters;
}

/// States that two things are equal, each written by `write(which, digits)`: where they are not, with as many digits as
/// show it.
template <class Thing, class Write>
void state_equal(bool holds, const std::string& kind, const std::string& what, const Thing& measured,
                 const Thing& wanted, const Write& write) {
  int digits = few_digits;
  if (!holds)
    for (const int more : {few_digits, 9, 17})  // what tells f32 apart, and f64
      if (write(measured, digits = more) != write(wanted, more)) break;
  state(holds, kind, what, write(measured, digits), "==", write(wanted, digits));
}

std::string percent(double share) {
  char digits[32];
  std::snprintf(digits, sizeof digits, "%.1f %%", 100 * share);
  return digits;
}

std::string size(double bytes) {
  if (bytes < 1e6) return text(bytes) + " bytes";
  char digits[32];
  if (bytes < 1e9)
    std::snprintf(digits, sizeof digits, "%.1f MB", bytes / 1e6);
  else
    std::snprintf(digits, sizeof digits, "%.1f GB", bytes / 1e9);
  return digits;
}

constexpr std::int64_t most_shown = 6;

/// Some elements, from one on.
std::string text(const Tensor& tensor, std::int64_t from, int digits = few_digits) {
  std::string result = from > 0 ? "{..., " : "{";
  const std::int64_t end = std::min<std::int64_t>(tensor.elements(), from + most_shown);
  for (std::int64_t i = from; i < end; ++i) result += (i > from ? ", " : "") + text(tensor.at(i), digits);
  return result + (end < tensor.elements() ? ", ...}" : "}");
}

/// Where to show tensors of one type from, so that the first of the elements that differ is seen.
std::int64_t shown_from(std::int64_t first_difference) {
  return first_difference < most_shown ? 0 : first_difference - 2;
}

void compare(const std::string& kind, const std::string& what, const Tensor& measured, const Tensor& wanted,
             double tolerance) {
  if (measured.type() != wanted.type())
    return state(false, kind, what, to_string(measured.type()), "==", to_string(wanted.type()));
  std::int64_t first = 0;  // that differs
  for (; first < measured.elements(); ++first) {
    const double difference = std::fabs(measured.at(first) - wanted.at(first));
    if (!(difference <= tolerance) && measured.at(first) != wanted.at(first)) break;  // equal infinities differ by NaN
  }
  bool holds = first == measured.elements();
  if (holds) first = 0;
  if (kind == "bits") holds = measured == wanted;
  state_equal(holds, kind, what, measured, wanted,
              [&](const Tensor& tensor, int digits) { return text(tensor, shown_from(first), digits); });
}

}  // namespace

void result(const std::string& what, const Tensor& measured, const Tensor& wanted, double tolerance) {
  compare("result", what, measured, wanted, tolerance);
}

void result(const std::string& what, double measured, double wanted, double tolerance) {
  state_equal(measured == wanted || std::fabs(measured - wanted) <= tolerance, "result", what, measured, wanted,
              [](double number, int digits) { return text(number, digits); });
}

void result(const std::string& what, const std::string& measured, const std::string& wanted) {
  state(measured == wanted, "result", what, measured, "==", wanted);
}

void same_bits(const std::string& what, const Tensor& measured, const Tensor& wanted) {
  compare("bits", what, measured, wanted, 0);
}

void other_bits(const std::string& what, const Tensor& measured, const Tensor& than) {
  std::int64_t first = 0;
  if (measured.type() == than.type())
    while (first < measured.elements() && measured.at(first) == than.at(first)) ++first;
  if (first == measured.elements()) first = 0;
  state(measured != than, "bits", what, text(measured, shown_from(first)), "!=", text(than, shown_from(first)));
}

void at_most(const std::string& what, double measured, double most) {
  state(measured <= most, "result", what, text(measured), "<=", text(most));
}

void at_least(const std::string& what, double measured, double least) {
  state(measured >= least, "result", what, text(measured), ">=", text(least));
}

void compiles(const CacheStatistics& statistics, std::uint64_t most) {
  const bool any = statistics.misses > 0;  // without a program, whatever the result is was not computed by one
  state(any && statistics.misses <= most, "compiles", "statistics().misses", std::to_string(statistics.misses),
        any ? "<=" : ">=", any ? std::to_string(most) : "1");
}

void padding(const CacheStatistics& statistics, double most) {
  const double share = statistics.elements.share();
  state(share <= most, "padding", "statistics().elements.share()", percent(share), "<=", percent(most));
}

void memory(const std::string& what, double bytes, double most) {
  state(bytes <= most, "memory", what, size(bytes), "<=", size(most));
}

Function function(One f) {
  return [f](const std::vector<Array>& x) { return std::vector{f(x[0])}; };
}
Function function(Two f) {
  return [f](const std::vector<Array>& x) { return std::vector{f(x[0], x[1])}; };
}
Function function(Three f) {
  return [f](const std::vector<Array>& x) { return std::vector{f(x[0], x[1], x[2])}; };
}
Function function(Four f) {
  return [f](const std::vector<Array>& x) { return std::vector{f(x[0], x[1], x[2], x[3])}; };
}

namespace {

Executable compiled(const Function& f, const std::vector<Tensor>& arguments) {
  std::vector<TensorType> types;
  for (const Tensor& argument : arguments) types.push_back(argument.type());
  return compile(trace(f, types), {.precision = Precision::f32});
}

Tensor run_once(const Function& f, const std::vector<Tensor>& arguments) {
  Threads alone;
  return compiled(f, arguments).run(arguments, alone).front();
}

}  // namespace

Tensor run(One f, const Tensor& a) {
  return run_once(function(f), {a});
}
Tensor run(Two f, const Tensor& a, const Tensor& b) {
  return run_once(function(f), {a, b});
}
Tensor run(Three f, const Tensor& a, const Tensor& b, const Tensor& c) {
  return run_once(function(f), {a, b, c});
}
Tensor run(Four f, const Tensor& a, const Tensor& b, const Tensor& c, const Tensor& d) {
  return run_once(function(f), {a, b, c, d});
}

Program::Program(One f, JitOptions options) {
  const auto compiled = jit([f](const Array& a) { return std::vector{f(a)}; }, std::move(options));
  call_ = [compiled](std::vector<Tensor> x) { return compiled(std::move(x[0])); };
  statistics_ = [compiled] { return compiled.statistics(); };
}
Program::Program(Two f, JitOptions options) {
  const auto compiled = jit([f](const Array& a, const Array& b) { return std::vector{f(a, b)}; }, std::move(options));
  call_ = [compiled](std::vector<Tensor> x) { return compiled(std::move(x[0]), std::move(x[1])); };
  statistics_ = [compiled] { return compiled.statistics(); };
}
Tensor Program::operator()(Tensor a) const {
  std::vector<Tensor> arguments;
  arguments.push_back(std::move(a));
  return call_(std::move(arguments)).front();
}
Tensor Program::operator()(Tensor a, Tensor b) const {
  std::vector<Tensor> arguments;
  arguments.push_back(std::move(a));
  arguments.push_back(std::move(b));
  return call_(std::move(arguments)).front();
}

Results on_replicas(const Function& f, const tpu::Slice& slice, const Arguments& arguments) {
  tpu::require_simulated(slice);
  Threads alone;
  return compiled(f, arguments.front()).run(arguments, alone);
}

Arguments shared_out(const tpu::Slice& slice, std::initializer_list<Tensor> same, std::initializer_list<Tensor> batch) {
  Arguments arguments(static_cast<std::size_t>(slice.replicas), same);
  for (const Tensor& tensor : batch) {
    const std::vector<Tensor> each = tpu::shares(tensor, slice.replicas, "batch");
    for (std::size_t r = 0; r < each.size(); ++r) arguments[r].push_back(each[r]);
  }
  return arguments;
}

Tensor number(double value) {
  return Tensor::scalar(static_cast<float>(value));
}
Tensor row(std::initializer_list<float> values) {
  return Tensor::of<float>({static_cast<std::int64_t>(values.size())}, values);
}
Tensor rows(std::int64_t columns, std::initializer_list<float> values) {
  return Tensor::of<float>({static_cast<std::int64_t>(values.size()) / columns, columns}, values);
}
Tensor filled(const Shape& shape, double value) {
  return Tensor::full(shape, static_cast<float>(value));
}
Tensor counted(std::int64_t n) {
  Tensor tensor{DType::f32, {n}};
  float next = 0;
  for (float& each : tensor.mutable_span<float>()) each = next++;
  return tensor;
}
Tensor drawn(const Shape& shape, std::uint64_t seed) {
  Tensor tensor{DType::f32, shape};
  std::uint64_t next = 0;
  for (float& each : tensor.mutable_span<float>()) each = uniform(Key::of_seed(seed), next++);
  return tensor;
}
Tensor row_i32(const std::vector<int>& values) {
  return Tensor::of<int>({static_cast<std::int64_t>(values.size())}, values);
}
Tensor row_i32(std::initializer_list<int> values) {
  return row_i32(std::vector<int>(values));
}
Tensor filled_i32(const Shape& shape, int value) {
  return Tensor::full(shape, value);
}

int status() {
  report({"facts", std::to_string(stated), std::to_string(broken)});
  return stated > 0 && broken == 0 ? 0 : 1;
}

}  // namespace facts
