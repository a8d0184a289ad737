module octet.train;
import octet.base;
import octet.standard;
import octet.text;
import :json_fields;

namespace octet::train {

namespace {

static_assert(std::endian::native == std::endian::little, "tensors lie in the file as they lie in memory");

using Kind = text::JsonValue::Kind;

constexpr std::size_t length_bytes = 8;
constexpr std::uint64_t longest_header = 100'000'000;  // the format's own bound
constexpr std::string_view metadata_key = "__metadata__";

// A number of IEEE's half precision: all of them are numbers of f32.
float of_half(std::uint16_t bits) {
  const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000u) << 16, magnitude = bits & 0x7fffu;
  const float number = magnitude < 0x0400u   ? static_cast<float>(magnitude) * 0x1p-24f  // denormal ones
                       : magnitude < 0x7c00u ? std::bit_cast<float>((magnitude << 13) + (112u << 23))
                                             : std::bit_cast<float>((magnitude << 13) + (224u << 23));
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(number) | sign);
}

template <class Stored>
std::int32_t whole(Stored number) {
  return number;
}

template <class Stored, class To, To (*convert)(Stored)>
Tensor widened(const TensorType& type, std::span<const std::byte> bytes) {
  Tensor result{type.dtype, type.shape};
  const std::span<To> to = result.mutable_span<To>();
  for (std::size_t i = 0; i < to.size(); ++i) {
    Stored number;
    std::memcpy(&number, bytes.data() + i * sizeof number, sizeof number);
    to[i] = convert(number);
  }
  return result;
}

// What numbers are stored as, and become: those that Octet does not compute with are read as some that hold them.
struct Format {
  std::string_view name;
  DType dtype;
  std::size_t size = size_of(dtype);
  Tensor (*widen)(const TensorType&, std::span<const std::byte>) = nullptr;
};
constexpr Format formats[] = {{"BOOL", DType::pred},
                              {"I32", DType::i32},
                              {"I64", DType::i64},
                              {"U32", DType::u32},
                              {"BF16", DType::bf16},
                              {"F32", DType::f32},
                              {"F64", DType::f64},
                              {"F16", DType::f32, 2, widened<std::uint16_t, float, of_half>},
                              {"U8", DType::i32, 1, widened<std::uint8_t, std::int32_t, whole>},
                              {"I8", DType::i32, 1, widened<std::int8_t, std::int32_t, whole>},
                              {"U16", DType::i32, 2, widened<std::uint16_t, std::int32_t, whole>},
                              {"I16", DType::i32, 2, widened<std::int16_t, std::int32_t, whole>}};

std::string_view format_name(DType dtype) {
  for (const Format& format : formats)
    if (format.dtype == dtype) return format.name;
  return {};
}

// Where a tensor lies among the bytes after the header.
struct Entry {
  std::string name;
  const Format* format;
  TensorType type;
  std::uint64_t begin = 0, end = 0;
};

[[noreturn]] void broken(const std::string& file, const std::string& sentence) {
  malformed(file, file + ": " + sentence);
}

const Format& format_of_entry(const text::JsonValue& entry, const std::string& tensor, const std::string& file) {
  const auto dtype = entry.find("dtype");
  if (!dtype || dtype->kind() != Kind::text) broken(file, "the tensor " + tensor + " has no \"dtype\".");
  for (const Format& format : formats)
    if (format.name == dtype->text()) return format;
  fail({.number = 715,
        .sentence =
            file + ": the tensor " + tensor + " has the dtype " + shown(dtype->text()) + ", which Octet does not have.",
        .where = {file, 0, ""},
        .fix = {"save the model in float32 or bfloat16"}});
}

// The numbers of a list, none of them negative.
std::optional<std::vector<std::uint64_t>> naturals(const std::optional<text::JsonValue>& list) {
  if (!list || list->kind() != Kind::list) return {};
  std::vector<std::uint64_t> numbers;
  for (const text::JsonValue& item : list->items()) {
    if (item.kind() != Kind::integer || item.integer() < 0) return {};
    numbers.push_back(static_cast<std::uint64_t>(item.integer()));
  }
  return numbers;
}

