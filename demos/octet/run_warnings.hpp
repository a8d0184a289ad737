/// What a run is warned of. Imports octet: include it after all other headers.
#pragma once
import octet.standard;
import octet;

namespace program {

/// `warning: ...` for each option that is legal, and seldom meant so: a warm-up as long as the run; fewer guesses than
/// the masks of tokens have.
std::vector<std::string> option_warnings(const octet::train::TrainOptions& options, bool masks_tokens);

/// What to choose instead where a run diverges: only what is not so already.
std::string divergence_cures(const octet::train::TrainOptions& options);

}  // namespace program
