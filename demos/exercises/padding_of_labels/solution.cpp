/// The mean loss over the rows that have a label; a label below 0 means none.
import octet;
using namespace octet;

Array loss(Array logits, Array labels) {
  Array keep = cast<float>(labels >= 0);
  return sum(nn::cross_entropy(logits, labels) * keep) / sum(keep);
}

JitOptions options() {
  return {.buckets = {{"logits", 0, multiple_of(8)}, {"labels", 0, multiple_of(8), -1}},
          .argument_names = {"logits", "labels"}};
}
