module octet.graph;
import octet.base;
import octet.standard;
import :cursor;
import :literal;
import :syntax;

namespace octet::syntax {

namespace {

constexpr std::int64_t most_elements = std::int64_t{1} << 56;
constexpr std::int64_t most_constant_bytes = std::int64_t{1} << 28;
constexpr std::string_view half = "f16";

/// The type as which a narrow one is read, so that a program with it can be judged: nothing of others. f16 is as wide
/// as bf16.
std::optional<DType> wider(std::string_view element) {
  if (element == half) return DType::bf16;
  constexpr std::string_view narrow[] = {"i2", "i4", "i8", "i16"};
  if (std::ranges::count(narrow, element.substr(element.starts_with('u')))) return DType::i32;
  constexpr std::string_view floats[] = {"f4E2M1FN", "f6E2M3FN",   "f6E3M2FN",   "f8E3M4",
                                         "f8E4M3",   "f8E4M3FN",   "f8E4M3FNUZ", "f8E4M3B11FNUZ",
                                         "f8E5M2",   "f8E5M2FNUZ", "f8E8M0FNU"};
  return std::ranges::count(floats, element) ? std::optional{DType::bf16} : std::nullopt;
}

/// `8x64xf32`; nothing where the elements are of a type that Octet does not have.
std::optional<TensorType> tensor_type(Cursor& text, std::size_t position, std::string_view inner) {
  TensorType type;
  Dims extents;
  std::int64_t elements = 1;
  while (!inner.empty() && inner.front() >= '0' && inner.front() <= '9') {
    const std::size_t end = inner.find('x');
    std::int64_t extent = 0;
    if (end == std::string_view::npos || !literal::read_number(inner.substr(0, end), extent)) return std::nullopt;
    if (extent > Cursor::largest_integer || extent > most_elements / elements)
      text.refuse(position, "a tensor of this shape does not fit into any memory");
    elements *= std::max<std::int64_t>(extent, 1);
    extents.push_back(extent);
    inner.remove_prefix(end + 1);
  }
  if (inner.starts_with('?') || inner.starts_with('*'))
    text.refuse(position, "the shape has a dimension that is not known when the program is compiled",
                "export the program again with the shapes it is to run with");
  std::optional<DType> dtype = dtype_named(inner);
  if (inner == "ui64") {
    dtype = DType::i64;
    text.unsigned64 = true;
  }
  text.last_narrow = {};
  if (!dtype) {
    if (inner == half && !text.halves) return std::nullopt;
    dtype = wider(inner);
    if (!dtype) return std::nullopt;
    text.last_narrow = inner;
    text.any_narrow = true;
    if (inner != half && std::ranges::none_of(text.narrow, [&](const auto& each) { return each.first == inner; }))
      text.narrow.emplace_back(inner, position);
  }
  return TensorType{*dtype, Shape{extents}};
}

/// Steps over a type of any kind; nothing where it is not a tensor's.
std::optional<TensorType> any_type(Cursor& text) {
  const Cursor::Level level{text, "types"};
  if (text.sees("(")) {
    text.skip_brackets();
    text.expect("->");
    if (text.sees("("))
      text.skip_brackets();
    else
      any_type(text);
    return std::nullopt;
  }
  const std::size_t position = text.position();
  text.accept("!");
  const std::string_view name = text.word();
  if (name.empty()) text.fail("a type");
  if (!text.sees("<")) return std::nullopt;
  const std::size_t from = text.position() + 1;
  text.skip_brackets();
  const std::size_t to = text.end_of_last() - 1;
  if (name != "tensor") return std::nullopt;
  return tensor_type(text, position, text.between(from, to));
}

/// `(tensor<4xf32>) -> tensor<f32>`: what it takes and what it returns. Nothing where not all are tensors.
Attribute function_type(Cursor& text) {
  std::vector<Attribute> takes, returns;
  bool tensors = true;
  const auto type = [&](std::vector<Attribute>& types) {
    const std::optional<TensorType> each = any_type(text);
    tensors &= each.has_value();
    if (each) types.push_back({*each});
  };
  text.list("(", ")", [&] { type(takes); });
  text.expect("->");
  if (text.sees("("))
    text.list("(", ")", [&] { type(returns); });
  else
    type(returns);
  if (!tensors) return {};
  return {Dictionary{{"takes", {std::move(takes)}}, {"returns", {std::move(returns)}}}};
}

/// `name = value`, with commas between and perhaps one at the end.
Dictionary entries(Cursor& text, std::string_view close) {
  Dictionary result;
  while (!text.accept(close)) {
    if (!result.empty()) text.expect(",");
    if (text.accept(close)) break;
    Entry entry;
    entry.position = text.position();
    entry.name = text.peek() == '"' ? text.string() : std::string{text.word("-")};
    if (entry.name.empty()) text.fail("the name of an attribute or '" + std::string{close} + "'");
    if (text.accept("=")) entry.attribute = read_attribute(text);
    result.push_back(std::move(entry));
  }
  return result;
}

/// The elements of `dense<...>` as written, and the extents of its lists.
struct Elements {
  std::vector<std::string_view> literals;
  Dims extents;
  std::optional<std::size_t> depth;  ///< of the literals
};

void read_elements(Cursor& text, Elements& elements, std::size_t depth) {
  const std::size_t position = text.position();
  if (text.accept("(")) {
    if (text.literal().empty()) text.fail("a number");
    text.expect(",");
    text.unknown(position, "complex numbers are something Octet does not have",
                 "compute with real and imaginary parts, or leave them out of the program that is checked");
  }
  if (!text.accept("[")) {
    if (elements.depth.value_or(depth) != depth)
      text.refuse(position, "the lists of this constant are nested unevenly");
    elements.depth = depth;
    elements.literals.push_back(text.literal());
    if (elements.literals.back().empty()) text.fail("a number");
    return;
  }
  const Cursor::Level level{text, "lists"};
  std::int64_t count = 0;
  if (!text.sees("]")) {
    do {
      read_elements(text, elements, depth + 1);
      ++count;
    } while (text.accept(","));
  }
  text.expect("]");
  if (elements.extents.size() <= depth) elements.extents.resize(depth + 1, -1);
  if (elements.extents[depth] >= 0 && elements.extents[depth] != count)
    text.refuse(position, "the lists of this constant differ in length");
  elements.extents[depth] = count;
}

/// Numbers of ui64 have the bits of i64, and those of f16, f8, f6 and f4 bits of their own.
template <class T>
bool read_element(std::string_view literal, T& value, bool unsigned64, std::string_view narrow) {
  if constexpr (std::is_same_v<T, bfloat16>)
    if (!narrow.empty()) return literal::read_narrow(narrow, literal, value);
  if constexpr (std::is_same_v<T, std::int64_t>)
    if (unsigned64) {
      std::uint64_t bits = 0;
      const bool read = literal::read_number(literal, bits);
      value = static_cast<std::int64_t>(bits);
      return read;
    }
  return literal::read_number(literal, value);
}

Tensor of_literals(Cursor& text, std::size_t position, const TensorType& type, const Elements& elements,
                   bool unsigned64) {
  const auto count = static_cast<std::size_t>(type.shape.elements());
  const bool splat = elements.extents.empty() && elements.literals.size() == 1;
  const bool none = elements.literals.empty();
  if (count == 0 ? !none && !splat : none || (!splat && elements.extents != type.shape.extents()))
    text.refuse(position,
                "the constant has the shape " + to_string(elements.extents) + ", its type says " + literal::type(type));
  Tensor result{type};
  visit_dtype(type.dtype, [&]<class T>(std::type_identity<T>) {
    const auto to = result.mutable_span<T>();
    for (std::size_t i = 0; i < elements.literals.size(); ++i) {
      T value{};
      if (elements.literals[i] == "__elided__")
        text.refuse(position, "the elements of this constant were left out when the text was printed",
                    "print it with all elements of large constants");
      if (!read_element(elements.literals[i], value, unsigned64, text.last_narrow))
        text.refuse(position, "'" + std::string{elements.literals[i]} + "' is no " +
                                  std::string{unsigned64                 ? "ui64"
                                              : text.last_narrow.empty() ? name(type.dtype)
                                                                         : text.last_narrow});
      if (splat)
        std::fill(to.begin(), to.end(), value);
      else
        to[i] = value;
    }
  });
  return result;
}

std::vector<std::byte> bytes_of(const Cursor& text, std::size_t position, std::string_view digits) {
  std::vector<std::byte> bytes;
  if (!digits.starts_with("0x") || digits.size() % 2)
    text.refuse(position, "the constant has half a byte in it, or no 0x before its bytes");
  for (std::size_t i = 2; i + 1 < digits.size(); i += 2) {
    const int high = literal::hexadecimal(digits[i]), low = literal::hexadecimal(digits[i + 1]);
    if (high < 0 || low < 0) text.refuse(position, "the constant has something else than hexadecimal digits in it");
    bytes.push_back(static_cast<std::byte>(high * 16 + low));
  }
  return bytes;
}

/// Refuses a constant that has neither `whole` bytes nor those of `one` element that all are.
void require_bytes(const Cursor& text, std::size_t position, std::size_t bytes, std::size_t whole, std::size_t one,
                   std::string_view type) {
  if (bytes != whole && bytes != one)
    text.refuse(position, "the constant has " + std::to_string(bytes) + " bytes, its type " + std::string{type} +
                              " needs " + std::to_string(whole));
}

/// The same of elements of `text.last_narrow`, which are narrower than those of `type`.
Tensor of_narrow_bytes(const Cursor& text, std::size_t position, const TensorType& type, std::string_view digits) {
  const std::vector<std::byte> bytes = bytes_of(text, position, digits);
  Tensor result{type};
  const auto to = result.mutable_bytes();
  const std::size_t count = to.size() / size_of(type.dtype), size = text.last_narrow.ends_with("16") ? 2 : 1;
  require_bytes(text, position, bytes.size(), count * size, size, text.last_narrow);
  for (std::size_t i = 0; i < count; ++i) {
    std::uint32_t bits = 0;
    for (std::size_t b = size; b-- > 0;)
      bits = bits << 8 | static_cast<std::uint32_t>(bytes[(i * size + b) % bytes.size()]);
    if (type.dtype == DType::bf16) {
      result.mutable_span<bfloat16>()[i] = bfloat16{literal::of_narrow_bits(text.last_narrow, bits)};
      continue;
    }
    const std::uint32_t sign = text.last_narrow.starts_with('i') ? std::uint32_t{1} << (8 * size - 1) : 0;
    bits = (bits ^ sign) - sign;
    std::memcpy(to.data() + 4 * i, &bits, sizeof bits);
  }
  return result;
}

/// From hexadecimal bytes, least significant first. Truth values have a byte each, or are packed eight to a byte, as
/// MLIR wrote them until 2026.
Tensor of_bytes(const Cursor& text, std::size_t position, const TensorType& type, std::string_view digits) {
  const std::vector<std::byte> bytes = bytes_of(text, position, digits);
  const std::size_t size = size_of(type.dtype), count = static_cast<std::size_t>(type.shape.elements());
  const bool packed = type.dtype == DType::pred && bytes.size() != count;
  const std::size_t whole = packed ? (count + 7) / 8 : count * size;
  require_bytes(text, position, bytes.size(), whole, packed ? whole : size, literal::type(type));
  Tensor result{type};
  const auto to = result.mutable_bytes();
  for (std::size_t i = 0; i < to.size(); ++i) {
    if (packed) {
      to[i] = (bytes[i / 8] >> (i % 8)) & std::byte{1};
    } else {
      const std::size_t within = std::endian::native == std::endian::little ? i % size : size - 1 - i % size;
      to[i] = bytes[(i - i % size + within) % bytes.size()];
      if (type.dtype == DType::pred && to[i] > std::byte{1})
        text.refuse(position, "the constant has a byte above 1 for a truth value");
    }
  }
  return result;
}

Attribute dense(Cursor& text) {
  const std::size_t position = text.position();
  text.expect("<");
  Elements elements;
  std::string bytes;
  if (text.peek() == '"')
    bytes = text.string();
  else if (!text.sees(">"))
    read_elements(text, elements, 0);
  text.expect(">");
  text.expect(":");
  const bool around = std::exchange(text.unsigned64, false);
  const std::optional<TensorType> type = any_type(text);
  const bool unsigned64 = std::exchange(text.unsigned64, around || text.unsigned64);
  if (!type) return {};
  if (type->bytes() > most_constant_bytes)
    text.refuse(position, "a constant of type " + literal::type(*type) + " is larger than 256 MiB",
                "make it a parameter of the program");
  if (bytes.empty()) return {of_literals(text, position, *type, elements, unsigned64)};
  return {text.last_narrow.empty() ? of_bytes(text, position, *type, bytes)
                                   : of_narrow_bytes(text, position, *type, bytes)};
}

/// `array<i64: 0, 1>`.
Attribute array(Cursor& text) {
  text.expect("<");
  if (!text.accept("i64")) {
    text.skip_to_closing(">");
    return {};
  }
  Dims values;
  if (text.accept(":")) do
      values.push_back(text.integer());
    while (text.accept(","));
  text.expect(">");
  return {std::move(values)};
}

/// `#stablehlo<precision DEFAULT>`, `#stablehlo.gather<...>`, another dialect's, or an alias, which is not looked up.
Attribute dialect_attribute(Cursor& text) {
  text.expect("#");
  const std::string_view name = text.word();
  if (!text.sees("<")) return {"#" + std::string{name}};
  if (name == "stablehlo") {
    text.expect("<");
    text.word();
    std::string value{text.word()};
    text.expect(">");
    return {std::move(value)};
  }
  if (name == "stablehlo.dot_algorithm") return {read_words(text)};
  for (std::string_view written : {"stablehlo.conv", "stablehlo.replica_group_mesh_axes", "sdy.sharding"})
    if (name == written) return {in_brackets(text)};
  for (std::string_view structure : {"stablehlo.gather", "stablehlo.scatter", "stablehlo.dot"})
    if (name == structure) {
      text.expect("<");
      return {entries(text, ">")};
    }
  text.skip_brackets();
  return {};
}

Attribute list(Cursor& text) {
  std::vector<Attribute> items;
  text.list("[", "]", [&] { items.push_back(read_attribute(text)); });
  return {std::move(items)};
}

Attribute number(Cursor& text) {
  std::int64_t value = 0;
  Attribute result;
  const std::string_view written = text.literal();
  if (literal::read_number(written, value)) result.value = value;
  if (written == "-") text.fail("a number");
  if (text.accept(":")) any_type(text);
  return result;
}

}  // namespace

Dictionary read_words(Cursor& text) {
  Dictionary result;
  text.list("<", ">", [&] {
    Entry entry;
    entry.position = text.position();
    entry.name = text.word();
    text.expect("=");
    entry.attribute.value = std::string{text.word()};
    result.push_back(std::move(entry));
  });
  return result;
}

TensorType read_type(Cursor& text) {
  const std::size_t position = text.position();
  std::optional<TensorType> type = any_type(text);
  if (type) return std::move(*type);
  std::string names;
  for (DType dtype : all_dtypes) names += (names.empty() ? "" : ", ") + std::string{name(dtype)};
  std::string_view found = text.between(position, text.end_of_last());
  found = found.substr(0, found.find_last_not_of(" \t\r\n") + 1);
  text.unknown(position, "'" + std::string{found} + "' is no type that Octet has: its tensors are of " + names,
               "convert it before the program, or leave what is of it out of the program that is checked");
}

Dictionary read_dictionary(Cursor& text) {
  text.expect("{");
  return entries(text, "}");
}

Attribute read_attribute(Cursor& text) {
  const Cursor::Level level{text, "attributes"};
  const char c = text.peek();
  if (c == 'd' && text.sees("dense_resource"))
    text.unknown(text.position(), "the elements of this constant do not stand where it stands",
                 "print it with all elements of large constants, in the text");
  if (c == '"') {
    Attribute result{text.string()};
    if (text.accept(":")) any_type(text);
    return result;
  }
  if (c == '@') {
    std::string symbol = text.symbol();
    while (text.accept("::")) symbol += "::" + text.symbol();
    return {std::move(symbol)};
  }
  if (c == '#') return dialect_attribute(text);
  if (c == '(') return function_type(text);
  if (c == '[') return list(text);
  if (c == '{') return {read_dictionary(text)};
  if (c == '-' || (c >= '0' && c <= '9')) return number(text);
  if (text.accept("true")) return {true};
  if (text.accept("false")) return {false};
  if (text.accept("dense")) return dense(text);
  if (text.accept("array")) return array(text);
  if (text.accept("loc")) {
    text.skip_brackets();
    return {};
  }
  std::optional<TensorType> type = any_type(text);
  if (type) return {std::move(*type)};
  return {};
}

const Entry* find(const Dictionary& dictionary, std::string_view name) {
  for (const Entry& entry : dictionary)
    if (entry.name == name) return &entry;
  return nullptr;
}

}  // namespace octet::syntax
