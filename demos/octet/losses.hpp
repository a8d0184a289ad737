/// Losses of replicas that a training run rehearses. Imports octet: include it after all other headers.
#pragma once
import octet.standard;
import octet;

namespace program {

/// A replica, or all, lost in a step.
struct Loss {
  std::optional<std::int64_t> replica;  ///< nothing: all
  std::int64_t step = 0;                ///< counted from 1

  std::string who() const { return replica ? "replica " + std::to_string(*replica) : "all replicas"; }
};

/// Whether some step loses what no replica has any more.
bool leaves_nothing(const std::vector<Loss>& losses, const octet::train::TrainOptions& options);

/// The steps of a run that are not known yet, since its data was not read.
inline constexpr std::int64_t unknown_steps = std::numeric_limits<std::int64_t>::max();

/// `3@120` and `all@120`, by step. Refuses what is not written so, replicas that the run does not have, steps that it
/// does not have or has `done`, and losses that only a saved run survives where none is saved.
std::vector<Loss> losses_of(const std::vector<std::string>& given, const octet::train::TrainOptions& options,
                            std::int64_t done, bool saved);

/// As they are asked for again: ` --lose 3@120 --lose all@200`.
std::string command_line_of(const std::vector<Loss>& losses);

}  // namespace program
