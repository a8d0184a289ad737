/// The mean of the losses that count: keep is 1 where a token was masked, else 0.
import octet;
using namespace octet;

Array masked_mean(Array loss, Array keep) {
  return mean(loss * keep);
}
