/// How a WordPiece vocabulary is learned from Korean text: at most 100 pieces, the special ones included. The text:
///   모델을 학습한다      모델은 문장을 읽는다      문장을 학습한다
///   모델을 읽는다        새 모델을 쓴다            글을 쓴다
import octet;
using namespace octet;

text::WordPieceTraining training() {
  return {.vocab_size = 100, .min_frequency = 2, .limit_alphabet = 12, .clean_up = {.strip_accents = false}};
}
