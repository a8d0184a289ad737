/// What a script is told to write: names that are near one that is not there, and the fixes that are worded for C++.
module octet.script;
import octet.base;
import octet.standard;
import :interpreter;

namespace octet::script {

namespace {

/// How many single changes make one word of another: a letter more, one less, two that changed places, or another
/// letter. The last counts twice in short names: max and min, sin and sign are no misspellings.
std::size_t distance(std::string_view a, std::string_view b) {
  const std::size_t other_letter = std::min(a.size(), b.size()) < 5 ? 2 : 1;
  std::vector<std::size_t> before_last, last, row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before_last = std::exchange(last, row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : other_letter)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
  }
  return row.back();
}

/// Functions of NumPy, JAX and PyTorch that a script has by another name, or composes.
constexpr std::pair<std::string_view, std::string_view> elsewhere[] = {
    {"argmin", "argmax(-x)"},
    {"astype", "cast(x, f32)"},
    {"cat", "concatenate([a, b])"},
    {"clip", "clamp(low, x, high)"},
    {"concat", "concatenate([a, b])"},
    {"cosh", "(exp(x) + exp(-x)) / 2"},
    {"cumsum", "cumulative_sum(x)"},
    {"dot", "matmul(a, b)"},
    {"dynamic_slice", "take(x, i + iota(i32, [4])), from i on 4 of x"},
    {"erfc", "1 - erf(x)"},
    {"exp2", "2.0 ** x"},
    {"fori_loop", "for (i : range(4)) x = …, of as many turns as the host says"},
    {"log2", "log(x) / log(2.0)"},
    {"mm", "matmul(a, b)"},
    {"relu6", "clamp(0, x, 6)"},
    {"scan", "for (i : range(x.shape[0])) with x[i]"},
    {"set", "x = where(iota(i32, x.shape, axis=0) == i, y, x): an array never changes"},
    {"sigmoid", "logistic(x)"},
    {"sinh", "(exp(x) - exp(-x)) / 2"},
    {"std", "sqrt(mean(square(x - mean(x)))), of all elements"},
    {"tan", "sin(x) / cos(x)"},
    {"var", "mean(square(x - mean(x))), of all elements"},
    {"while_loop", "for (i : range(4)) x = where(condition, next, x), of as many turns as the host says"},
};

/// Fixes and parts of fixes as C++ is told them, and what a script can write instead. The longer stand before what is
/// a part of them.
constexpr std::pair<std::string_view, std::string_view> phrases[] = {
    {"while_loop(condition, body, state)",
     "for (i : range(4)) x = where(condition, next, x), of as many turns as the host says"},
    {", or return it and read item() of the Tensor that the compiled function gives",
     ", or return it, and read the number when the program has run"},
    {"return the Array from the function, and read item() of the Tensor that the compiled function gives",
     "return the array, and read the number when the program has run"},
    {"return it from the function and print the Tensor; to_string(x.type()) tells what is known now",
     "return it, and read it when the program has run; x.shape and x.dtype are known now"},
    {"take(table, i) or dynamic_slice(x, {i}, sizes) on an Array, while_loop for a loop (fori_loop to a bound of "
     "the host), switch_case(i, f, g) for a switch",
     "take(table, i), where the table is an array or a list of numbers; for (i : range(4)) for a loop, of as many "
     "turns "
     "as the host says; where(i == 0, a, b) for a switch"},
    {"scan(body, carry, x), which carries a state along the leading axis, or for (int i = 0; i < x.extent(0); ++i) "
     "with x[i]",
     "for (i : range(x.shape[0])) with x[i]"},
    {"update_leading(x, y, i)", "where(iota(i32, x.shape, axis=0) == i, y, x)"},
    {"select(iota({DType::i32, x.shape()}, d) < n, x, 0)", "where(iota(i32, x.shape, axis=0) < n, x, 0)"},
    {"x.extent(d)", "x.shape[0]"},
    {" or dynamic_slice(x, {i}, sizes)", ""},
    {"{.size = n, .fill = v}", "size=4"},
    {"{.size = n, .fill = 0}", "size=4, fill=0"},
    {"{.size = n}", "size=4"},
    {"{.total = n}", "total=4"},
    {"with a bound n", "with a bound of yours in place of 4"},
    {"{.size = ", "size="},
    {", .fill = 0}", ", fill=0"},
    {"give .size ", "give size= "},
    {"give .total ", "give total= "},
    {", or clip(x, -1, 1)", ""},
    {"the reducer or_,", "any(x),"},
    {"the reducer and_,", "all(x),"},
    {"cast<bool>(iota of i32)", "iota(i32, [4]) != 0"},
    {"iota_dimension = ", "axis="},
    {"dimensions = ", "axis="},
};

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != text.npos; at += to.size()) text.replace(at, from.size(), to);
}

