module octet.data;
import octet.base;
import octet.standard;
import octet.text;

namespace octet::data {

namespace {

constexpr std::uint32_t mask_stream = 0x6d61'736b;  // "mask"; see order.cpp

// Numbers 0, 1, 2, … of this key choose positions, those from here on what stands there.
constexpr std::uint64_t replacement_counter = std::uint64_t{1} << 32;

}  // namespace

std::int64_t masked_count(const Masking& masking, std::int64_t ordinary) {
  if (ordinary <= 0 || !(masking.probability > 0)) return 0;
  if (masking.probability >= 1) return ordinary;
  const auto rounded = static_cast<std::int64_t>(std::floor(masking.probability * static_cast<double>(ordinary) + 0.5));
  return std::clamp<std::int64_t>(rounded, 1, ordinary);
}

void mask_tokens(std::span<std::int32_t> ids, std::span<std::int32_t> labels, const Masking& masking,
                 const text::Vocabulary& vocabulary, MaskDraw draw) {
  std::ranges::fill(labels, unmasked_label);
  std::vector<std::size_t> ordinary;
  for (std::size_t i = 0; i < ids.size(); ++i)
    if (!vocabulary.is_special(ids[i])) ordinary.push_back(i);
  const auto count = static_cast<std::size_t>(masked_count(masking, static_cast<std::int64_t>(ordinary.size())));
  const Key key = split(split(fold_in(Key::of_seed(draw.seed), mask_stream), draw.epoch), draw.example);

  const auto vocabulary_size = static_cast<std::uint64_t>(vocabulary.size());
  const auto random_token = [&](std::uint64_t counter) {
    // The special tokens are few, and drawing again is fair; the counter moves on by a stride that no other draw uses.
    for (std::uint64_t attempt = 0;; ++attempt) {
      const auto id = static_cast<std::int32_t>(below(key, counter + (attempt << 40), vocabulary_size));
      if (!vocabulary.is_special(id)) return id;
    }
  };
  for (std::size_t i = 0; i < count; ++i) {
    // The first `count` places of a random permutation of the ordinary positions.
    const auto other = i + static_cast<std::size_t>(below(key, i, ordinary.size() - i));
    std::swap(ordinary[i], ordinary[other]);
    const std::size_t position = ordinary[i];
    labels[position] = ids[position];
    const std::uint64_t counter = replacement_counter + 2 * i;
    const double lot = uniform(key, counter);
    if (lot < masking.replaced_by_mask)
      ids[position] = vocabulary.special_ids().mask;
    else if (lot < masking.replaced_by_mask + masking.replaced_by_random)
      ids[position] = random_token(counter + 1);
  }
}

}  // namespace octet::data
