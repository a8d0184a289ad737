/// The total loss of the positions that have a label; the others have the label -100.
import octet;
using namespace octet;

Array labelled_total(Array losses, Array labels) {
  return sum(losses[labels != -100]);
}
