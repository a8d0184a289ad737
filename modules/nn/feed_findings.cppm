/// What the chips wait for where their input is slower than they are. Internal to octet.nn.
module octet.nn:feed_findings;
import octet.standard;
import octet.tpu;
import :finding_text;

namespace octet::nn {

/// What is wrong, what helps, and the seconds of a step that it saves.
struct Told {
  Said what, remedy;
  double gain;
};

/// Of a step of `step_seconds` on `batch` sequences that is fed as `feed` says; `compiles`: chips wait for the compiler
/// besides, which is told elsewhere. Each remedy was estimated.
std::vector<Told> feed_findings(const tpu::FeedOptions& feed, const tpu::Slice& slice, std::int64_t batch,
                                double step_seconds, bool compiles);

}  // namespace octet::nn