Entry entry_of(const std::string& name, const text::JsonValue& json, std::uint64_t available, const std::string& file) {
  const std::string tensor = shown(name);
  if (json.kind() != Kind::object) broken(file, "the entry of the tensor " + tensor + " is not an object.");
  const Format& format = format_of_entry(json, tensor, file);
  const auto extents = naturals(json.find("shape"));
  if (!extents) broken(file, "the tensor " + tensor + " has no \"shape\" of whole numbers.");
  const auto offsets = naturals(json.find("data_offsets"));
  if (!offsets || offsets->size() != 2)
    broken(file, "the tensor " + tensor + " has no \"data_offsets\" of two whole numbers.");

  Entry entry{name, &format, {format.dtype, {}}, (*offsets)[0], (*offsets)[1]};
  if (entry.begin > entry.end || entry.end > available)
    broken(file, "the tensor " + tensor + " is said to be at bytes " + std::to_string(entry.begin) + " to " +
                     std::to_string(entry.end) + " of the data, which has " + std::to_string(available) +
                     " (a file cut short?).");

  // Extents of 0 are left out of the product, so that it bounds every partial product.
  constexpr std::uint64_t largest = std::numeric_limits<std::int64_t>::max() / 8;
  Dims dims;
  std::uint64_t product = 1;
  bool empty = false;
  for (std::uint64_t extent : *extents) {
    if (extent > largest / product) broken(file, "the shape of the tensor " + tensor + " is larger than any memory.");
    if (extent == 0)
      empty = true;
    else
      product *= extent;
    dims.push_back(static_cast<std::int64_t>(extent));
  }
  entry.type.shape = Shape{dims};
  const std::uint64_t needed = empty ? 0 : product * format.size;
  if (entry.end - entry.begin != needed)
    broken(file, "the tensor " + tensor + ", " + std::string{format.name} + " of the shape " +
                     to_string(entry.type.shape) + ", needs " + std::to_string(needed) + " bytes and has " +
                     std::to_string(entry.end - entry.begin) + ".");
  return entry;
}

// Every byte of the data belongs to one tensor.
void require_contiguous(const std::vector<Entry>& entries, std::uint64_t available, const std::string& file) {
  std::uint64_t at = 0;
  for (const Entry& entry : entries) {
    if (entry.begin != at)
      broken(file, "the tensor " + shown(entry.name) + " begins at byte " + std::to_string(entry.begin) +
                       " of the data where byte " + std::to_string(at) +
                       (entry.begin < at ? " is expected: two tensors overlap." : " is expected: a gap."));
    at = entry.end;
  }
  if (at != available)
    broken(file, "the tensors end at byte " + std::to_string(at) + " of the data, which has " +
                     std::to_string(available) + ".");
}

Tensor tensor_of(const Entry& entry, std::string_view data, const std::string& file) {
  const auto bytes = std::as_bytes(std::span{data}.subspan(entry.begin, entry.end - entry.begin));
  if (entry.type.dtype == DType::pred)
    for (std::byte byte : bytes)
      if (byte > std::byte{1})
        broken(file, "the tensor " + shown(entry.name) + " of truth values holds other bytes than 0 and 1.");
  return entry.format->widen ? entry.format->widen(entry.type, bytes) : Tensor::of_bytes(entry.type, bytes);
}

}  // namespace

const Tensor& Safetensors::operator[](std::string_view tensor) const {
  for (const NamedTensor& named : tensors)
    if (named.name == tensor) return named.tensor;
  std::string there;
  for (const NamedTensor& named : tensors) there += (there.empty() ? "" : ", ") + shown(named.name);
  constexpr std::size_t most = 200;  // bytes of names
  if (const std::size_t end = there.find(", ", most); end != there.npos) there = there.substr(0, end) + ", …";
  fail({.number = 715,
        .sentence = name + " holds no tensor " + shown(tensor) + ".",
        .where = {name, 0, ""},
        .rule = "A tensor is found by its name, letter for letter.",
        .fix = {there.empty() ? "it holds none" : "it holds " + there}});
}

