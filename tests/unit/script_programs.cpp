/// Scripts that are programs, and by which number those that are none are refused.
#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <random>
#include <string>
#include <utility>
#include <vector>

import octet.base;
import octet.graph;
import octet.script;

#include "script_lines.hpp"

using namespace octet;

TEST_CASE("blanks that keyboards and web pages put are blanks") {
  CHECK(types_of("x\u00a0= input(f32,\u00a0[2])\n\ufeffy\u3000=\u3000x\u200b * 2\u00a0") == "x f32[2], y f32[2]");
  CHECK(types_of("\u9ad8\u3000= input(f32, [2])") == "\u9ad8 f32[2]");
}

TEST_CASE("full-width forms are read as what they stand for, but in remarks") {
  CHECK(types_of("x = input\uff08f32\uff0c \uff3b\uff14\uff3d\uff09\n\uff59 \uff1d \uff58 \uff0a 2\uff1b") ==
        "x f32[4], y f32[4]");
  CHECK(faults_of("x = input(f32, \uff3b4\uff3d)\n\u9ad8 = x\uff3bx \uff1e 0\uff3d\uff03 \uff01") == "X203:2");
  const std::string mended = trace_script("x = input(f32\uff0c [4]) # \uff0c\nmean(x[x > 0]) // \uff01").mended;
  CHECK(mended.starts_with("x = input(f32, [4]) # \uff0c\n"));
  CHECK(mended.ends_with("// \uff01"));
}

TEST_CASE("a sign that is none of the language's is refused with the one that is meant") {
  for (const auto& [text, fix] : std::vector<std::pair<std::string, std::string>>{
           {"x = 3 \u00d7 4", "write * instead"},
           {"x = 3\u00d74", "write * instead"},
           {"x = y\u2212z", "write - instead"},
           {"x = 3 \u2264 4", "write <= instead"},
           {"x = [1\u3001 2]", "write , instead"},
           {"x = \u201ca\u201d", "leave the quotation marks out: a program has no text in it"},
           {"x = 'a'", "leave the quotation marks out: a program has no text in it"}}) {
    INFO(text);
    CHECK(faults_of(text) == "X730:1");
    CHECK(trace_script(text).faults.at(0).fix == std::vector<std::string>{fix});
  }
  CHECK(faults_of("x = 1 \u2192 2") == "X730:1");
}

TEST_CASE("an element type by its name in C++ and Python is told by its own") {
  for (const auto& [name, type] : std::vector<std::pair<std::string, std::string>>{
           {"bool", "pred"}, {"float", "f32"}, {"float32", "f32"}, {"int", "i32"}})
    CHECK(trace_script("x = input(" + name + ", [4])").faults.at(0).fix.front() == "as an element type write " + type);
}

