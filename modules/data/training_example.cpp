module octet.data;
import octet.base;
import octet.standard;
import octet.text;

namespace octet::data {

namespace {

Int64List padded(const std::vector<std::int32_t>& numbers, std::int64_t size) {
  Int64List list(numbers.begin(), numbers.end());
  list.resize(static_cast<std::size_t>(size));
  return list;
}

Int64List ones(std::size_t count, std::int64_t size, std::size_t from = 0) {
  Int64List list(static_cast<std::size_t>(size));
  for (std::size_t i = from; i < count; ++i) list[i] = 1;
  return list;
}

class FeatureReader {
 public:
  FeatureReader(const Features& features, const std::string& name) : features_{features}, name_{name} {}

  template <class List>
  const List& list(const char* key, const char* kind) const {
    const auto found = features_.find(key);
    if (found == features_.end()) refuse("it has no feature " + text::json_string(key));
    const List* list = std::get_if<List>(&found->second);
    if (!list) refuse(text::json_string(key) + " is no list of " + kind);
    return *list;
  }
  const Int64List& integers(const char* key) const { return list<Int64List>(key, "whole numbers"); }

  [[noreturn]] void refuse(const std::string& what) const {
    fail({.number = 723,
          .sentence = name_ + " is no example for BERT: " + what,
          .where = {name_, 0, ""},
          .rule = "BERT's data script writes input_ids, input_mask and segment_ids of one length, masked_lm_positions, "
                  "masked_lm_ids and masked_lm_weights of another, and one of next_sentence_labels.",
          .fix = {"write the examples again with octet data bert", "see what the record holds: octet data show"}});
  }

 private:
  const Features& features_;
  const std::string& name_;
};

std::int32_t to_id(const FeatureReader& reader, std::int64_t number) {
  if (number < 0 || number > std::numeric_limits<std::int32_t>::max())
    reader.refuse(std::to_string(number) + " is no id");
  return static_cast<std::int32_t>(number);
}

}  // namespace

Features bert_features(const TrainingExample& example, std::int64_t max_seq_length, std::int64_t max_predictions) {
  FloatList weights(static_cast<std::size_t>(max_predictions));
  std::fill_n(weights.begin(), example.positions.size(), 1.0f);
  return {{"input_ids", padded(example.ids, max_seq_length)},
          {"input_mask", ones(example.ids.size(), max_seq_length)},
          {"segment_ids", ones(example.ids.size(), max_seq_length, static_cast<std::size_t>(example.first_segment))},
          {"masked_lm_positions", padded(example.positions, max_predictions)},
          {"masked_lm_ids", padded(example.labels, max_predictions)},
          {"masked_lm_weights", std::move(weights)},
          {"next_sentence_labels", Int64List{example.random_next}}};
}

TrainingExample bert_example(const Features& features, const std::string& name) {
  const FeatureReader reader{features, name};
  const Int64List &ids = reader.integers("input_ids"), &mask = reader.integers("input_mask"),
                  &segments = reader.integers("segment_ids"), &positions = reader.integers("masked_lm_positions"),
                  &labels = reader.integers("masked_lm_ids"), &next = reader.integers("next_sentence_labels");
  const FloatList& weights = reader.list<FloatList>("masked_lm_weights", "floats");
  if (mask.size() != ids.size() || segments.size() != ids.size())
    reader.refuse("input_ids, input_mask and segment_ids have " + std::to_string(ids.size()) + ", " +
                  std::to_string(mask.size()) + " and " + std::to_string(segments.size()) + " numbers");
  if (labels.size() != positions.size() || weights.size() != positions.size())
    reader.refuse("masked_lm_positions, masked_lm_ids and masked_lm_weights have " + std::to_string(positions.size()) +
                  ", " + std::to_string(labels.size()) + " and " + std::to_string(weights.size()) + " numbers");
  if (next.size() != 1 || (next[0] != 0 && next[0] != 1)) reader.refuse("next_sentence_labels is neither 0 nor 1");

  TrainingExample example;
  const auto length = static_cast<std::size_t>(std::ranges::find(mask, 0) - mask.begin());
  if (length == 0) reader.refuse("input_mask begins with 0: no token is there");
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (mask[i] != (i < length)) reader.refuse("input_mask is not ones and then zeros");
    if (i >= length) continue;
    example.ids.push_back(to_id(reader, ids[i]));
    if (segments[i] == 0 && example.first_segment == static_cast<std::int64_t>(i)) ++example.first_segment;
    if (segments[i] != (static_cast<std::int64_t>(i) >= example.first_segment))
      reader.refuse("segment_ids is not zeros and then ones");
  }
  for (std::size_t i = 0; i < positions.size(); ++i) {
    if (weights[i] != 0 && weights[i] != 1) reader.refuse("masked_lm_weights is neither 0 nor 1");
    if (weights[i] == 0) continue;
    const std::int64_t last = example.positions.empty() ? -1 : example.positions.back();
    if (positions[i] <= last || positions[i] >= static_cast<std::int64_t>(length))
      reader.refuse("masked_lm_positions are not increasing, or beyond the tokens: " + std::to_string(positions[i]));
    example.positions.push_back(static_cast<std::int32_t>(positions[i]));
    example.labels.push_back(to_id(reader, labels[i]));
  }
  example.random_next = next[0] == 1;
  return example;
}

Features causal_features(const TrainingExample& example) {
  return {{"input_ids", Int64List(example.ids.begin(), example.ids.end())}};
}

}  // namespace octet::data
