/// What a script that is refused is said to need: fixes in the words of scripts, and rewrites that are programs.
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

import octet.base;
import octet.graph;
import octet.script;

#include "script_lines.hpp"

using namespace octet;

namespace {

constexpr std::string_view masked_loss = R"(loss = input(f32, [6], values=[1, 2, 3, 4, 5, 6])
label = input(i32, [6], values=[7, -100, 8, 9, -100, 2])
keep = label != -100
)";

}  // namespace

TEST_CASE("a fix is in the words of scripts") {
  const std::string x = "x = input(f32, [4])\nn = argmax(x)\nempty = input(f32, [0])\nwide = input(f32, [4, 8])\n";
  for (const char* line : {"if (sum(x) > 1) y = x",
                           "while (sum(x) > 1) x = x * 0.5",
                           "y = float(n)",
                           "y = x.item()",
                           "print(x)",
                           "y = [1, 2][n]",
                           "for (row : x) y = row",
                           "x[0] = 1",
                           "y = unique(x)",
                           "y = nonzero(x)",
                           "y = argwhere(x)",
                           "y = where(x > 0)",
                           "y = zeros([n])",
                           "y = x[0:n]",
                           "y = x[x > 0]",
                           "y = repeat(x, cast(x, i32))",
                           "y = unique(x, size=-1)",
                           "y = unique(empty, size=3)",
                           "y = repeat(x, [1, 1, 1, 1], total=-1)",
                           "y = cond(sum(x) > 1, x, x[0])",
                           "y = cond(sum(x) > 1, wide, x)",
                           "y = cond(sum(x) > 1, wide, wide.T)",
                           "y = cond(x > 1, x, x)",
                           "y = x + (x > 0)",
                           "y = x + n + cast(x, i32)",
                           "y = max(x > 0)",
                           "y = mean(x > 0)",
                           "y = iota(pred, [4])",
                           "y = iota(f32, [4], axis=3)",
                           "y = clamp(x, 0, 1)",
                           "y = sum(wide, [0, 0])",
                           "y = matmul(wide, wide)"}) {
    INFO(line);
    const ScriptReport report = trace_script(x + line);
    CHECK(!report.faults.empty());
    for (const Diagnostic& fault : report.faults)
      for (const std::string& fix : fault.fix) {
        INFO(fix);
        for (const char* in_cpp :
             {"{", "<float>", "<std::", "<bool>", ".extent", "shape()", "DType", "_loop", "scan(", "dynamic_slice",
              "broadcast_in_dim", "update_leading", "clip(", "or_", "Tensor", "give ."})
          CHECK(fix.find(in_cpp) == fix.npos);
      }
  }
}

TEST_CASE("what a fix says to write is a program") {
  const std::string names =
      "x = input(f32, [4])\nmask = x > 0\nn = argmax(x)\ni = n\ncounts = cast(abs(x), i32)\ntable = x\na = x\nb = -x\n"
      "condition = max(x) > 1\nnext = x / 2\nindices = n\npredicate = mask\nlow = 0\nhigh = 1\ny = 2\n";
  for (const char* line : {"cond(condition, a, b)",
                           "for (i : range(4)) x = where(condition, next, x)",
                           "where(i == 0, a, b)",
                           "take([1, 2, 3], i)",
                           "for (i : range(x.shape[0])) x = x + x[i]",
                           "x = where(iota(i32, x.shape, axis=0) == i, y, x)",
                           "where(iota(i32, x.shape, axis=0) < n, x, 0)",
                           "sum(select(mask, x, 0)) / sum(cast(mask, f32))",
                           "take(x, nonzero(mask, size=4)[0])",
                           "unique(x, size=4)",
                           "argwhere(x, size=4, fill=0)",
                           "repeat(x, counts, total=4)",
                           "cond(condition, x, broadcast_to(reshape(x[0], [1]), [4]))",
                           "cond(any(predicate), a, b)",
                           "cond(all(predicate), a, b)",
                           "iota(i32, [4]) != 0",
                           "clamp(-1, x, 1)",
                           "argmax(-x)",
                           "clamp(low, x, high)",
                           "concatenate([a, b])",
                           "(exp(x) + exp(-x)) / 2",
                           "take(x, i + iota(i32, [4]))",
                           "1 - erf(x)",
                           "2.0 ** x",
                           "log(x) / log(2.0)",
                           "sqrt(mean(square(x - mean(x))))",
                           "sin(x) / cos(x)"}) {
    INFO(line);
    CHECK(faults_of(names + line).empty());
  }
  CHECK(types_of("x = input(pred, [4, 2])\nany(x)\nall(x, axis=1)\nu = input(u32, [2])") ==
        "x i1[4, 2], i1[], i1[4], u ui32[2]");
}

