/// Of a thousand sentences, most are short: 600 of at most 30 tokens, 250 of at most 60, 120 of at most 120, and 30 of
/// up to 512.
import octet;
using namespace octet;

Array words(Array tokens) {
  return sum(cast<float>(tokens != 0));
}

JitOptions options() {
  return {.buckets = {{"tokens", 1, one_of({32, 64, 128, 512})}}, .argument_names = {"tokens"}};
}
