// Values of JavaScript in C++, and functions of C++ that JavaScript calls. Emscripten's Embind does this for all types
// and ways to call, of which a page waits for the script and the tables; here it is no more than what crosses. The
// script's half is values.js.
#pragma once
import octet.standard;

extern "C" {
// A value is known by the number of its place there. Those who are given a place end it, but for the first argument.
using OctetPlace = unsigned;
OctetPlace octet_value_of_kind(int kind) noexcept;  // the list is in values.js
OctetPlace octet_value_of_number(double number) noexcept;
OctetPlace octet_value_of_text(const char* text, std::size_t size) noexcept;
OctetPlace octet_value_of_int32s(const std::int32_t* first, std::size_t count) noexcept;
OctetPlace octet_value_copy(OctetPlace value) noexcept;
OctetPlace octet_value_get(OctetPlace value, OctetPlace key) noexcept;
void octet_value_set(OctetPlace value, OctetPlace key, OctetPlace element) noexcept;
bool octet_value_is_undefined(OctetPlace value) noexcept;
double octet_value_number(OctetPlace value) noexcept;
std::size_t octet_value_to_bytes(OctetPlace value) noexcept;  // makes bytes of a text; their count
void octet_value_copy_bytes(OctetPlace value, std::size_t first, std::size_t count, char* to) noexcept;
void octet_value_end(OctetPlace value) noexcept;
[[noreturn]] void octet_value_throw(OctetPlace value);
void octet_value_function(const char* name, std::size_t size, OctetPlace (*call)(void*, OctetPlace),
                          void* function) noexcept;
}

namespace crossing {

/// A value of JavaScript. Copies are the same object there.
class val {
 public:
  val() : val{undefined} {}
  val(const val& other) : place_{octet_value_copy(other.place_)} {}
  val(val&& other) noexcept : place_{other.leave()} {}
  val& operator=(val other) noexcept {
    std::swap(place_, other.place_);
    return *this;
  }
  ~val() {
    if (place_) octet_value_end(place_);
  }

  val(bool truth) : val{truth ? true_value : false_value} {}
  /// 64-bit integers become JavaScript's numbers: exact up to 2^53, beyond any count here.
  template <class Number>
    requires std::is_arithmetic_v<Number>
  val(Number number) : place_{octet_value_of_number(static_cast<double>(number))} {}
  val(std::string_view text) : place_{octet_value_of_text(text.data(), text.size())} {}
  val(const std::string& text) : val{std::string_view{text}} {}
  val(const char* text) : val{std::string_view{text}} {}

  static val null() { return val{null_value}; }
  static val object() { return val{new_object}; }
  static val array() { return val{new_array}; }
  /// An Int32Array.
  static val int32s(const std::vector<std::int32_t>& all) { return at(octet_value_of_int32s(all.data(), all.size())); }

  /// The value at this place, which ends with it.
  static val at(OctetPlace place) {
    val value{in_place};
    value.place_ = place;
    return value;
  }
  /// The place, which somebody else is to end.
  OctetPlace leave() noexcept { return std::exchange(place_, 0); }

  val operator[](val key) const { return at(octet_value_get(place_, key.leave())); }
  void set(val key, val element) { octet_value_set(place_, key.leave(), element.leave()); }

  bool is_undefined() const { return octet_value_is_undefined(place_); }

  /// As a number or a truth; of a text or an array of bytes, as its bytes.
  template <class T>
  T as() const {
    if constexpr (std::is_same_v<T, std::string>) {
      val bytes{*this};
      std::string result(octet_value_to_bytes(bytes.place_), '\0');
      octet_value_copy_bytes(bytes.place_, 0, result.size(), result.data());
      return result;
    } else {
      return static_cast<T>(octet_value_number(place_));
    }
  }

  /// Calls `take(bytes)` for block after block of the bytes of a text or an array of bytes, which are never all here.
  template <class Take>
  void for_each_block(const Take& take) const {
    constexpr std::size_t largest = 1 << 16;
    val bytes{*this};
    const std::size_t size = octet_value_to_bytes(bytes.place_);
    std::string block(std::min(size, largest), '\0');
    for (std::size_t first = 0; first < size; first += largest) {
      const std::size_t count = std::min(size - first, largest);
      octet_value_copy_bytes(bytes.place_, first, count, block.data());
      take(std::string_view{block.data(), count});
    }
  }

 private:
  enum Kind { in_place = -1, undefined, null_value, false_value, true_value, new_object, new_array };
  explicit val(Kind kind) : place_{kind == in_place ? 0 : octet_value_of_kind(kind)} {}

  OctetPlace place_;  // 0 is none
};

}  // namespace crossing
