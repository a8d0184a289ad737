module octet.train;
import octet.base;
import octet.compile;
import octet.graph;
import octet.nn;
import octet.standard;
import octet.text;
import octet.trace;
import :detect;
import :encoded_sentence;
import :finite;
import :jit_options;

namespace octet::train {

namespace {

/// The probability of each position that its token was replaced: [1, seq].
struct Judgement {
  Array operator()(const nn::ElectraDiscriminator& model, const Array& ids, const Array& attention_mask) const {
    return logistic(model.replaced_logits(ids, zeros(ids.type()), attention_mask));
  }
};

}  // namespace

struct Detector::Program {
  text::WordPiece tokenizer;
  std::int64_t positions;
  Jit<Judgement> judge;
};

Detector::Detector(Values<nn::ElectraDiscriminator> model, text::WordPiece tokenizer, Threads& threads,
                   Precision precision)
    : model_{std::move(model)} {
  const std::int64_t positions = model_["position.table"].shape()[0];
  program_ = shared<const Program>(
      Program{std::move(tokenizer), positions,
              jit(Judgement{}, jit_options(precision, threads, {"model", "ids", "attention_mask"}, "detect"))});
}

std::vector<JudgedToken> Detector::operator()(std::string_view sentence) const {
  const text::WordPiece& tokenizer = program_->tokenizer;
  const EncodedSentence encoded = encoded_sentence(tokenizer, sentence, program_->positions);
  const Tensor probabilities = program_->judge(model_, encoded.ids, encoded.attention_mask);
  require_finite_guess(probabilities);
  std::vector<JudgedToken> result;
  for (std::int64_t at = 1; at + 1 < encoded.length(); ++at) {
    const auto i = static_cast<std::size_t>(at);
    const std::int32_t id = encoded.encoding.ids[i];
    const text::Span& span = encoded.encoding.offsets[i];
    result.push_back({tokenizer.vocabulary().pieces()[static_cast<std::size_t>(id)], id, span, probabilities.at(at)});
  }
  return result;
}

}  // namespace octet::train