/// Where the parenthesis closes that opens before `at`.
std::size_t closing(std::string_view text, std::size_t at) {
  for (int open = 1; at < text.size() && (open += text[at] == '(' ? 1 : text[at] == ')' ? -1 : 0) > 0;) ++at;
  return at;
}

/// cast(x, f32) for cast<float>(x).
void replace_casts(std::string& fix) {
  constexpr std::pair<std::string_view, DType> types[] = {
      {"bool", DType::pred}, {"int", DType::i32},    {"std::int32_t", DType::i32}, {"std::int64_t", DType::i64},
      {"float", DType::f32}, {"double", DType::f64}, {"bfloat16", DType::bf16},    {"std::uint32_t", DType::u32}};
  for (const auto& [in_cpp, type] : types) {
    const std::string cast = "cast<" + std::string{in_cpp} + ">(";
    for (std::size_t at; (at = fix.find(cast)) != fix.npos;) {
      fix.insert(closing(fix, at + cast.size()), ", " + std::string{name(type)});
      fix.replace(at, cast.size(), "cast(");
    }
  }
}

/// [0, 1] for {0, 1}.
void replace_braces(std::string& fix) {
  for (std::size_t at = 0; (at = fix.find('{', at)) != fix.npos; ++at) {
    const std::size_t end = fix.find_first_not_of("0123456789-, ", at + 1);
    if (end == fix.npos || fix[end] != '}') continue;
    fix[at] = '[';
    fix[end] = ']';
  }
}

/// broadcast_to(reshape(x, [x.shape[0], 1]), [4, 8]) for broadcast_in_dim(x, [4, 8], [0]).
void replace_broadcast(std::string& fix) {
  constexpr std::string_view call = "broadcast_in_dim(";
  const std::size_t at = fix.find(call), places = fix.rfind(", ["), extents = fix.rfind(", [", places - 1);
  if (at == fix.npos || places == fix.npos || extents == fix.npos || extents < at) return;
  const std::string x = fix.substr(at + call.size(), extents - at - call.size());
  const std::string to = fix.substr(extents + 2, places - extents - 2);
  const std::size_t end = fix.find(']', places);
  std::vector<std::string> shape(static_cast<std::size_t>(to == "[]" ? 0 : std::count(to.begin(), to.end(), ',') + 1),
                                 "1");
  std::size_t d = 0;
  for (const char place : fix.substr(places, end - places))  // a script's arrays have few dimensions: one digit
    if (place >= '0' && place <= '9') {
      const auto which = static_cast<std::size_t>(place - '0');
      if (which < shape.size()) shape[which] = x + ".shape[" + std::to_string(d++) + "]";
    }
  std::string list;
  for (const std::string& extent : shape) list += (list.empty() ? "" : ", ") + extent;
  fix.replace(at, end + 2 - at, "broadcast_to(reshape(" + x + ", [" + list + "]), " + to + ")");
}

}  // namespace

std::vector<std::string> nearest_first(const std::string& name, const std::vector<std::string>& known) {
  std::vector<std::string> fix;
  const std::size_t most = name.size() < 8 ? 1 : 2;
  if (name.size() < 2 || name.size() > 40) return fix;
  for (std::size_t far = 1; far <= most; ++far)
    for (const std::string& other : known)
      if (other.front() == name.front() && distance(name, other) == far && fix.size() < 2)
        fix.push_back("write " + other);
  return fix;
}

std::vector<std::string> instead_of(const std::string& name, const std::vector<std::string>& known) {
  for (const auto& [its_name, instead] : elsewhere)
    if (its_name == name) return {"write " + std::string{instead}};
  constexpr std::string_view prefix = "reduce_";
  if (name.starts_with(prefix) && std::find(known.begin(), known.end(), name.substr(prefix.size())) != known.end())
    return {"write " + name.substr(prefix.size())};
  return nearest_first(name, known);
}

std::string as_script(std::string fix) {
  for (const auto& [in_cpp, in_script] : phrases) replace_all(fix, in_cpp, in_script);
  replace_casts(fix);
  replace_braces(fix);
  replace_broadcast(fix);
  return fix;
}

}  // namespace octet::script
