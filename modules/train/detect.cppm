/// Judging tokens: which of a sentence do not belong there.
export module octet.train:detect;
import octet.base;
import octet.compile;
import octet.graph;
import octet.nn;
import octet.standard;
import octet.text;
import octet.trace;

export namespace octet::train {

/// One token of a sentence; [CLS] and [SEP] are not among them.
struct JudgedToken {
  std::string token;  ///< the piece, as the vocabulary has it
  std::int32_t id = 0;
  text::Span span;         ///< where it stands, in bytes of the sentence
  double probability = 0;  ///< that it was put there by a generator
};

/// Judges sentences with the discriminator of an ELECTRA. Sentences of any length up to the model's share a compiled
/// program.
class Detector {
 public:
  Detector(Values<nn::ElectraDiscriminator> model, text::WordPiece tokenizer, Threads& threads,
           Precision precision = Precision::bf16);
  /// Throws X713 where the sentence is longer than the model takes, X509 where what it makes of it is not finite.
  std::vector<JudgedToken> operator()(std::string_view sentence) const;

 private:
  struct Program;
  std::shared_ptr<const Program> program_;
  Values<nn::ElectraDiscriminator> model_;
};

}  // namespace octet::train
