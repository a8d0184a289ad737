/// Types, numbers and strings as MLIR writes them: `tensor<8x64xf32>`, `1.0e-05`, `0x7FC00000`, `dense<[1, 2]>`,
/// `"a\0Ab"`. Numbers come back with the bits they had.
module octet.graph:literal;
import octet.base;
import octet.standard;

namespace octet::literal {

/// What `text` makes of each item, with commas between.
template <class Range, class Function>
std::string joined(const Range& range, Function&& text) {
  std::string result;
  for (const auto& item : range) result += (result.empty() ? "" : ", ") + text(item);
  return result;
}

/// `tensor<8x64xf32>`.
std::string type(const TensorType& type);

/// `text` in quotes, with everything that is not printable ASCII as `\` and two hexadecimal digits.
std::string quoted(std::string_view text);

/// `dense<...>` without its type: one value where all elements have the same bits, hexadecimal bytes where there are
/// more than `longest` of them (0: no limit).
std::string dense(const Tensor& value, std::size_t longest = 0);

/// The number that `text` writes; false where it is none of T or does not fit. A number may be written by its bits:
/// `0x7FC00000`.
template <class T>
bool read_number(std::string_view text, T& value);

/// The number that the bits of `type` are: f16, or f8, f6 or f4 of any kind, `f8E4M3FN`.
float of_narrow_bits(std::string_view type, std::uint32_t bits);
/// The same as text: rounded to bf16, and infinite where f16 ends.
bool read_narrow(std::string_view type, std::string_view text, bfloat16& value);

/// The value of a hexadecimal digit, or -1.
int hexadecimal(char digit);

}  // namespace octet::literal
