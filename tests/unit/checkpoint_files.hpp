/// Of the tests: runs to be saved, folders to save them in, and what a checkpoint that is none is refused with. To be
/// included after `import octet.train;`.
#pragma once

using namespace octet;
using namespace octet::train;
namespace fs = std::filesystem;

inline text::WordPiece tokenizer(const std::string& word = "god") {
  return text::WordPiece{
      text::Vocabulary{{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", word, "##s", "\uD55C", "##\uAE00", "\u65E5"}}};
}

inline TrainOptions small() {
  TrainOptions options;
  options.steps = 30;
  options.seed = 18'446'744'073'709'551'615u;
  options.layers = 2;
  options.hidden = 4;
  options.heads = 2;
  options.intermediate = 6;
  options.seq = 9;
  options.batch = 16;
  options.vocab_size = 16;
  options.learning_rate = 0.1;  // not a number of binary digits
  options.epsilon = 1e-300;
  options.precision = Precision::f32;
  options.strip_accents = true;
  options.masking.probability = 1.0 / 3.0;
  options.packing = data::Packing::none;
  options.padding = data::pad_to_one_of({5, 9});
  options.fitted_programs = 2;
  options.check_replicas = false;
  return options;
}

// A run whose numbers are all different, at `step`.
inline RunState run_at(std::int64_t step, TrainOptions options = small()) {
  const nn::Bert model = nn::bert(bert_config(options, 10));
  const auto values = nn::initialize(model, Key::of_seed(static_cast<std::uint64_t>(step)),
                                     [](const std::string&, const TensorType& type, Key) { return Tensor{type}; });
  auto state = nn::initial_state(values);
  float next = 0.1f * static_cast<float>(step) + 1.0f / 3.0f;
  for (Tensor& tensor : state.tensors())
    if (tensor.dtype() == DType::f32)
      for (float& element : tensor.mutable_span<float>()) element = next *= -1.0009f;
  state.tensors().front().mutable_span<float>()[0] = -0.0f;
  state.tensors().back() = Tensor::scalar<std::int32_t>(static_cast<std::int32_t>(step));
  return {options, std::move(state), step, "0123456789abcdef"};
}

inline std::map<std::string, std::string> files_of(const fs::path& directory) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::directory_iterator{directory})
    if (entry.is_regular_file()) files[entry.path().filename().string()] = text::read_file(entry.path());
  return files;
}

inline void put(const fs::path& path, std::string_view content) { std::ofstream{path, std::ios::binary} << content; }

inline void put_all(const fs::path& directory, const std::map<std::string, std::string>& files) {
  fs::remove_all(directory);
  fs::create_directories(directory);
  for (const auto& [name, content] : files) put(directory / name, content);
}

struct Refusal {
  int number = 0;
  std::string text;
};

inline Refusal refusal(auto&& function) {
  try {
    function();
  } catch (const Error& error) {
    return {error.number(), error.what()};
  }
  return {};
}

inline bool says(const Refusal& refusal, int number, std::string_view part) {
  INFO(refusal.text);
  CHECK(refusal.number == number);
  const bool found = refusal.text.find(part) != std::string::npos;
  CHECK(found);
  return found;
}

inline std::string replaced(std::string text, std::string_view from, std::string_view to) {
  const auto at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}
