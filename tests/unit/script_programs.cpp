/// Scripts that are programs, and what the lines of those that are none are refused with.
#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

import octet.base;
import octet.graph;
import octet.trace;
import octet.script;

using namespace octet;

namespace {

/// "X101:2 X203:3", by line.
std::string faults_of(const std::string& text) {
  std::string result;
  for (const Diagnostic& fault : trace_script(text).faults)
    result += (result.empty() ? "" : " ") + diagnostic_name(fault.number) + ":" + std::to_string(fault.where.line);
  return result;
}

/// The types of the lines, "x f32[4], y f32[]".
std::string types_of(const std::string& text) {
  const ScriptReport report = trace_script(text);
  for (const Diagnostic& fault : report.faults) UNSCOPED_INFO(fault.text());
  std::string result;
  for (const ScriptLine& line : report.lines)
    result += (result.empty() ? "" : ", ") + (line.name.empty() ? "" : line.name + " ") + to_string(line.type);
  return result;
}

/// What the program computes from its arguments, by the reference.
std::vector<Tensor> results_of(const std::string& text) {
  const ScriptReport report = trace_script(text);
  for (const Diagnostic& fault : report.faults) UNSCOPED_INFO(fault.text());
  REQUIRE(report.faults.empty());
  return evaluate(report.graph, report.arguments);
}

constexpr std::string_view masked_loss = R"(loss = input(f32, [6], values=[1, 2, 3, 4, 5, 6])
label = input(i32, [6], values=[7, -100, 8, 9, -100, 2])
keep = label != -100
)";

}  // namespace

TEST_CASE("blanks that keyboards and web pages put are blanks") {
  CHECK(types_of("x\u00a0= input(f32,\u00a0[2])\n\ufeffy\u3000=\u3000x\u200b * 2\u00a0") == "x f32[2], y f32[2]");
  CHECK(types_of("\u9ad8\u3000= input(f32, [2])") == "\u9ad8 f32[2]");
}

TEST_CASE("a script gives a type for each line, and a program that computes what its last line says") {
  CHECK(types_of("x = input(f32, [4, 8])\ny = where(x > 0, x, 0)\nsum(y)") == "x f32[4, 8], y f32[4, 8], f32[]");
  CHECK(results_of("x = input(f32, [3], values=[1, -2, 3])\nsum(where(x > 0, x, 0))").front().item() == 4);
  CHECK(results_of("a = [[1, 2], [3, 4]]\nreturn sum(a @ a.T), max(a)").size() == 2);
}

TEST_CASE("the host's numbers compute while the program is traced, and may decide") {
  CHECK(types_of("x = input(f32, [4, 6])\nn = x.shape[0] * x.shape[1]\nif (n > 20) y = reshape(x, [n]) else y = x") ==
        "x f32[4, 6], y f32[24]");
  CHECK(types_of("x = input(f32, [4])\nfor (i : range(3)) x = x + x[i]") == "x f32[4], x f32[4], x f32[4], x f32[4]");
  CHECK(types_of("x = input(f32, [8])\ny = 1 if x.shape[0] == 8 else 2\nz = x ** y * -1.5e0f") == "x f32[8], z f32[8]");
  CHECK(types_of("auto x = input(bf16, [2, 3]); // as C++ says it\nx = x.sum(axis=1);") == "x bf16[2, 3], x bf16[2]");
}

