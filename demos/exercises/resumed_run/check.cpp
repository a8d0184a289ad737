#include <string>
#include <vector>
import octet;
import facts;
using namespace octet;

std::vector<data::MaskedBatch> batches(const data::MaskedBatches& all, unsigned first, unsigned last);

void check() {
  const text::Vocabulary vocabulary{{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "cat", "dog", "owl", "fox"}};
  data::Examples examples;
  for (int i = 0; i < 10; ++i) examples.add(std::vector<int>{2, 5 + i % 4, 5 + i / 4, 5 + i % 3, 3});
  const data::MaskedBatches all{examples, vocabulary, {.batch = 4, .max_length = 8, .seed = 1}};
  const auto whole = batches(all, 0, 6), rest = batches(all, 3, 6);
  facts::result("batches of steps 0 to 5", static_cast<double>(whole.size()), 6);
  facts::result("batches of steps 3 to 5", static_cast<double>(rest.size()), 3);
  const auto input_ids = [&](unsigned step) { return all.at(all.after_steps(step)).input_ids; };
  for (unsigned i = 0; i < whole.size() && i < 6; ++i)
    facts::same_bits("input_ids of step " + std::to_string(i), whole[i].input_ids, input_ids(i));
  for (unsigned i = 0; i < rest.size() && i < 3; ++i)
    facts::same_bits("input_ids of step " + std::to_string(3 + i) + ", resumed after step 2", rest[i].input_ids,
                     input_ids(3 + i));
  const auto last = batches(all, 5, 6);
  facts::result("batches of step 5", static_cast<double>(last.size()), 1);
  if (!last.empty()) facts::same_bits("input_ids of step 5, resumed after step 4", last[0].input_ids, input_ids(5));
}
