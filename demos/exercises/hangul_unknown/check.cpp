#include <string>
#include <vector>
import octet;
import facts;
using namespace octet;

text::CleanUp clean_up();

void check() {
  const std::vector<std::string> pieces{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "한국",
                                        "##어",  "모델",  "##을",  "tpu",   "##로"};
  const text::WordPiece tokenizer{text::Vocabulary{pieces}, {.clean_up = clean_up()}};
  std::string seen;
  for (const int id : tokenizer.encode("한국어 모델을 TPU로").ids)
    seen += (seen.empty() ? "" : " ") + tokenizer.vocabulary().piece(id);
  facts::result("pieces of \"한국어 모델을 TPU로\"", seen, "한국 ##어 모델 ##을 tpu ##로");
}