TEST_CASE("rule 1 is refused at the line that asks for a value") {
  const std::string x = "x = input(f32, [4])\n";
  for (const char* line : {"if (sum(x) > 1) y = x else y = -x", "if sum(x) > 1:", "while (max(x) > 1) x = x / 2",
                           "y = x if sum(x) > 1 else -x", "y = sum(x) > 1 ? x : -x", "assert sum(x) > 0",
                           "y = !(x > 0)", "y = not (x > 0)", "y = (x > 0) && (x < 1)", "y = (x > 0) or (x < 1)",
                           "bool b = sum(x) > 1", "b = bool(sum(x))"}) {
    INFO(line);
    CHECK(faults_of(x + line) == "X101:2");
  }
  for (const char* line : {"t = float(sum(x))", "float t = sum(x)", "t = sum(x).item()", "print(x)"}) {
    INFO(line);
    CHECK(faults_of(x + line) == "X106:2");
  }
  for (const char* line :
       {"int n = sum(x)", "n = int(sum(x))", "y = [1, 2, 3][argmax(x)]", "for (i : range(argmax(x))) x = x + 1"}) {
    INFO(line);
    CHECK(faults_of(x + line) == "X107:2");
  }
  CHECK(faults_of(x + "for (row : x) x = x + row") == "X108:2");
  CHECK(faults_of(x + "y = cond(sum(x) > 1, x, x[0])") == "X102:2");
}

TEST_CASE("rule 2 is refused at the line whose shape would come from data") {
  const std::string x = "x = input(f32, [4])\nn = argmax(x)\n";
  for (const auto& [line, number] :
       std::vector<std::pair<std::string, std::string>>{{"y = x[x > 0]", "X203:3"},
                                                        {"y = x[n]", "X203:3"},
                                                        {"y = unique(x)", "X201:3"},
                                                        {"y = nonzero(x)", "X201:3"},
                                                        {"y = where(x > 0)", "X201:3"},
                                                        {"y = argwhere(x)", "X201:3"},
                                                        {"y = repeat(x, cast(x, i32))", "X204:3"},
                                                        {"y = zeros([n, 2])", "X202:3"},
                                                        {"y = reshape(x, [n, 4])", "X202:3"},
                                                        {"y = x[0:n]", "X202:3"},
                                                        {"y = unique(x, size=n)", "X202:3"}}) {
    INFO(line);
    CHECK(faults_of(x + line) == number);
  }
}

TEST_CASE("the sentence is the one that the C++ compiler says, with the chain that led there") {
  const ScriptReport report = trace_script("x = input(f32, [4])\nif (sum(x) > 1) y = x else y = -x");
  REQUIRE(report.faults.size() == 1);
  const Diagnostic& fault = report.faults.front();
  CHECK(fault.sentence ==
        "A traced Array has no value to branch on: XLA compiles the program before any value exists.");
  CHECK(fault.rule.starts_with("XLA compiles the program before any value exists"));
  CHECK(to_string(fault.where) == "program:2");
  REQUIRE(fault.because.size() >= 2);
  CHECK(fault.because.front().what == "argument x: f32[4]");
  REQUIRE(fault.fix.size() == 2);
  CHECK(fault.fix[0] == "write y = where(sum(x) > 1, x, -x)");
  CHECK(fault.fix[1].starts_with("write select(condition, a, b), or cond("));
}

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
                           "unique(x, size=4, fill=0)",
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
  CHECK(own.faults.front().fix.front() == "write dimensions = sum(x)");
  CHECK(faults_of(x + "if (x.shape[0] > 1) x[0] = 1\nx[0][1] = 2\nx[0] = [1, 2, 3]\nsum(x)") == "X109:2 X109:3 X109:4");
  CHECK(faults_of(x + "x[2] = 1\nx.shape[0] = 3\na = [1]\na[0] = 2\nq[0] = 1") == "X403:2 X733:3 X733:5 X731:6");
}

