#include <string>
#include <vector>
import octet;
import facts;
using namespace octet;

text::WordPieceTraining training();

void check() {
  const std::vector<std::string> lines{"모델을 학습한다", "모델은 문장을 읽는다", "문장을 학습한다",
                                       "모델을 읽는다",   "새 모델을 쓴다",       "글을 쓴다"};
  text::WordPieceTrainer trainer{training()};
  for (const std::string& line : lines) trainer.add(line);
  const text::WordPiece tokenizer = trainer.train();
  const auto pieces = [&](const std::string& sentence) {
    std::string seen;
    for (const int id : tokenizer.encode(sentence).ids)
      seen += (seen.empty() ? "" : " ") + tokenizer.vocabulary().piece(id);
    return seen;
  };
  double unknown = 0;
  for (const std::string& line : lines)
    for (const int id : tokenizer.encode(line).ids) unknown += id == tokenizer.special_ids().unknown;
  facts::at_most("words of the text that are [UNK]", unknown, 0);
  facts::result("pieces of \"새 글\"", pieces("새 글"), "새 글");
  facts::result("pieces of \"모델을\"", pieces("모델을"), "모델을");
  facts::result("vocab_size", static_cast<double>(training().vocab_size), 100);
}
