/// What a sharded optimizer would free where a training step is short of memory. Imports octet: include it after all
/// other headers.
#pragma once
import octet.standard;
import octet;

namespace program {

/// Where the step of `line`, the readiness check's on memory, needs more than there is: adds to it what of that is
/// AdamW's state, whole on each replica, and what is needed where they share it; where that is still too much for the
/// batch of `job`, the most examples that then fit, by the line that `recomputing` gives of the step with both that and
/// recomputing asked for.
void propose_sharding(octet::CheckLine& line, const octet::nn::TrainingJob& job,
                      const std::function<octet::CheckLine()>& recomputing);

}  // namespace program
