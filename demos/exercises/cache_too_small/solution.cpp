/// Batches of three lengths take turns.
import octet;
using namespace octet;

Array words(Array tokens) {
  return sum(cast<float>(tokens != 0));
}

JitOptions options() {
  return {.buckets = {{"tokens", 1, one_of({64, 128, 256})}}, .argument_names = {"tokens"}, .max_programs = 3};
}
