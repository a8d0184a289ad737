/// Going on with a text: token after token, each drawn from what a causal model expects.
export module octet.train:continuation;
import octet.base;
import octet.compile;
import octet.graph;
import octet.nn;
import octet.standard;
import octet.text;
import octet.trace;

export namespace octet::train {

struct Sampling {
  std::int64_t tokens = 50;  ///< at most; a text that ends before then ends
  double temperature = 1;    ///< below 1 the likelier tokens grow likelier; 0: always the likeliest
  std::int64_t top_k = 40;   ///< drawn among so many of the likeliest; 0: among all
  std::uint64_t seed = 0;
};

/// Goes on with texts of any length: the model sees the last tokens that it has positions for. All share one compiled
/// program.
class Continuer {
 public:
  /// `end_of_text`: the token that a text begins after and ends with; where it is none, <|endoftext|>, if there is one.
  Continuer(Values<nn::Gpt2> model, text::Bpe tokenizer, Threads& threads, Precision precision = Precision::bf16,
            std::optional<std::int32_t> end_of_text = std::nullopt);
  /// What follows `text`, the same for the same seed on every machine; the last character may be cut. An empty text is
  /// begun anew. Throws X709 for options out of range, X738 for an empty text where there is no token to begin after,
  /// X509 where what the model expects is not finite.
  std::string operator()(std::string_view text, const Sampling& sampling = {}) const;

 private:
  struct Program;
  std::shared_ptr<const Program> program_;
  Values<nn::Gpt2> model_;
};

}  // namespace octet::train