TEST_CASE("what Python writes otherwise is told as it is written here") {
  const auto fix_of = [](const std::string& line) {
    return trace_script("x = input(f32, [4])\ni = input(i32, [4])\n" + line).faults.at(0).fix.front();
  };
  for (const auto& [line, fix] : std::vector<std::pair<std::string, std::string>>{
           {"where(0 < x < 1, x, 0)", "write (0 < x) & (x < 1)"},
           {"y = i == i != i", "write (i == i) & (i != i)"},
           {"jnp.sum(x)", "write sum(…): functions stand without a module's name"},
           {"y = jax.nn.relu(x)", "write relu(…): functions stand without a module's name"},
           {"x.astype(i32)", "write cast(x, i32)"},
           {"x.astype(float32)", "write cast(x, f32)"},
           {"take(x, x)", "cast(indices, i32)"}}) {
    INFO(line);
    CHECK(fix_of(line) == fix);
  }
  CHECK(types_of("x = input(f32, [4])\n(0 < x) & (x < 1)") == "x f32[4], i1[4]");
  CHECK(types_of("x = input(f32, [4])\n(x > 0) == (x < 1)") == "x f32[4], i1[4]");
  CHECK(types_of("n = 7\nx = input(f32, [int(n / 2)])") == "x f32[3]");
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

TEST_CASE("'not' is looser than a comparison, and '//' behind a value is a remark only where it cannot divide") {
  CHECK(types_of("x = input(f32, [2])\nif not 0 > 4: y = x\nif not 5 == 4 and not 2 < 1: z = x") ==
        "x f32[2], y f32[2], z f32[2]");
  CHECK(trace_script("x = input(f32, [2])\ny = not x > 0").faults.front().fix.front() == "write ~(x > 0)");
  CHECK(trace_script("x = input(f32, [2])\nbool b = where(x > 0, x, 1)").faults.front().fix.front() ==
        "write b = where(x > 0, x, 1), without bool");
  const std::string before = "x = input(i32, [2])\nk = 2  // (rows, step)\n";
  for (const std::string line : {"y = x // 2", "y = 7 // (2 + 1)", "n = 4 // k", "x + 1//2", "x //= 2", "y = x // -2",
                                 "y = x // x[0]", "y = x // k + 1", "y = (x // k)"}) {
    INFO(line);
    const ScriptReport report = trace_script(before + line);
    REQUIRE_FALSE(report.faults.empty());
    CHECK(report.faults.front().number == 730);
    CHECK(report.faults.front().where.line == 3);
    CHECK(report.faults.front().sentence.ends_with("is a remark in C++, and divides in Python."));
  }
  for (const std::string line :
       {"y = x // half of it", "y = x; // of 2", "// 2", "y = x //", "y = x // other", "y = x # 2 // 2",
        "y = input(f32, [4, 8])  // (batch, features)", "y = input(f32, [4, 8])  // 4 rows of 8", "y = x * 2  // step",
        "loss = max(x)  // loss", "y = where(x > 0, x, 0) // 0 where it is not", "y = x // k of them"}) {
    INFO(line);
    CHECK(trace_script(before + line).faults.empty());
  }
  CHECK(types_of("x = input(bool, [2])\ny = x & not x\nz = x == not x").empty());
  CHECK(trace_script("x = input(i32, [2])\nfor k in range(3):\n  x = x").faults.front().sentence ==
        "Line 2 has nothing to repeat.");
  CHECK(trace_script("x = input(i32, [2])\nelse: y = x").faults.front().sentence == "Line 2 begins with 'else'.");
}

TEST_CASE("an array is indexed in each dimension by a number or a part, whose ends count from either side") {
  const std::string x = "x = input(f32, [2, 3], values=[0, 1, 2, 3, 4, 5])\n";
  CHECK(types_of(x + "x[1, 2]\nx[:, 1]\nx[:1, -1]\nx[-1:, :2]\nx[:]\nx[1:1]\nx[0:2, 1:3]") ==
        "x f32[2, 3], f32[], f32[2], f32[1], f32[1, 2], f32[2, 3], f32[0, 3], f32[2, 2]");
  for (const auto& [index, sum] : std::vector<std::pair<std::string, double>>{
           {"1, 2", 5}, {"-1, -3", 3}, {":, 1", 5}, {":, -2:", 12}, {"-1:, :2", 7}, {"1, 1:", 9}, {":, 0:-1", 8}}) {
    INFO(index);
    CHECK(results_of(x + "sum(x[" + index + "])").front().item() == sum);
  }
  CHECK(types_of(x + "zeros(x.shape[:1])\nzeros(x.shape[-1:])\nones([4, 5, 6][1:3])") ==
        "x f32[2, 3], f32[2], f32[3], f32[5, 6]");
  const std::string n = "n = argmax(x[0])\n";
  for (const auto& [line, number] : std::vector<std::pair<std::string, std::string>>{{"x[0, 3]", "X403:3"},
                                                                                     {"x[:, 3]", "X403:3"},
                                                                                     {"x[:, -4]", "X403:3"},
                                                                                     {"x[1:1, 3]", "X403:3"},
                                                                                     {"x[2:1]", "X403:3"},
                                                                                     {"x[:, :4]", "X403:3"},
                                                                                     {"x[0, 0, 0]", "X733:3"},
                                                                                     {"x[0, [1]]", "X733:3"},
                                                                                     {"[1, 2][:3]", "X733:3"},
                                                                                     {"[1, 2][1:0]", "X733:3"},
                                                                                     {"x[0, 0][:]", "X733:3"},
                                                                                     {"x[0, n]", "X203:3"},
                                                                                     {"x[0, n:]", "X202:3"},
                                                                                     {"x[x > 0, 0]", "X203:3"},
                                                                                     {"x[::2]", "X730:3"},
                                                                                     {"x[0,]", "X730:3"}}) {
    INFO(line);
    CHECK(faults_of(x + n + line) == number);
  }
}

TEST_CASE("an element that a dimension does not have is told as one of that dimension") {
  const Diagnostic fault = trace_script("x = input(f32, [3, 4])\nx[:, -5]").faults.at(0);
  CHECK(fault.sentence == "There is no element -5 in dimension 1 of f32[3, 4].");
  CHECK(fault.fix.front() == "take one from 0 to 3");
  CHECK(trace_script("x = input(f32, [3, 4])\nx[0, 9]").faults.at(0).sentence ==
        "There is no element 9 in dimension 1 of f32[3, 4].");
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
  CHECK(trace_script("zeros([2, 2, 2, 2, 2, 2, 2, 2])").faults.empty());
  CHECK(trace_script("x = input(f32, [2, 2, 2, 2, 2, 2, 2, 2, 2])").faults.front().sentence ==
        "input makes an array of shape [2, 2, 2, 2, 2, 2, 2, 2, 2]; a script's have at most 65536 elements and 8 "
        "dimensions.");
  CHECK(trace_script("ab = [1]\ny = abb").faults.front().fix.front() == "write ab");
  const auto one_letter = trace_script("a = [1]\ny = b").faults.front();  // any other letter would be as near
  CHECK(one_letter.fix.front() != "write a");
  CHECK(trace_script(std::string(150, '\n')).faults.front().number == 734);
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
