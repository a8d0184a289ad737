/// What a sharded optimizer would free where a training step is short of memory. Imports octet: include it after all
/// other headers.
#pragma once
import octet.standard;
import octet;

namespace program {

/// Where the step of `line`, the readiness check's on memory, needs more than there is: adds to it what of that is
/// AdamW's state, of `parameters` numbers, whole on each of `replicas`, and what is needed where they share it.
void propose_sharding(octet::CheckLine& line, double parameters, std::int64_t replicas);

}  // namespace program
