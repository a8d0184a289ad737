/// Masking for masked-language modelling (Devlin et al. 2018, 3.1): which tokens are to be guessed, and what stands in
/// their place.
export module octet.data:masking;
import octet.standard;
import octet.text;

export namespace octet::data {

struct Masking {
  double probability = 0.15;        ///< share of an example's ordinary tokens that are to be guessed
  double replaced_by_mask = 0.8;    ///< of those, the share that becomes [MASK]
  double replaced_by_random = 0.1;  ///< of those, the share that becomes a random ordinary token; the rest stays
  friend bool operator==(const Masking&, const Masking&) = default;
};

/// The label of a position that is not to be guessed.
inline constexpr std::int32_t unmasked_label = -100;

/// How many of `ordinary` tokens (not counting special ones) are masked: the share rounded, at least one where there is
/// one.
std::int64_t masked_count(const Masking& masking, std::int64_t ordinary);

/// Which draw of random numbers masks an example: the same three numbers give the same mask on every machine, in any
/// order.
struct MaskDraw {
  std::uint64_t seed = 0;
  std::uint64_t epoch = 0;
  std::uint64_t example = 0;
};

/// Masks the example in `ids` in place and writes the original ids of the chosen positions to `labels` (of the same
/// length), `unmasked_label` elsewhere. Special tokens are never chosen, and never drawn as random ones. Exactly
/// `masked_count` are chosen.
void mask_tokens(std::span<std::int32_t> ids, std::span<std::int32_t> labels, const Masking& masking,
                 const text::Vocabulary& vocabulary, MaskDraw draw);

}  // namespace octet::data