TEST_CASE("an assignment to an element is refused, and where gives what was meant") {
  const std::string x = "x = input(f32, [2, 2], values=[1, -2, 3, 4])\n";
  for (const auto& [line, mended, sum] : std::vector<std::tuple<std::string, std::string, double>>{
           {"x[0] = 5", "x = where(iota(i32, x.shape, axis=0) == 0, 5, x)", 17},
           {"x[-1] = [7.0, 8.0]", "x = where(iota(i32, x.shape, axis=0) == 1, [7.0, 8.0], x)", 14},
           {"x[1] += x[0]", "x = where(iota(i32, x.shape, axis=0) == 1, x + (x[0]), x)", 5},
           {"x[x < 0] = 0", "x = where(x < 0, 0, x)", 8},
           {"x[argmax(x[0])] *= 2", "x = where(iota(i32, x.shape, axis=0) == (argmax(x[0])), x * (2), x)", 5},
           {"x[0:1] = 0", "x = where((iota(i32, x.shape, axis=0) >= 0) & (iota(i32, x.shape, axis=0) < 1), 0, x)",
            7}}) {
    INFO(line);
    const ScriptReport report = trace_script(x + line + "\nsum(x)");
    REQUIRE(report.faults.size() == 1);
    CHECK(diagnostic_name(report.faults.front().number) == "X109");
    CHECK(report.faults.front().sentence.starts_with("An Array never changes, and x[i] is another one"));
    CHECK(report.faults.front().fix.front() == "write " + mended);
    CHECK(report.mended == x + mended + "\nsum(x)");
    CHECK(results_of(report.mended).front().item() == sum);
  }
  // Of several dimensions.
  for (const auto& [line, mended, sum] : std::vector<std::tuple<std::string, std::string, double>>{
           {"x[0, 1] = 5", "x = where((iota(i32, x.shape, axis=0) == 0) & (iota(i32, x.shape, axis=1) == 1), 5, x)",
            13},
           {"x[:, -1] += x[0, 0]", "x = where(iota(i32, x.shape, axis=1) == 1, x + (x[0, 0]), x)", 8},
           {"x[1:, :1] = 0", "x = where((iota(i32, x.shape, axis=0) >= 1) & (iota(i32, x.shape, axis=1) < 1), 0, x)",
            3},
           {"x[0, argmax(x[0])] = 7",
            "x = where((iota(i32, x.shape, axis=0) == 0) & (iota(i32, x.shape, axis=1) == (argmax(x[0]))), 7, x)", 12},
           {"x[:1] = [5, 6]", "x = where(iota(i32, x.shape, axis=0) < 1, cast([5, 6], f32), x)", 18}}) {
    INFO(line);
    const ScriptReport report = trace_script(x + line + "\nsum(x)");
    REQUIRE(report.faults.size() == 1);
    CHECK(report.faults.front().fix.front() == "write " + mended);
    CHECK(results_of(report.mended).front().item() == sum);
  }
  for (const char* line : {"x[:] = 0", "x[0, x > 0] = 1", "x[:, 0] = [1, 2]"}) {
    INFO(line);
    CHECK(faults_of(x + line) == "X109:2");
    CHECK(trace_script(x + line).mended.empty());
  }
  // In a loop the index is another one in each turn, and types are made one.
  const auto mended = [](const std::string& lines) { return trace_script(lines).mended; };
  CHECK(mended("x = input(f32, [4])\nfor (i : range(3)) x[i + 1] = x[i]") ==
        "x = input(f32, [4])\nfor (i : range(3)) x = where(iota(i32, x.shape, axis=0) == (i + 1), x[i], x)");
  CHECK(mended("x = input(f32, [4])\nfor (k : range(4)) x[k:k+1] = 0") ==
        "x = input(f32, [4])\nfor (k : range(4)) x = where((iota(i32, x.shape, axis=0) >= (k)) & (iota(i32, x.shape, "
        "axis=0) < (k+1)), 0, x)");
  CHECK(mended("x = input(f32, [2, 2])\nx[0] = [1, 2]").ends_with("== 0, cast([1, 2], f32), x)"));
  CHECK(mended("x = input(i32, [4])\nx[0] = 0.5").empty());
  CHECK(mended("x = input(f32, [4])\nx[0] = sum(x) > 1").empty());
  // What is the visitor's own stays as it is written.
  const ScriptReport own = trace_script("x = input(f32, [4])\nfloat dimensions = sum(x)");
  REQUIRE(!own.faults.empty());
  CHECK(own.faults.front().fix.front() == "write dimensions = sum(x), without float");
  CHECK(faults_of(x + "if (x.shape[0] > 1) x[0] = 1\nx[0][1] = 2\nx[0] = [1, 2, 3]\nsum(x)") == "X109:2 X109:3 X109:4");
  CHECK(faults_of(x + "x[2] = 1\nx.shape[0] = 3\na = [1]\na[0] = 2\nq[0] = 1") == "X403:2 X733:3 X733:5 X731:6");
}

