/// --padding: what length a batch is padded to, in the same words for every command that pads. Imports octet: include
/// it after all other headers.
#pragma once
import cli11;
import octet.standard;
import octet;

namespace program {

struct PaddingChoice {
  octet::data::Padding padding;
  std::int64_t fitted = 0;  ///< where above 0, so many lengths that are found for the text
};

/// The words for a choice: `multiple_of:64`.
std::string words_of(const PaddingChoice& choice);

/// The choice that these words tell. Throws CLI::ValidationError where they tell none, and for `fitted:N` where
/// nothing can be found.
PaddingChoice padding_of(const std::string& words, bool may_be_fitted);

/// The words there are, for the help of an option.
std::string padding_words(bool may_be_fitted);

/// Options that were written otherwise before --padding: whoever writes one is told what to write now.
void refuse_padding_by_other_names(CLI::App* app);

}  // namespace program
