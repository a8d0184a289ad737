/// JSON objects to print, built from left to right.
#pragma once
import octet.standard;

namespace program {

class JsonObject;

std::string json_text(std::string_view text);  ///< quoted; bytes that are not UTF-8 become U+FFFD
std::string json_number(double number);        ///< the shortest digits that give the same number; null where not finite

template <class T>
std::string json(const T& value) {
  if constexpr (std::same_as<T, JsonObject>)
    return value.text();
  else if constexpr (std::same_as<T, bool>)
    return value ? "true" : "false";
  else if constexpr (std::integral<T>)
    return std::to_string(value);
  else if constexpr (std::floating_point<T>)
    return json_number(value);
  else if constexpr (std::convertible_to<const T&, std::string_view>)
    return json_text(value);
  else {
    static_assert(std::ranges::input_range<const T>);
    std::string list;
    for (const auto& element : value) list += (list.empty() ? "" : ",") + json(element);
    return "[" + list + "]";
  }
}

class JsonObject {
 public:
  template <class T>
  JsonObject& add(std::string_view name, const T& value) {
    members_ += (members_.empty() ? "" : ",") + json_text(name) + ":" + json(value);
    return *this;
  }
  std::string text() const { return "{" + members_ + "}"; }

 private:
  std::string members_;
};

}  // namespace program
