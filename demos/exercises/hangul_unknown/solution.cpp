/// Korean text with the vocabulary of a Korean BERT.
import octet;
using namespace octet;

text::CleanUp clean_up() {
  return {.lowercase = true, .strip_accents = false};
}
