/// Tensors as NumPy prints arrays, at its defaults: a column for each number, eight digits after the point at most, the
/// exponent where numbers are large, small or far apart, lines of 75 characters, and of more than 1,000 elements the
/// first and last three along each dimension.
module octet.base;
import octet.standard;
import :decimal;

namespace octet {

namespace {

constexpr std::int64_t most_elements = 1000, edge = 3;
constexpr std::size_t line_width = 75, digits_after_point = 8;

/// `1.5e-03` as before and after the point, without trailing zeros, and its exponent.
struct Decimal {
  std::string whole, fraction, exponent;

  explicit Decimal(const std::string& text) {
    const std::size_t e = std::min(text.find('e'), text.size()), point = std::min(text.find('.'), e);
    whole = text.substr(0, point);
    if (point < e) fraction = text.substr(point + 1, e - point - 1);
    if (e < text.size()) exponent = text.substr(e);
    while (fraction.ends_with('0')) fraction.pop_back();
  }
};

Decimal scientific(std::floating_point auto number) {
  Decimal result{shortest_decimal(number, Notation::scientific)};
  if (result.fraction.size() <= digits_after_point) return result;
  return Decimal{scientific_decimal(static_cast<double>(number), digits_after_point + 1)};
}

Decimal plain(std::floating_point auto number) {
  Decimal result{shortest_decimal(number, Notation::plain)};
  if (result.fraction.size() <= digits_after_point) return result;
  const double wide = static_cast<double>(number);
  const auto exponent_of = [](const std::string& text) { return std::stoi(text.substr(text.find('e') + 1)); };
  const int kept = exponent_of(scientific_decimal(wide, 17)) + 1 + static_cast<int>(digits_after_point);
  const std::string rounded = scientific_decimal(std::abs(wide), kept);
  std::string digits;
  for (const char c : rounded.substr(0, rounded.find('e')))
    if (c != '.') digits += c;
  const int before = exponent_of(rounded) + 1;  // of 0.05 it is -1
  if (before < 1) digits.insert(0, static_cast<std::size_t>(1 - before), '0');
  digits.insert(static_cast<std::size_t>(std::max(before, 1)), ".");
  return Decimal{(std::signbit(wide) ? "-" : "") + digits};
}

std::string right_aligned(const std::string& text, std::size_t width) {
  return std::string(text.size() < width ? width - text.size() : 0, ' ') + text;
}
std::string left_aligned(std::string text, std::size_t width, char with) {
  text.resize(std::max(width, text.size()), with);
  return text;
}

/// All `numbers` in one form, as wide as each other.
template <std::floating_point Real>
std::vector<std::string> columns(const std::vector<Real>& numbers) {
  double largest = 0, smallest = std::numeric_limits<double>::infinity();
  bool negative_infinity = false, all_finite = true;
  for (const Real number : numbers) {
    const double size = std::abs(static_cast<double>(number));
    all_finite &= std::isfinite(size);
    negative_infinity |= std::isinf(number) && number < 0;
    if (!std::isfinite(size) || size == 0) continue;
    largest = std::max(largest, size);
    smallest = std::min(smallest, size);
  }
  const bool exponents = largest >= 1e8 || (largest > 0 && (smallest < 1e-4 || largest / smallest > 1000));
  std::size_t before = 0, after = 0, exponent = 0;
  std::vector<std::optional<Decimal>> decimals;
  for (const Real number : numbers) {
    decimals.emplace_back();
    if (!std::isfinite(number)) continue;
    const Decimal& decimal = decimals.back().emplace(exponents ? scientific(number) : plain(number));
    before = std::max(before, decimal.whole.size());
    after = std::max(after, decimal.fraction.size());
    exponent = std::max(exponent, decimal.exponent.size());
  }
  // What fewer digits tell apart has as many as the others: those that it really has.
  for (std::size_t i = 0; exponents && i < numbers.size(); ++i)
    if (decimals[i] && decimals[i]->fraction.size() < after)
      decimals[i].emplace(scientific_decimal(static_cast<double>(numbers[i]), static_cast<int>(after) + 1));
  const std::size_t rest = 1 + after + exponent;  // with the point
  if (!all_finite) {
    const std::size_t widest = negative_infinity ? 4 : 3;
    if (widest > rest) before = std::max(before, widest - rest);
  }
  std::vector<std::string> result;
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (const auto& decimal = decimals[i])
      result.push_back(right_aligned(decimal->whole, before) + "." +
                       left_aligned(decimal->fraction, after, exponents ? '0' : ' ') + decimal->exponent);
    else
      result.push_back(right_aligned(shortest_decimal(numbers[i]), before + rest));
  return result;
}

std::vector<std::string> columns(std::vector<std::string> words) {
  std::size_t width = 0;
  for (const std::string& word : words) width = std::max(width, word.size());
  for (std::string& word : words) word = right_aligned(word, width);
  return words;
}

/// The elements at `places`, all as wide as each other.
std::vector<std::string> words_of(const Tensor& tensor, const std::vector<std::size_t>& places) {
  return visit_dtype(tensor.dtype(), [&]<class T>(std::type_identity<T>) {
    const std::span<const T> elements = tensor.span<T>();
    if constexpr (std::is_integral_v<T>) {
      std::vector<std::string> words;
      for (const std::size_t place : places) {
        if constexpr (std::is_same_v<T, bool>)
          words.emplace_back(elements[place] ? " True" : "False");
        else
          words.push_back(std::to_string(elements[place]));
      }
      return columns(std::move(words));
    } else {
      using Real = std::conditional_t<std::is_same_v<T, double>, double, float>;
      std::vector<Real> numbers;
      for (const std::size_t place : places) numbers.push_back(static_cast<Real>(elements[place]));
      return columns(numbers);
    }
  });
}

/// As Python prints a number that stands alone.
std::string scalar_text(const Tensor& tensor) {
  return visit_dtype(tensor.dtype(), [&]<class T>(std::type_identity<T>) -> std::string {
    const T element = tensor.span<T>()[0];
    if constexpr (std::is_same_v<T, bool>) {
      return element ? "True" : "False";
    } else if constexpr (std::is_integral_v<T>) {
      return std::to_string(element);
    } else {
      using Real = std::conditional_t<std::is_same_v<T, double>, double, float>;
      const Real number = static_cast<Real>(element);
      const double size = std::abs(static_cast<double>(number));
      if (!std::isfinite(size)) return shortest_decimal(number);
      const bool exponent = size != 0 && (size < 1e-4 || size >= 1e16);
      const std::string text = shortest_decimal(number, exponent ? Notation::scientific : Notation::plain);
      return exponent || text.find('.') != text.npos ? text : text + ".0";
    }
  });
}

class Rows {
 public:
  Rows(const Shape& shape, bool shortened) : shape_{shape}, shortened_{shortened} {}

