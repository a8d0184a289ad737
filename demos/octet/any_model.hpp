/// Reading a model whatever its kind. Imports octet: include it after all other headers.
#pragma once
import octet.standard;
import octet;

namespace program {

/// The number of the message about a model of another kind than is asked for.
inline constexpr int other_kind = 737;

/// What the first of `readers` gives that does not find a model of another kind (X737).
template <class Any>
Any model_by(std::initializer_list<std::function<Any()>> readers) {
  for (auto reader = readers.begin();; ++reader) try {
      return (*reader)();
    } catch (const octet::Error& error) {
      if (error.number() != other_kind || reader + 1 == readers.end()) throw;
    }
}

}  // namespace program
