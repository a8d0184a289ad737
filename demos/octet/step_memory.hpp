/// Whether this machine can hold a training step, known before the first one: a system that has promised more memory
/// than it has ends the program without a word.
#pragma once

import octet.standard;
import octet;

namespace program {

/// The program of a step, of a vocabulary of so many pieces.
using StepOf = octet::Graph (*)(const octet::train::TrainOptions& options, std::int64_t vocabulary);

/// Throws X709 where weights, moments and gradients of a model of this kind take more than this machine's memory.
void require_state_memory(const octet::train::TrainOptions& options, std::int64_t vocabulary,
                          octet::nn::TransformerKind kind);

/// Throws X709 where the buffers of a step that runs on so many threads take more than this machine's memory, with the
/// largest batch that they hold.
void require_memory(const octet::train::TrainOptions& options, std::int64_t vocabulary, unsigned threads, StepOf step);

}  // namespace program
