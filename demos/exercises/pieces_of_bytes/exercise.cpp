/// What a GPT-2 wrote, as text: ids to be joined.
#include <string>
#include <vector>
import octet;
using namespace octet;

std::string written(const text::Bpe& tokenizer, const std::vector<int>& ids) {
  std::string result;
  for (int id : ids) result += tokenizer.piece(id);
  return result;
}
