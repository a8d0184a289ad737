module octet.nn;
import octet.base;
import octet.graph;
import octet.standard;
import octet.trace;

namespace octet::nn {

namespace {

/// `bits` decide for each element of `x`.
Array kept(const operand& a, double rate, const std::function<Array()>& bits) {
  const Array x = a.array();
  if (!(rate >= 0 && rate < 1))
    fail([&] {
      return Diagnostic{
          .number = 403,
          .sentence = "A rate of dropout is " + std::to_string(rate) + ", which would leave nothing or more.",
          .where = placed(Place::of(a.where())),
          .because = because(x),
          .fix = {"give a rate of at least 0 and below 1"}};
    });
  const auto dropped = static_cast<std::uint32_t>(rate * 0x1p32);
  return select(bits() >= dropped, x * (1 / (1 - rate)), zeros(x.type()));
}

}  // namespace

Array dropout(operand a, double rate, operand key) {
  const ComposedAt scope{a.where()};
  const Array x = a.array();
  return rate == 0 ? x : kept(a, rate, [&] { return random_bits(key, x.shape()); });
}

Dropout::Dropout(const DropoutRates& rates, const std::optional<Array>& keys) {
  if (keys) *this = {rates, *keys};
}

Dropout Dropout::of(std::uint32_t part, std::source_location where) const {
  if (!keys_ || rates_ == DropoutRates{}) return {};
  const ComposedAt scope{where};
  return {rates_, fold_in(*keys_, part)};
}

Array Dropout::operator()(operand x) const {
  // A sequence's elements are counted from its first token on, so that padding behind it changes none.
  return keys_ ? dropout(x, rates_.hidden, *keys_) : x.array();
}

Array Dropout::attention(operand a) const {
  const ComposedAt scope{a.where()};
  const Array shares = a.array();
  if (!keys_ || rates_.attention == 0) return shares;
  if (shares.rank() != 4)
    fail([&] {
      return Diagnostic{.number = 401,
                        .sentence = "Shares of attention are [batch, heads, queries, keys], and these are " +
                                    to_string(shares.type()) + ".",
                        .where = placed(Place::of(a.where())),
                        .because = because(shares)};
    });
  // Counted by head and query, and by key: neither depends on how long the sequence is.
  const TensorType counter{DType::u32, shares.shape()};
  const Array high = iota(counter, 2) * static_cast<std::uint32_t>(shares.extent(1)) + iota(counter, 1);
  return kept(a, rates_.attention, [&] { return random_bits(*keys_, high, iota(counter, 3)); });
}

}  // namespace octet::nn