TEST_CASE("each rewrite that is proposed is a program") {
  for (const char* text :
       {"x = input(f32, [4])\nif (sum(x) > 1) y = x else y = -x", "x = input(f32, [4])\ny = x\nif x.sum() > 1: y = -x",
        "x = input(f32, [4])\ny = x if (sum(x) > 1) else -x", "x = input(f32, [4])\ny = (sum(x) > 1) ? x : -x",
        "x = input(f32, [4])\ny = !(x > 0)", "x = input(f32, [4])\ny = x > 0 && x < 1 || x > 5",
        "x = input(f32, [4])\nbool b = sum(x) > 1", "x = input(f32, [4])\nt = float(sum(x)) * 2",
        "x = input(f32, [4])\nprint(x)", "x = input(f32, [4])\ny = mean(x[x > 0]) + 1",
        "x = input(f32, [4])\ny = sum(x[x > 0])", "x = input(f32, [4])\ny = x[argmax(x)]",
        "x = input(f32, [4])\ny = x ? 1 : 0", "x = input(i32, [4])\ny = x\nif (x + 1) y = -x",
        "x = input(f32, [4])\ny = x && x > 1", "x = input(f32, [4])\ny = !x", "x = input(f32, [4])\ny = sum(x[x - 1])",
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

TEST_CASE("bounded forms have the extent that the host gives") {
  CHECK(types_of("x = input(i32, [8])\nu = unique(x, size=5, fill=-1)\nx = take(x, nonzero(x > 1, size=3)[0])") ==
        "x i32[8], u i32[5], x i32[3]");
  CHECK(types_of("x = input(f32, [2])\nr = repeat(x, [1, 3], total=4)\ns = repeat(x, 2)") ==
        "x f32[2], r f32[4], s f32[4]");
}

TEST_CASE("the library's own refusals come at the script's line") {
  CHECK(faults_of("x = input(f32, [4, 8])\ny = input(f32, [4])\nz = matmul(x, y)") == "X401:3");
  CHECK(faults_of("x = input(f32, [4, 8])\ny = x + input(f32, [3, 8])") == "X401:2");
  CHECK(faults_of("x = input(f32, [4]) + input(i32, [4])") == "X402:1");
}

TEST_CASE("all lines that are refused are told at once, and what depends on them is not") {
  CHECK(faults_of("x = input(f32, [4])\ny = x[x > 0]\nz = sum(y) + 1\nif (sum(x) > 1) z = 2\nw = unique(x)\nv = (") ==
        "X203:2 X101:4 X201:5 X730:6");
  CHECK(faults_of("x = )\ny = sum(x) + z") == "X730:1");
}

TEST_CASE("what is no program is refused by number") {
  for (const auto& [text, number] :
       std::vector<std::pair<std::string, std::string>>{{"", "X730:0"},
                                                        {"# nothing but a remark", "X730:0"},
                                                        {"3 + 4", "X730:0"},
                                                        {"x = ", "X730:1"},
                                                        {"x = input(f32, [4]", "X730:1"},
                                                        {"x = input(f32, [4]) y", "X730:1"},
                                                        {"x = $", "X730:1"},
                                                        {"x = 1.2.3", "X730:1"},
                                                        {"x = 0x10", "X730:1"},
                                                        {"x = 1e999", "X730:1"},
                                                        {"if (2 > 1)", "X730:1"},
                                                        {"y = x", "X731:1"},
                                                        {"y = 고양이 + 🙂", "X731:1"},
                                                        {"y = reduce_mean([1, 2])", "X732:1"},
                                                        {"y = sum()", "X733:1"},
                                                        {"y = sum([1], 0, 0)", "X733:1"},
                                                        {"y = sum([1], size=3)", "X733:1"},
                                                        {"y = sum([[1], [1, 2]])", "X733:1"},
                                                        {"y = sum([1, f32])", "X733:1"},
                                                        {"y = zeros([1.5])", "X733:1"},
                                                        {"y = zeros([-1])", "X733:1"},
                                                        {"y = [1, 2][5]", "X733:1"},
                                                        {"y = input(f32, [3], values=[1])", "X733:1"},
                                                        {"y = zeros([100000, 100000])", "X734:1"},
                                                        {"y = matmul(zeros([60000, 1]), zeros([1, 60000]))", "X734:1"},
                                                        {"y = unique([1, 2], size=99999999)", "X734:1"},
                                                        {"y = repeat([1], 1000000)", "X734:1"},
                                                        {"while (1 > 0) x = 1", "X734:1"},
                                                        {"for (i : range(900)) x = 1", "X734:1"},
                                                        {"y = " + std::string(300, '(') + "1", "X734:1"},
                                                        {"y = " + std::string(300, '-') + "1", "X734:1"},
                                                        {"y = 1 + " + std::string(500, ' ') + "1", "X734:1"}}) {
    INFO(text);
    CHECK(faults_of(text) == number);
  }
  CHECK(trace_script("ab = [1]\ny = abb").faults.front().fix.front() == "write ab");
  const auto one_letter = trace_script("a = [1]\ny = b").faults.front();  // any other letter would be as near
  CHECK(one_letter.fix.front() != "write a");
  CHECK(trace_script(std::string(150, '\n')).faults.front().number == 734);
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

TEST_CASE("names are of any language") {
  CHECK(types_of("고양이 = input(f32, [2])\nかさ_2 = 고양이 * 2") == "고양이 f32[2], かさ_2 f32[2]");
}

TEST_CASE("any text is answered") {
  const std::vector<std::string> pieces{"x",       "=",       "(",    ")",   "[",  "]",       "if ",      " else ",
                                        "for ",    "while ",  "+",    "-",   "!",  "&&",      " or ",     " not ",
                                        "?",       ":",       ".",    "sum", ">",  "1",       "2.5",      ",",
                                        "where(",  "unique(", "T",    "\n",  ";",  ".item()", "\xed\x95", "🙂",
                                        "return ", "size=",   "true", "@",   "**", "0",       "99999999"};
  const std::string start =
      "x = input(f32, [4])\ny = where(x > 0, x, -x) * 2\nif (x.shape[0] > 2) y = y + x[1]\nz = unique(y, "
      "size=3)\nsum(z[0:2])";
  std::mt19937 random{1};
  std::size_t programs = 0;
  for (int turn = 0; turn < 3000; ++turn) {
    std::string text = start;
    for (std::size_t change = 0; change < 1 + turn % 4u; ++change) {
      const std::size_t at = random() % text.size();
      if (random() % 2)
        text.insert(at, pieces[random() % pieces.size()]);
      else
        text.erase(at, 1 + random() % 5);
    }
    const ScriptReport report = trace_script(text);
    for (const Diagnostic& fault : report.faults) {
      INFO(text << "\n" << fault.text());
      CHECK(!catalogue_entry(fault.number).title.empty());
      CHECK(!fault.sentence.empty());
    }
    programs += report.faults.empty();
  }
  CHECK(programs > 20);
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

TEST_CASE("lists and inputs of a script are bounded, however they grow") {
  CHECK(faults_of("x = 0\nfor (i : range(64)) for (j : range(64)) x = [[[[[[[[[[x]]]]]]]]]]") == "X734:2");
  CHECK(faults_of("a = range(1000)\nb = [a, a, a, a, a]") == "X734:2");
  CHECK(faults_of("for (i : range(64)) for (j : range(64)) assert len(input(f32, [65536])) > 0") == "X734:1");
  CHECK(faults_of("zeros([9007199254740992, 9007199254740992, 0])") == "X734:1");
}

TEST_CASE("arguments of another kind are refused, and none does nothing") {
  const std::string x = "x = input(f32, [2, 3])\n";
  for (const char* line : {"sum(x, 1, axis=0)", "softmax(x, 0, axis=1)", "where(x > 0, x, x, size=3)",
                           "unique(x, fill=0)", "sum(x, axis=0, axis=1)", "float([1, 2])", "bool(x.shape)", "int(f32)",
                           "x = 1 if x.shape else 2", "sum([1, [2]])", "repeat(x, 2, total=9)"}) {
    INFO(line);
    CHECK(faults_of(x + line) == "X733:2");
  }
  CHECK(types_of(x + "sum(x, keep=true)") == "x f32[2, 3], f32[1, 1]");
}
