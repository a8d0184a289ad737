module octet.nn;
import octet.base;
import octet.standard;
import :transformer;

namespace octet::nn {

namespace {

using enum TransformerKind;

constexpr PublishedTransformer table[] = {
    {"bert-tiny", {bert, 2, 128, 2, 512, 30522, 128, 512}},
    {"bert-mini", {bert, 4, 256, 4, 1024, 30522, 256, 512}},
    {"bert-small", {bert, 4, 512, 8, 2048, 30522, 512, 512}},
    {"bert-medium", {bert, 8, 512, 8, 2048, 30522, 512, 512}},
    {"bert-base", {bert, 12, 768, 12, 3072, 30522, 768, 512}},
    {"bert-large", {bert, 24, 1024, 16, 4096, 30522, 1024, 512}},
    {"electra-small", {electra, 12, 256, 4, 1024, 30522, 128, 512, 64}},
    {"electra-base", {electra, 12, 768, 12, 3072, 30522, 768, 512, 256}},
    {"electra-large", {electra, 24, 1024, 16, 4096, 30522, 1024, 512, 256}},
    {"albert-base", {albert, 12, 768, 12, 3072, 30000, 128, 512}},
    {"albert-large", {albert, 24, 1024, 16, 4096, 30000, 128, 512}},
    {"albert-xlarge", {albert, 24, 2048, 16, 8192, 30000, 128, 512}},
    {"albert-xxlarge", {albert, 12, 4096, 64, 16384, 30000, 128, 512}},
    {"gpt2", {gpt2, 12, 768, 12, 3072, 50257, 768, 1024}},
    {"gpt2-medium", {gpt2, 24, 1024, 16, 4096, 50257, 1024, 1024}},
    {"gpt2-large", {gpt2, 36, 1280, 20, 5120, 50257, 1280, 1024}},
    {"gpt2-xl", {gpt2, 48, 1600, 25, 6400, 50257, 1600, 1024}},
};

/// Letters to insert, take out or replace to make one word of the other.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t corner = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j)
      corner = std::exchange(row[j], std::min({row[j] + 1, row[j - 1] + 1, corner + (a[i - 1] != b[j - 1])}));
  }
  return row.back();
}

/// The divisors of `hidden` nearest to `heads`, which is at most that: from below and from above.
std::pair<std::int64_t, std::int64_t> divisors_around(std::int64_t hidden, std::int64_t heads) {
  std::int64_t below = heads, above = heads;
  while (hidden % below != 0) --below;
  while (hidden % above != 0) ++above;
  return {below, above};
}

Diagnostic unequal_heads(const TransformerConfig& config) {
  const std::int64_t hidden = config.hidden, heads = config.heads;
  const auto [below, above] = divisors_around(hidden, std::min(hidden, heads));
  const std::int64_t narrower = hidden / heads * heads;
  const auto either = [](std::int64_t first, std::int64_t second) {
    return first < 1 || first == second ? std::to_string(second)
                                        : std::to_string(first) + " or " + std::to_string(second);
  };
  return {.number = 717,
          .sentence = "A hidden size of " + std::to_string(hidden) + " cannot be shared equally by " +
                      std::to_string(heads) + " heads.",
          .fix = {"take heads that share it: --heads " + either(below, above),
                  "take a hidden size that they share: --hidden " + either(narrower, narrower + heads)}};
}

}  // namespace

std::span<const PublishedTransformer> published_transformers() { return table; }

TransformerConfig published_transformer(std::string_view name) {
  std::vector<std::tuple<bool, std::size_t, std::string>> near;  // names that begin so come first
  for (const PublishedTransformer& each : table) {
    if (each.name == name) return each.config;
    const bool begins = !name.empty() && each.name.starts_with(name);
    near.emplace_back(!begins, distance(name.substr(0, 64), each.name), std::string{each.name});
  }
  std::sort(near.begin(), near.end());
  fail([&] {
    return Diagnostic{
        .number = 717,
        .sentence = "No model is known by the name '" + std::string{name.substr(0, 64)} + "'.",
        .fix = {"use " + std::get<2>(near[0]) + " or " + std::get<2>(near[1]),
                "give its sizes: --layers, --hidden, --heads, --intermediate", "give its config.json with --config"}};
  });
}

