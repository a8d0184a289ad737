/// What `octet check` prints. Imports octet: include it after all other headers.
#pragma once
import octet.standard;
import octet;

namespace program {

/// One JSON object.
std::string json_of(const octet::Readiness& readiness);

}  // namespace program
