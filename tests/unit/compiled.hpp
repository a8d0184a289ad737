/// Compiled programs of one operation against the reference, on random operands. To be included after `import
/// octet.base;`, `import octet.graph;` and `import octet.compile;`, with evaluated.hpp and what that needs before it,
/// and <algorithm>, <bit>, <cmath>, <cstddef>, <cstdint> and <cstring>.
#pragma once

/// The same numbers on every machine.
struct Dice {
  std::uint64_t state;
  std::uint64_t next() {
    std::uint64_t x = state += 0x9e37'79b9'7f4a'7c15u;
    x = (x ^ (x >> 30)) * 0xbf58'476d'1ce4'e5b9u;
    x = (x ^ (x >> 27)) * 0x94d0'49bb'1331'11ebu;
    return x ^ (x >> 31);
  }
  /// From `low` to `high`, both included.
  std::int64_t between(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(next() % static_cast<std::uint64_t>(high - low + 1));
  }
  bool likely(int percent) { return between(1, 100) <= percent; }
  octet::Shape shape(std::int64_t rank, std::int64_t low, std::int64_t high) {
    octet::Shape result{octet::Dims(static_cast<std::size_t>(rank))};
    for (std::int64_t d = 0; d < rank; ++d) result[d] = between(low, high);
    return result;
  }
  octet::DType dtype() { return octet::all_dtypes[between(0, std::ssize(octet::all_dtypes) - 1)]; }
  /// `count` of the numbers from 0 to `limit` - 1 in random order.
  octet::Dims some(std::int64_t count, std::int64_t limit) {
    octet::Dims result(static_cast<std::size_t>(limit));
    for (std::int64_t i = 0; i < limit; ++i) {
      const std::int64_t at = between(0, i);
      result[static_cast<std::size_t>(i)] = result[static_cast<std::size_t>(at)];
      result[static_cast<std::size_t>(at)] = i;
    }
    result.resize(static_cast<std::size_t>(count));
    return result;
  }
  octet::Dims increasing(std::int64_t count, std::int64_t limit) {
    octet::Dims result = some(count, limit);
    std::sort(result.begin(), result.end());
    return result;
  }
  /// Small numbers, so that some are equal, and now and then an infinity, a NaN of either sign, -0 or any bits at all.
  octet::Tensor tensor(octet::DType dtype, octet::Shape shape) {
    octet::Tensor result{dtype, std::move(shape)};
    octet::visit_dtype(dtype, [&]<class T>(std::type_identity<T>) {
      for (T& element : result.mutable_span<T>()) {
        if constexpr (std::is_same_v<T, bool>) {
          element = likely(50);
        } else {
          const std::int64_t quarters = between(-40, 40);
          if constexpr (std::is_integral_v<T>)
            element = static_cast<T>(quarters);
          else
            element = static_cast<T>(static_cast<float>(quarters) / 4);
          if (!likely(10)) continue;
          const std::uint64_t bits = next();
          std::memcpy(&element, &bits, sizeof element);
          if constexpr (!std::is_integral_v<T>) {
            const float specials[] = {HUGE_VALF, -HUGE_VALF, NAN, -NAN, -0.0f, 0.0f};
            if (likely(70)) element = static_cast<T>(specials[between(0, 5)]);
          }
        }
      }
    });
    return result;
  }
};

/// Whether types and bits agree; a NaN is a NaN.
inline bool same_bits(const octet::Tensor& a, const octet::Tensor& b) {
  if (a == b) return true;
  if (a.type() != b.type()) return false;
  return octet::visit_dtype(a.dtype(), [&]<class T>(std::type_identity<T>) {
    const auto x = a.span<T>(), y = b.span<T>();
    for (std::size_t i = 0; i < x.size(); ++i)
      if (std::memcmp(&x[i], &y[i], sizeof(T)) != 0 && (x[i] == x[i] || y[i] == y[i])) return false;
    return true;
  });
}

inline bool same_bits(const std::vector<octet::Tensor>& a, const std::vector<octet::Tensor>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const octet::Tensor& x, const octet::Tensor& y) { return same_bits(x, y); });
}

/// `f32[2]: 1 2; i32[]: 7`, shortened where it is long.
inline std::string shown(const std::vector<octet::Tensor>& tensors) {
  std::string result = text(tensors);
  if (result.size() > 400) result = result.substr(0, 400) + "...";
  return result;
}
