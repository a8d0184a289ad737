/// The batches of steps first to last - 1 of a run. A run that was interrupted asks for the rest of them.
#include <vector>
import octet;
using namespace octet;

std::vector<data::MaskedBatch> batches(const data::MaskedBatches& all, unsigned first, unsigned last) {
  std::vector<data::MaskedBatch> result;
  data::Position position = all.after_steps(first);
  for (unsigned step = first; step < last; ++step) {
    result.push_back(all.at(position));
    position = all.after(position);
  }
  return result;
}
