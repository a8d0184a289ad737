/// What would leave less of the matrix unit's work as padding, of a transformer's training step. Imports octet: include
/// it after all other headers.
#pragma once
import octet.standard;
import octet;

namespace program {

/// Has a line about the matrix unit that warns say which of a job's own sizes to change, as `octet estimate` finds
/// them, in place of operations within the step that no option names. Where none is worth it, the operations stay.
void judge_padding(octet::CheckLine& line, octet::nn::TrainingJob job);

}  // namespace program
