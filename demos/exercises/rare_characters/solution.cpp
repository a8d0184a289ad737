/// How a WordPiece vocabulary is learned from Korean text: at most 100 pieces, the special ones included.
import octet;
using namespace octet;

text::WordPieceTraining training() {
  return {.vocab_size = 100, .min_frequency = 2, .limit_alphabet = 40, .clean_up = {.strip_accents = false}};
}
