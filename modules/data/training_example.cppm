/// An example to train on, as it goes into a batch or a record.
export module octet.data:training_example;
import octet.standard;
import :example;

export namespace octet::data {

struct TrainingExample {
  std::vector<std::int32_t> ids = {};        ///< special tokens included, masked where it is for a masked model
  std::int64_t first_segment = 0;            ///< so many of them are of segment 0, the others of segment 1
  std::vector<std::int32_t> positions = {};  ///< of the masked ones, increasing
  std::vector<std::int32_t> labels = {};     ///< for each of those, what stood there
  bool random_next = false;                  ///< the second segment is not what follows the first

  friend bool operator==(const TrainingExample&, const TrainingExample&) = default;
};

/// As BERT's data script writes it, padded with zeros: input_ids, input_mask, segment_ids of `max_seq_length` numbers,
/// masked_lm_positions, masked_lm_ids, masked_lm_weights of `max_predictions`, next_sentence_labels of one (1 where the
/// next sentence is a random one).
Features bert_features(const TrainingExample& example, std::int64_t max_seq_length, std::int64_t max_predictions);

/// The inverse. Throws X723 where a feature is missing, of another kind or length, or denies another. `name` is what
/// messages call the record.
TrainingExample bert_example(const Features& features, const std::string& name = "the record");

/// As language models are trained: one feature, input_ids.
Features causal_features(const TrainingExample& example);

}  // namespace octet::data