std::int64_t shared_by(std::int64_t hidden, std::int64_t heads) {
  if (hidden < 1 || hidden > largest_size || heads < 1 || heads > hidden) return heads;
  const auto [below, above] = divisors_around(hidden, heads);
  return heads - below < above - heads ? below : above;
}

std::int64_t generator_intermediate(const TransformerConfig& config) {
  const double share = static_cast<double>(config.generator_hidden) / static_cast<double>(config.hidden);
  return std::max<std::int64_t>(1, std::llround(share * static_cast<double>(config.intermediate)));
}

void validate(const TransformerConfig& config) {
  std::vector<Diagnostic> faults;
  const auto size = [&](const char* what, const std::string& option, std::int64_t value, std::int64_t largest) {
    if (value >= 1 && value <= largest) return;
    const std::string range = " between 1 and " + std::to_string(largest);
    faults.push_back(
        {.number = 717,
         .sentence =
             "A model with " + std::string{what} + " " + std::to_string(value) + " cannot be: it must be" + range + ".",
         .fix = {"give a number" + range + (option.empty() ? "" : ", by " + option + " or") + " in its config.json"}});
  };
  size("layers", "--layers", config.layers, most_layers);
  size("hidden size", "--hidden", config.hidden, largest_size);
  size("heads", "--heads", config.heads, largest_size);
  size("intermediate size", "--intermediate", config.intermediate, largest_size);
  size("vocabulary", "--vocab-size", config.vocabulary, largest_size);
  size("embedding size", "--embedding", config.embedding, largest_size);
  size("positions", "", config.positions, largest_size);
  if (config.kind == TransformerKind::electra)
    size("generator's hidden size", "--generator-size", config.generator_hidden, largest_size);
  if (faults.empty() && config.hidden % config.heads != 0) faults.push_back(unequal_heads(config));
  if (!faults.empty()) throw Error{std::move(faults)};
}

void require_positions(const TransformerConfig& config, std::int64_t length) {
  if (length <= config.positions) return;
  fail([&] {
    return Diagnostic{
        .number = 401,
        .sentence = "A sequence of " + std::to_string(length) + " tokens was given to a model with " +
                    std::to_string(config.positions) + " position embeddings.",
        .fix = {"shorten the sequences to " + std::to_string(config.positions), "take a model with more positions"}};
  });
}

namespace {

/// What makes guesses and judgements of the last layer, without the word embeddings that it shares.
double head_parameters(const TransformerConfig& c) {
  const auto h = static_cast<double>(c.hidden), e = static_cast<double>(c.embedding),
             v = static_cast<double>(c.vocabulary), g = static_cast<double>(c.generator_hidden);
  const auto guess = [&](double in) { return in * e + 3 * e + v; };
  return c.kind == gpt2 ? 0 : c.kind == electra ? guess(g) + h * h + 2 * h + 1 : guess(h);
}

}  // namespace

double early_parameter_count(const TransformerConfig& config) {
  TransformerConfig first = config;
  first.layers = 1;
  return parameter_count(config) - parameter_count(first) + head_parameters(config);
}

double parameter_count(const TransformerConfig& c) {
  const auto encoder = [&](double h, double ff, double layers) {
    return layers * (4 * h * h + 4 * h + 2 * h * ff + ff + h + 4 * h);
  };
  const auto h = static_cast<double>(c.hidden), ff = static_cast<double>(c.intermediate),
             e = static_cast<double>(c.kind == TransformerKind::gpt2 ? c.hidden : c.embedding),
             v = static_cast<double>(c.vocabulary), p = static_cast<double>(c.positions);
  double count = v * e + p * e + encoder(h, ff, c.kind == albert ? 1 : static_cast<double>(c.layers));
  count += 2 * e + (e != h ? e * h + h : 0);
  if (c.kind != TransformerKind::gpt2) count += 2 * e;  // segments
  if (c.kind == TransformerKind::electra) {
    const auto g = static_cast<double>(c.generator_hidden);
    count += encoder(g, static_cast<double>(generator_intermediate(c)), static_cast<double>(c.layers)) +
             (c.embedding != c.generator_hidden ? e * g + g : 0);
  }
  return count + head_parameters(c);
}

}  // namespace octet::nn
