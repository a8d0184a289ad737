module octet.data;
import octet.base;
import octet.standard;

namespace octet::data {

Padding pad_to_max_length() { return {}; }
Padding pad_to_longest() { return {.kind = Padding::Kind::longest}; }
Padding pad_to_multiple_of(std::int64_t multiple) { return {.kind = Padding::Kind::multiple_of, .multiple = multiple}; }
Padding pad_to_one_of(std::vector<std::int64_t> lengths) {
  return {.kind = Padding::Kind::lengths, .lengths = std::move(lengths)};
}

Padding pad_to_doubling_then_linear(std::int64_t bound, std::int64_t step) {
  return {.kind = Padding::Kind::doubling_then_linear, .lengths = {bound, step}};
}

namespace {

/// The least multiple of `unit` that holds `length`, and at most `most`, which holds it too.
std::int64_t next_multiple(std::int64_t length, std::int64_t unit, std::int64_t most) {
  const std::int64_t rest = length % unit;
  return rest == 0 ? length : length + std::min(unit - rest, most - length);
}

}  // namespace

std::int64_t padded_length(const Padding& padding, std::int64_t longest, std::int64_t max_length) {
  if (longest > max_length)
    fail([&] {
      return Diagnostic{.number = 709,
                        .sentence = "an example of " + std::to_string(longest) + " tokens is longer than max_length " +
                                    std::to_string(max_length),
                        .where = {},
                        .fix = {"pack the text with max_length " + std::to_string(max_length) + " too"}};
    });
  switch (padding.kind) {
    case Padding::Kind::max_length:
      return max_length;
    case Padding::Kind::longest:
      return longest;
    case Padding::Kind::multiple_of:
      if (padding.multiple < 1)
        fail([&] {
          return Diagnostic{.number = 709,
                            .sentence = "cannot pad to a multiple of " + std::to_string(padding.multiple),
                            .where = {},
                            .fix = {"choose a multiple of 8, such as 64: the matrix unit works in units of 8"}};
        });
      return next_multiple(longest, padding.multiple, max_length);
    case Padding::Kind::doubling_then_linear: {
      if (padding.lengths.size() != 2 || padding.lengths[0] < 1 || padding.lengths[1] < 1)
        fail([&] {
          return Diagnostic{
              .number = 709,
              .sentence = "lengths cannot double up to a bound and then grow by a step that are below 1 or not given",
              .where = {},
              .fix = {"use pad_to_doubling_then_linear(bound, step), such as (128, 64)"}};
        });
      const std::uint64_t power = std::bit_ceil(static_cast<std::uint64_t>(std::max<std::int64_t>(longest, 1)));
      return power <= static_cast<std::uint64_t>(padding.lengths[0])
                 ? std::min(max_length, static_cast<std::int64_t>(power))
                 : next_multiple(longest, padding.lengths[1], max_length);
    }
    case Padding::Kind::lengths:
      break;
  }
  if (padding.lengths.empty())
    fail([&] {
      return Diagnostic{.number = 709,
                        .sentence = "the list of lengths to pad to is empty",
                        .where = {},
                        .fix = {"name at least max_length"}};
    });
  std::int64_t best = 0;
  for (std::int64_t length : padding.lengths)
    if (length >= longest && (best == 0 || length < best)) best = length;
  if (best == 0)
    fail([&] {
      return Diagnostic{.number = 301,
                        .sentence = "no length to pad to holds an example of " + std::to_string(longest) +
                                    " tokens; the largest is " +
                                    std::to_string(*std::ranges::max_element(padding.lengths)),
                        .where = {},
                        .fix = {"add " + std::to_string(max_length) + " to the list of lengths"}};
    });
  return std::min(max_length, best);
}

PaddingCount count_padding(std::span<const std::int64_t> lengths, std::int64_t batch, const Padding& padding,
                           std::int64_t max_length) {
  if (batch < 1)
    fail({.number = 709,
          .sentence = "a batch of " + std::to_string(batch) + " examples",
          .where = {},
          .fix = {"use 1 or more"}});
  PaddingCount count;
  for (std::size_t begin = 0; begin < lengths.size();) {
    const std::size_t size = std::min(static_cast<std::size_t>(batch), lengths.size() - begin);
    const auto rows = lengths.subspan(begin, size);
    const std::int64_t width = padded_length(padding, *std::ranges::max_element(rows), max_length);
    for (std::int64_t length : rows) count += {length, width - length};
    begin += size;
  }
  return count;
}

}  // namespace octet::data
