/// What a run that keeps compiling might pad its batches to. Imports octet: include it after all other headers.
#pragma once
import octet.standard;
import octet;

namespace program {

/// What to pad to instead, judged by the lengths of the batches so far as if the whole run went on like them: the
/// options of a new run, the best first. Nothing where no lengths varied or nothing was compiled.
std::vector<std::string> padding_cures(octet::LengthHistogram lengths, const octet::CacheStatistics& cache,
                                       const octet::train::TrainOptions& options);

}  // namespace program
