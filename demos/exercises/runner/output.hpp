/// What a program prints, however much it is.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace exercises {

/// Keeps the beginning and the end.
struct Output {
  std::string first = {}, last = {};  ///< `last` only where not all found room in `first`
  std::size_t lines = 0;              ///< of all that was printed

  void append(std::string_view bytes);
  bool empty() const { return first.empty(); }
};

}  // namespace exercises
