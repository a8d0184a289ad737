module octet.train;
import octet.base;
import octet.data;
import octet.standard;
import :feed;

namespace octet::train {

Feed::Feed(data::MaskedBatches lines) : lines_{std::make_unique<data::MaskedBatches>(std::move(lines))} {}

Feed::Feed(data::WindowSource source, const data::PipelineOptions& options) {
  const std::uint64_t examples = source.examples;
  stream_ = std::make_unique<Stream>(data::Pipeline{std::move(source), options}, nullptr, examples);
  stream_->batches = std::make_unique<data::Prefetch>(stream_->pipeline);
}

data::PipelineBatch Feed::next() {
  if (std::optional<Kept> kept = std::exchange(kept_, std::nullopt)) return std::move(kept->batch);
  if (stream_) return stream_->batches->next();
  data::PipelineBatch batch = pipeline_batch(lines_->at(at_));
  at_ = lines_->after(at_);
  return batch;
}

void Feed::require_batch() {
  if (kept_) return;
  std::string before = position();
  kept_.emplace(Kept{std::move(before), next()});
}

std::string Feed::position() const {
  if (kept_) return kept_->position;
  return stream_ ? stream_->pipeline.saved(stream_->batches->position()) : std::string{};
}

void Feed::go_on(std::int64_t steps, std::string_view position) {
  if (stream_)
    stream_->batches = std::make_unique<data::Prefetch>(stream_->pipeline, stream_->pipeline.restored(position));
  else
    at_ = lines_->after_steps(static_cast<std::uint64_t>(steps));
}

void Feed::ahead(Threads& loaders, const std::function<void()>& consume) {
  if (stream_)
    data::prefetching(loaders, *stream_->batches, consume);
  else
    consume();
}

std::int64_t Feed::examples() const {
  return static_cast<std::int64_t>(stream_ ? stream_->examples : lines_->examples().size());
}

std::vector<data::PipelineBatch> evaluation_batches(std::vector<data::TrainingExample> examples,
                                                    const data::PipelineOptions& options) {
  if (examples.empty()) return {};
  const std::size_t size = examples.size(), batch = static_cast<std::size_t>(options.batch);
  data::Pipeline::Window window{std::move(examples), {}};
  window.examples.push_back({.ids = {options.padding_id}, .first_segment = 1});
  for (std::size_t begin = 0; begin < size; begin += batch) {
    std::vector<std::size_t> rows(batch, size);
    for (std::size_t row = 0; row < batch && begin + row < size; ++row) rows[row] = begin + row;
    window.batches.push_back(std::move(rows));
  }
  const data::Pipeline pipeline{{1, {}, 0}, options};
  std::vector<data::PipelineBatch> batches;
  for (std::size_t i = 0; i < window.batches.size(); ++i) {
    batches.push_back(pipeline.batch(window, i));
    batches.back().examples = static_cast<std::int64_t>(std::min(batch, size - i * batch));
    const auto next = batches.back().next_sentence_labels.mutable_span<std::int32_t>();
    for (std::size_t row = 0; row < batch; ++row)
      if (window.batches[i][row] == size) next[row] = data::unmasked_label;
  }
  return batches;
}

data::PipelineBatch pipeline_batch(data::MaskedBatch batch) {
  return {.input_ids = std::move(batch.input_ids),
          .attention_mask = std::move(batch.attention_mask),
          .token_type_ids = std::move(batch.token_type_ids),
          .masked_positions = std::move(batch.masked_positions),
          .masked_labels = std::move(batch.masked_labels),
          .next_sentence_labels = Tensor{},
          .masked = batch.masked,
          .examples = batch.examples,
          .padding = batch.padding};
}

}  // namespace octet::train
