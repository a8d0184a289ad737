/// ELECTRA's second loss (Clark et al. 2020): the generator has put words of its own where tokens were masked, and the
/// discriminator tells of the ids it reads which were put there, by logits above 0. labels are the original ids where
/// tokens were masked, below 0 elsewhere; all are [positions]. The first that it is tried with:
///   ids {5, 9, 7, 8, 0, 0}, labels {-100, 6, 7, -100, -100, -100}, attention_mask {1, 1, 1, 1, 0, 0}
import octet;
using namespace octet;

Array discriminator_loss(Array logits, Array ids, Array labels, Array attention_mask) {
  Array masked = labels >= 0;
  Array replaced = masked & (ids != labels);  // what was drawn may be the very word that stood there
  Array loss = nn::binary_cross_entropy(logits, cast<float>(replaced));
  Array counts = cast<float>(masked);
  return sum(loss * counts) / sum(counts);
}