text::FileParts safetensors_parts(const Safetensors& content) {
  std::string header = "{";
  if (!content.metadata.empty()) {
    std::string fields;
    for (const auto& [key, value] : content.metadata)
      fields += (fields.empty() ? "" : ",") + json_string(key) + ":" + json_string(value);
    header += json_string(metadata_key) + ":{" + fields + "}";
  }
  std::set<std::string_view> names{metadata_key};
  std::uint64_t at = 0;
  for (const auto& [name, tensor] : content.tensors) {
    if (!names.insert(name).second)
      fail({.number = 715,
            .sentence = "Two tensors of one file cannot both be called " + shown(name) + ".",
            .where = {content.name, 0, ""},
            .rule = "A reader finds a tensor by its name.",
            .fix = {"give each tensor a name of its own"}});
    if (text::find_invalid_utf8(name)) malformed(content.name, "The name of a tensor is not UTF-8.");
    std::string shape;
    for (std::int64_t extent : tensor.shape()) shape += (shape.empty() ? "" : ",") + std::to_string(extent);
    const std::uint64_t end = at + tensor.bytes().size();
    header += (header.size() > 1 ? "," : "") + json_string(name) +
              ":{\"dtype\":" + json_string(format_name(tensor.dtype())) + ",\"shape\":[" + shape +
              "],\"data_offsets\":[" + std::to_string(at) + "," + std::to_string(end) + "]}";
    at = end;
  }
  header += "}";
  header.resize((header.size() + 7) / 8 * 8, ' ');

  const std::uint64_t length = header.size();
  header.insert(0, length_bytes, '\0');
  std::memcpy(header.data(), &length, length_bytes);
  return text::FileParts{[header = std::move(header), tensors = content.tensors](const text::FileParts::Write& write) {
    write(header);
    for (const NamedTensor& named : tensors) {
      const auto data = named.tensor.bytes();
      write({reinterpret_cast<const char*>(data.data()), data.size()});
    }
  }};
}

std::string safetensors_bytes(const Safetensors& content) {
  const text::FileParts parts = safetensors_parts(content);
  std::string bytes;
  bytes.reserve(parts.size());
  parts.each([&](std::string_view part) { bytes += part; });
  return bytes;
}

Safetensors parse_safetensors(std::string_view bytes, const std::string& name) {
  if (bytes.size() < length_bytes)
    broken(name, "it has " + std::to_string(bytes.size()) +
                     " bytes, and a safetensors file begins with 8 that tell its header's length.");
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), length_bytes);
  if (length > longest_header || length > bytes.size() - length_bytes)
    broken(name, "its header is said to be " + std::to_string(length) + " bytes long, and " +
                     std::to_string(bytes.size() - length_bytes) +
                     " follow (a file cut short, or of another format?).");
  const text::JsonDocument header = parse_json(bytes.substr(length_bytes, length), name, length_bytes);
  const std::string_view data = bytes.substr(length_bytes + length);

  Safetensors content;
  content.name = name;
  std::vector<Entry> entries;
  const std::vector<text::JsonValue> names = header.root().keys(), values = header.root().items();
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i].text() != metadata_key) {
      entries.push_back(entry_of(std::string{names[i].text()}, values[i], data.size(), name));
      continue;
    }
    if (values[i].kind() != Kind::object) broken(name, "its \"__metadata__\" is not an object.");
    const std::vector<text::JsonValue> keys = values[i].keys(), texts = values[i].items();
    for (std::size_t k = 0; k < keys.size(); ++k) {
      if (texts[k].kind() != Kind::text)
        broken(name, "its \"__metadata__\" has a value that is not a string, for " + shown(keys[k].text()) + ".");
      content.metadata[std::string{keys[k].text()}] = texts[k].text();
    }
  }
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return std::tie(a.begin, a.end, a.name) < std::tie(b.begin, b.end, b.name);
  });
  require_contiguous(entries, data.size(), name);
  for (const Entry& entry : entries) content.tensors.push_back({entry.name, tensor_of(entry, data, name)});
  return content;
}

void save_safetensors(const Safetensors& content, const std::filesystem::path& path) {
  text::write_parts(path, safetensors_parts(content));
}

Safetensors load_safetensors(const std::filesystem::path& path) {
  return parse_safetensors(text::read_file(path), path.string());
}

}  // namespace octet::train
