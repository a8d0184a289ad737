/// Filling blanks: the likeliest words for each [MASK] of a sentence.
export module octet.train:fill;
import octet.base;
import octet.compile;
import octet.graph;
import octet.nn;
import octet.standard;
import octet.text;
import octet.trace;

export namespace octet::train {

struct Candidate {
  std::string token;  ///< as one would read it: composed, without the prefix of continuing pieces
  std::int32_t id = 0;
  double probability = 0;
};

/// One blank.
struct Blank {
  std::int64_t position = 0;          ///< the token's, in the encoded sentence
  std::vector<Candidate> candidates;  ///< likeliest first
};

/// Guesses the blanks of sentences with one model. Sentences of any length up to the model's share a compiled program.
class Filler {
 public:
  Filler(Values<nn::Bert> model, text::WordPiece tokenizer, Threads& threads, Precision precision = Precision::bf16);
  /// The blanks of `sentence`, each written [MASK] or as three or more underscores. Throws X712 where there is none,
  /// X713 where the sentence is longer than the model takes, X509 where what it makes of it is not finite.
  std::vector<Blank> operator()(std::string_view sentence, std::size_t count = 5) const;
  /// From now on guesses with these parameters, of a model of the same sizes: the program compiled stays in use.
  void use(Values<nn::Bert> model) { model_ = std::move(model); }

 private:
  struct Program;
  std::shared_ptr<const Program> program_;
  Values<nn::Bert> model_;
};

}  // namespace octet::train
