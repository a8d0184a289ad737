module octet.trace;
import octet.base;
import octet.graph;
import octet.standard;
import :array;
import :tree;
import :walk;

namespace octet {

namespace reflection {

void FixedHash::fixed(const Path&, const Fixed& value) {
  std::visit(
      [&]<class T>(const T& each) {
        if constexpr (std::same_as<T, const std::string*>)
          hasher_.add(std::string_view{*each});
        else if constexpr (std::same_as<T, const Shape*>)
          hasher_.add(std::string_view{to_string(*each)});
        else if constexpr (std::floating_point<T>)
          hasher_.add(std::bit_cast<std::uint64_t>(double{each}));
        else
          hasher_.add(static_cast<std::uint64_t>(each));
      },
      value);
}

void FixedHash::holds(std::size_t count) { hasher_.add(std::uint64_t{count}); }

void EachArray::array(const Path&, Array& array) { to_.call(to_.visit, array); }

void EachNamedArray::array(const Path& path, Array& array) { to_.call(to_.visit, path.name(), array); }

std::vector<Array> arrays_of(Tree tree) {
  std::vector<Array> arrays;
  each_array(tree, [&](const Array& array) { arrays.push_back(array); });
  return arrays;
}

std::vector<std::string> names_of(Tree tree, const std::string& prefix) {
  std::vector<std::string> names;
  each_array(tree, prefix, [&](const std::string& name, const Array&) { names.push_back(name); });
  return names;
}

std::size_t count_arrays(Tree tree) {
  std::size_t count = 0;
  each_array(tree, [&](const Array&) { ++count; });
  return count;
}

void set_arrays(Tree tree, const std::vector<Array>& arrays) {
  std::size_t next = 0;
  each_array(tree, [&](Array& array) { array = array_at(arrays, next++); });
}

std::size_t empty_arrays(Tree tree) {
  std::size_t count = 0;
  each_array(tree, [&](Array& array) {
    array = {};
    ++count;
  });
  return count;
}

}  // namespace reflection

void fail_count(std::size_t arrays, std::size_t tensors) {
  fail([&] {
    return Diagnostic{.number = 405,
                      .sentence = "A structure of " + std::to_string(arrays) + " arrays was given " +
                                  std::to_string(tensors) + " tensors."};
  });
}

void fail_mapping(std::size_t arrays, std::size_t others) {
  fail([&] {
    return Diagnostic{.number = 405,
                      .sentence = "map_arrays: the first structure has " + std::to_string(arrays) +
                                  (arrays == 1 ? " array" : " arrays") + ", another one " + std::to_string(others) +
                                  ".",
                      .where = placed({}),
                      .fix = {"give structures of as many arrays"}};
  });
}

std::size_t place_among(const std::vector<std::string>& names, std::string_view name) {
  if (const auto at = std::ranges::find(names, name); at != names.end())
    return static_cast<std::size_t>(at - names.begin());
  std::string known;
  for (const std::string& each : names) known += (known.empty() ? "" : ", ") + each;
  fail([&] {
    return Diagnostic{.number = 405,
                      .sentence = "There is no array named '" + std::string{name} + "' in this structure.",
                      .fix = {known.empty() ? "it has no arrays" : "name one of its own: " + known}};
  });
}

std::string hash_text(const std::vector<std::string>& names, const std::vector<Tensor>& tensors) {
  Hasher hasher;
  for (std::size_t i = 0; i < names.size(); ++i)
    hasher.add(std::string_view{names[i]}).add(std::string_view{to_string(tensors[i].type())}).add(tensors[i].bytes());
  return hasher.text();
}

}  // namespace octet
