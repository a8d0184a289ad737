/// training.json: what a run was started with, how far it is, and the hashes of the files that belong to it.
export module octet.train:training_json;
import octet.standard;
import :options;

export namespace octet::train {

struct TrainingRecord {
  TrainOptions options;
  std::int64_t step = 0;
  std::string text_hash;
  std::string position;             ///< in data that is read as it is needed; empty for lines
  std::string model_hash;           ///< of the bytes of model.safetensors
  std::string generator_hash = {};  ///< of an ELECTRA's generator/model.safetensors; empty of other models
  std::string training_hash;        ///< of the bytes of training.safetensors
};

/// The content of training.json.
std::string training_text(const TrainingRecord& record);
/// Throws X715 where the text is no such record, or one of a later Octet.
TrainingRecord parse_training(std::string_view json, const std::string& name);

}  // namespace octet::train
