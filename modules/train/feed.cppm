/// The batches of a run, one after another: from lines in memory, or through a pipeline. Internal to octet.train.
export module octet.train:feed;
import octet.base;
import octet.data;
import octet.standard;

namespace octet::train {

class Feed {
 public:
  explicit Feed(data::MaskedBatches lines);
  Feed(data::WindowSource source, const data::PipelineOptions& options);

  /// The next batch; waits for it where it is being made ahead.
  data::PipelineBatch next();
  /// Makes the next batch, if it is not there, and keeps it for next(). Throws what that would.
  void require_batch();
  /// Where the run stands: empty for lines, whose batches are counted by steps.
  std::string position() const;
  /// Goes on where a run stood after `steps` batches. Throws X729 for a position of other data.
  void go_on(std::int64_t steps, std::string_view position);
  /// Runs `consume` on one of `loaders` while the others make batches ahead; once in a feed's life. Lines are not worth
  /// it.
  void ahead(Threads& loaders, const std::function<void()>& consume);
  /// Examples of an epoch; 0 where that is not known before.
  std::int64_t examples() const;

 private:
  struct Stream {
    data::Pipeline pipeline;
    std::unique_ptr<data::Prefetch> batches;
    std::uint64_t examples = 0;
  };
  std::unique_ptr<data::MaskedBatches> lines_;
  data::Position at_;  // among the lines
  std::unique_ptr<Stream> stream_;
  struct Kept {
    std::string position;  ///< before it
    data::PipelineBatch batch;
  };
  std::optional<Kept> kept_;
};

/// All of `examples` in order, the last batch filled up with rows that have nothing to guess.
std::vector<data::PipelineBatch> evaluation_batches(std::vector<data::TrainingExample> examples,
                                                    const data::PipelineOptions& options);
/// A batch of lines as one of a pipeline.
data::PipelineBatch pipeline_batch(data::MaskedBatch batch);

}  // namespace octet::train
