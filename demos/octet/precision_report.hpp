/// What `octet train --precision-report` tells. Imports octet: include it after all other headers.
#pragma once

#include "json.hpp"
import octet.standard;
import octet;

namespace program {

/// For a person: what became of weights, moments and the numbers within a step, and what to do.
std::string text_of(const octet::tpu::PrecisionReport& report, const octet::train::TrainOptions& options);
/// The same as one JSON object.
JsonObject json_of(const octet::tpu::PrecisionReport& report, const octet::train::TrainOptions& options);

}  // namespace program