TEST_CASE("each rewrite that is proposed is a program") {
  for (const char* text : {"x = input(f32, [4])\nif (sum(x) > 1) y = x else y = -x",
                           "x = input(f32, [4])\ny = x\nif x.sum() > 1: y = -x",
                           "x = input(f32, [4])\ny = x if (sum(x) > 1) else -x",
                           "x = input(f32, [4])\ny = (sum(x) > 1) ? x : -x",
                           "x = input(f32, [4])\ny = !(x > 0)",
                           "x = input(f32, [4])\ny = x > 0 && x < 1 || x > 5",
                           "x = input(f32, [4])\nbool b = sum(x) > 1",
                           "x = input(f32, [4])\nt = float(sum(x)) * 2",
                           "x = input(f32, [4])\nprint(x)",
                           "x = input(f32, [4])\ny = mean(x[x > 0]) + 1",
                           "x = input(f32, [4])\ny = sum(x[x > 0])",
                           "x = input(f32, [4])\ny = x[argmax(x)]",
                           "x = input(f32, [4])\ny = x ? 1 : 0",
                           "x = input(i32, [4])\ny = x\nif (x + 1) y = -x",
                           "x = input(f32, [4])\ny = max(x, -x)",
                           "x = input(f32, [4])\ny = x.min(x * x)",
                           "x = input(f32, [4])\ny = x && x > 1",
                           "x = input(f32, [4])\ny = !x",
                           "x = input(f32, [4])\ny = sum(x[x - 1])",
                           "x = input(i32, [4])\ny = unique(x)",
                           "x = input(f32, [4])\ni = where(x > 0)\nj = nonzero(x)\nk = argwhere(x)"}) {
    INFO(text);
    std::string mended = text;
    for (int turn = 0; turn < 4 && !trace_script(mended).faults.empty(); ++turn) {
      const ScriptReport report = trace_script(mended);
      REQUIRE(!report.mended.empty());
      mended = report.mended;
    }
    INFO(mended);
    CHECK(faults_of(mended).empty());
  }
}

TEST_CASE(
    "the mean of a masked loss is the mean of what the mask keeps, where a division by all positions is another "
    "number") {
  const std::string filtered = std::string{masked_loss} + "mean(loss[keep])";
  CHECK(faults_of(filtered) == "X203:4");
  CHECK(results_of(trace_script(filtered).mended).front().item() == 14.0 / 4);
  CHECK(results_of(std::string{masked_loss} + "mean(where(keep, loss, 0))").front().item() != 14.0 / 4);
}

TEST_CASE("a function that is not there is read as a misspelt one only where it can hardly be another") {
  const auto proposed = [](const std::string& name) {
    const ScriptReport report = trace_script("y = " + name + "([1])");
    std::string all;
    for (const std::string& fix : report.faults.at(0).fix)
      if (fix.starts_with("write ")) all += (all.empty() ? "" : ", ") + fix.substr(6);
    return all;
  };
  for (const auto& [misspelt, meant] :
       std::vector<std::pair<std::string, std::string>>{{"summ", "sum"},
                                                        {"smu", "sum"},
                                                        {"wher", "where"},
                                                        {"mamtul", "matmul"},
                                                        {"maximun", "maximum"},
                                                        {"softmx", "softmax"},
                                                        {"broadcats_too", "broadcast_to"},
                                                        {"reduce_mean", "mean"}})
    CHECK(proposed(misspelt) == meant);
  for (const char* other : {"foo", "fit", "mix", "sort", "prod", "conv", "median", "min2max", "log10x", "f", "norm"}) {
    INFO(other);
    CHECK(proposed(other).empty());
  }
  CHECK(proposed("var") == "mean(square(x - mean(x))), of all elements");
  CHECK(proposed("std") == "sqrt(mean(square(x - mean(x)))), of all elements");
  CHECK(proposed("dot") == "matmul(a, b)");
  CHECK(proposed("tan") == "sin(x) / cos(x)");
  CHECK(proposed("argmin") == "argmax(-x)");
  CHECK(proposed("sigmoid") == "logistic(x)");
  CHECK(proposed("scan") == "for (i : range(x.shape[0])) with x[i]");
  CHECK(trace_script("x = input(f32, [4])\nx.at[0].set(x)").faults.front().fix.front() ==
        "write x = where(iota(i32, x.shape, axis=0) == i, y, x): an array never changes");
}

TEST_CASE("a rewrite of x[mask] keeps what stands around it, or is none") {
  CHECK(trace_script("x = input(f32, [8])\nmean(x[x > 0])").mended ==
        "x = input(f32, [8])\nsum(where(x > 0, x, 0)) / sum(cast(x > 0, f32))");
  for (const char* line : {"mean(x[x > 0] * 2)", "sum(x[x > 0] + 1)", "mean(x[x > 0], 0)", "sum(x[x > 0], axis=0)"}) {
    const ScriptReport report = trace_script("x = input(f32, [8])\n" + std::string{line});
    INFO(line);
    REQUIRE(report.faults.size() == 1);
    CHECK(report.faults.front().number == 203);
    CHECK(report.mended.empty());
  }
  CHECK(trace_script("x = input(f32, [8])\na = mean(x[x > 0])\ny = x[x > 1]").mended ==
        "x = input(f32, [8])\na = sum(where(x > 0, x, 0)) / sum(cast(x > 0, f32))\ny = x[x > 1]");
}
