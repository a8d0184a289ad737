#include <string>
#include <vector>
import octet;
import facts;
using namespace octet;

std::string written(const text::Bpe& tokenizer, const std::vector<int>& ids);

void check() {
  text::BpeTrainer trainer{{.vocab_size = 300}};
  for (const char* line : {"the cat and the dog\n", "the dog and the cat\n", "日本語と日本\n"}) trainer.add(line);
  const text::Bpe tokenizer = trainer.train();
  for (const std::string text : {"the cat", "日本語", "한글 🐙"})
    facts::result("written(the ids of \"" + text + "\")", written(tokenizer, tokenizer.encode(text).ids), text);
}
