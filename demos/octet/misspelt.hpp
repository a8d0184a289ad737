/// What somebody who mistyped a name may have meant. Imports modules: include it after all other headers.
#pragma once
import octet.standard;

namespace program {

/// The one of `names` that is nearest to `word`, a few letters off; empty where none is near.
std::string nearest_name(const std::string& word, const std::vector<std::string>& names);

}  // namespace program
