/// Reading a model whatever its kind. Imports octet: include it after all other headers.
#pragma once
import octet.standard;
import octet;

namespace program {

/// What the first of `readers` gives that does not find a model of another kind (X737).
template <class Any>
Any model_by(std::initializer_list<std::function<Any()>> readers) {
  constexpr int other_kind = 737;
  for (auto reader = readers.begin();; ++reader) try {
      return (*reader)();
    } catch (const octet::Error& error) {
      if (error.number() != other_kind || reader + 1 == readers.end()) throw;
    }
}

}  // namespace program
