/// What is made of lines in memory before the first step: a vocabulary, what tells a text from another, the lengths
/// that fit.
module octet.train:training_lines;
import octet.data;
import octet.standard;
import octet.text;
import :options;

namespace octet::train {

/// The vocabulary of these lines.
text::WordPiece learned(const std::vector<std::string>& lines, const TrainOptions& options);

/// Sixteen hexadecimal digits for what is trained on and what is held out.
std::string hash_of(const data::Split& split);

/// The lengths that pad the batches of the first epoch least.
data::Padding fitted_padding(const data::MaskedBatches& batches, const TrainOptions& options);

}  // namespace octet::train