  /// The places of what is printed, in its order.
  std::vector<std::size_t> places() const {
    std::vector<std::size_t> result;
    gather(0, 0, result);
    return result;
  }

  /// `words` are those of the places, in their order.
  std::string text(const std::vector<std::string>& words) {
    auto next = words.begin();
    return bracketed(0, next);
  }

 private:
  bool shortens(std::int64_t dimension) const { return shortened_ && shape_[dimension] > 2 * edge; }

  /// Calls `each` with the indices of `dimension` that are printed, and with -1 where some are left out.
  void indices(std::int64_t dimension, const std::function<void(std::int64_t)>& each) const {
    const std::int64_t extent = shape_[dimension];
    const std::int64_t head = shortens(dimension) ? edge : extent, tail = shortens(dimension) ? extent - edge : extent;
    for (std::int64_t i = 0; i < head; ++i) each(i);
    if (shortens(dimension)) each(-1);
    for (std::int64_t i = tail; i < extent; ++i) each(i);
  }

  void gather(std::int64_t dimension, std::int64_t place, std::vector<std::size_t>& result) const {
    if (dimension == shape_.rank()) {
      result.push_back(static_cast<std::size_t>(place));
      return;
    }
    indices(dimension, [&](std::int64_t i) {
      if (i >= 0) gather(dimension + 1, place * shape_[dimension] + i, result);
    });
  }

  std::string bracketed(std::int64_t dimension, std::vector<std::string>::const_iterator& next) const {
    const std::string indent(static_cast<std::size_t>(dimension) + 1, ' ');
    const bool innermost = dimension + 1 == shape_.rank();
    std::string text, line = indent;
    indices(dimension, [&](std::int64_t i) {
      const std::string word = i < 0 ? "..." : innermost ? *next++ : bracketed(dimension + 1, next);
      if (!innermost) {
        text += (text.empty() ? "" : std::string(static_cast<std::size_t>(shape_.rank() - dimension - 1), '\n')) +
                indent + word;
        return;
      }
      if (line.size() > indent.size()) line += ' ';
      // Room for the brackets that close here.
      if (line.size() > indent.size() && line.size() + word.size() > line_width - indent.size()) {
        text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
        line = indent;
      }
      line += word;
    });
    if (innermost) text += line;
    return "[" + text.substr(indent.size()) + "]";
  }

  const Shape& shape_;
  bool shortened_;
};

}  // namespace

std::string to_string(const Tensor& tensor) {
  const Shape& shape = tensor.shape();
  if (tensor.elements() == 0) return "[]";
  if (shape.rank() == 0) return scalar_text(tensor);
  Rows rows{shape, tensor.elements() > most_elements};
  return rows.text(words_of(tensor, rows.places()));
}

}  // namespace octet
