/// Examples to pre-train BERT on: pairs of segments, the second of them what follows or something else, with tokens to
/// be guessed (Devlin et al. 2018, 3.1 and A.2). The options are those of BERT's own data script, and so is what they
/// do.
export module octet.data:bert_examples;
import octet.standard;
import octet.text;
import :hold_out;
import :token_file;
import :training_example;

export namespace octet::data {

struct BertExampleOptions {
  std::int64_t max_seq_length = 128;          ///< tokens of an example, [CLS] and two [SEP] included
  std::int64_t max_predictions_per_seq = 20;  ///< tokens to be guessed, at most
  double masked_lm_prob = 0.15;               ///< share of the tokens that are
  double replaced_by_mask = 0.8;              ///< of those, the share that becomes [MASK]
  double replaced_by_random = 0.1;            ///< of those, the share that becomes a random token; the rest stays
  double short_seq_prob = 0.1;                ///< share of examples that aim at a shorter, random length
  bool whole_word_mask = false;               ///< the pieces of a word are masked together
  bool next_sentence = true;                  ///< otherwise examples of one segment, cut from the document without loss
  std::uint64_t random_seed = 12345;
  Part part = {};  ///< of the documents; random segments come from it, too
};

/// Throws X709 for each option that is out of range.
void validate(const BertExampleOptions& options);
/// Throws X709 also where whole words are to be masked, and the vocabulary does not tell what continues one.
void validate(const BertExampleOptions& options, const text::WordPiece& tokenizer);

/// Documents of a token file, and how examples are made of them. What a document gives in a pass is a function of
/// options, pass and document alone, on every machine and in any order; each pass draws anew.
class BertExamples {
 public:
  /// Throws X709, X726 for a file of other tokens than the vocabulary's, X706 for one without a document, X727 for one
  /// with a single document where next sentences are asked for.
  BertExamples(TokenFile documents, const text::WordPiece& tokenizer, BertExampleOptions options = {});

  /// Documents of the part.
  std::uint64_t size() const { return options_.part.size(documents_.documents()); }
  /// The examples of a document of the part. Throws X726.
  std::vector<TrainingExample> of_document(std::uint64_t index, std::uint64_t pass) const;

  const TokenFile& documents() const { return documents_; }
  const BertExampleOptions& options() const { return options_; }

 private:
  class Maker;

  // Of a document of the part, in the file.
  std::uint64_t number(std::uint64_t index) const { return options_.part.at(index, documents_.documents()); }

  TokenFile documents_;
  BertExampleOptions options_;
  text::SpecialIds special_;
  std::vector<std::int32_t> ordinary_;  // ids that a random token may be
  std::vector<bool> continues_word_;    // by id; empty where words are not masked whole
};

}  // namespace octet::data
