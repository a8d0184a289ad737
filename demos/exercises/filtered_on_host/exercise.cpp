/// The mean loss of the positions that have a label; a label below 0 means that there is nothing to guess.
#include <utility>
#include <vector>
import octet;
using namespace octet;

/// What the program is given: runs on the host, before each call.
std::pair<Tensor, Tensor> prepared(const Tensor& loss, const Tensor& label) {
  std::vector<float> kept_loss;
  std::vector<int> kept_label;
  for (int i = 0; i < label.elements(); ++i)
    if (label.at(i) >= 0) {
      kept_loss.push_back(static_cast<float>(loss.at(i)));
      kept_label.push_back(static_cast<int>(label.at(i)));
    }
  const Shape shape{static_cast<long>(kept_loss.size())};
  return {Tensor::of<float>(shape, kept_loss), Tensor::of<int>(shape, kept_label)};
}

/// The program.
Array mean_loss(Array loss, Array label) {
  Array keep = cast<float>(label >= 0);
  return sum(loss * keep) / sum(keep);
}
