module octet.nn;
import octet.base;
import octet.graph;
import octet.standard;
import octet.trace;

namespace octet::nn {

namespace {

// The generator and the discriminator drop independently.
constexpr std::uint32_t dropped_by_generator = 0, dropped_by_discriminator = 1;

std::optional<Array> keys_of(const ReplacedTokenBatch& batch, std::uint32_t part) {
  return batch.dropout_keys ? std::optional{fold_in(*batch.dropout_keys, part)} : std::nullopt;
}

MaskedLanguageBatch masked_of(const ReplacedTokenBatch& batch) {
  return {.ids = batch.ids,
          .segments = batch.segments,
          .attention_mask = batch.attention_mask,
          .masked_positions = batch.masked_positions,
          .masked_labels = batch.masked_labels,
          .dropout_keys = keys_of(batch, dropped_by_generator)};
}

/// Whether prediction p of a sequence is about position s, [batch, predictions, seq]. Entries that only fill the row up
/// are about none.
Array about(const ReplacedTokenBatch& batch) {
  const std::int64_t rows = batch.ids.extent(0), seq = batch.ids.extent(1);
  const std::int64_t predictions = batch.masked_positions.extent(1);
  const Array position = iota({DType::i32, Shape{rows, predictions, seq}}, 2);
  return (position == expand_dims(batch.masked_positions, 2)) & expand_dims(batch.masked_labels >= 0, 2);
}

/// Values of `structure`: each the tensor that `source` has for its name.
template <class T>
Values<T> gathered(const T& structure, const std::function<Tensor(const std::string& name)>& source) {
  std::vector<Tensor> tensors;
  for_each_array(structure, "", [&](const std::string& name, const Array&) { tensors.push_back(source(name)); });
  return {structure, std::move(tensors)};
}

std::function<Tensor(const std::string&)> by_name(const auto& values) {
  std::map<std::string, Tensor, std::less<>> found;
  const std::vector<std::string> names = values.names();
  for (std::size_t i = 0; i < names.size(); ++i) found[names[i]] = values.tensors()[i];
  return [found = std::move(found)](const std::string& name) { return found.at(name); };
}

const std::string judging = "discriminator.", guessing = "generator.";
bool is_shared(const std::string& name) { return name.ends_with(".table") || name.starts_with("embedding_norm."); }

}  // namespace

ElectraConfig electra_config(const BertConfig& discriminator, double share) {
  const auto nearest = [](double size) { return std::max<std::int64_t>(1, std::llround(size)); };
  BertConfig generator = discriminator;
  generator.embedding = discriminator.embedding_width();
  generator.heads = nearest(static_cast<double>(discriminator.heads) * share);
  const double wide = static_cast<double>(discriminator.hidden) * share;
  generator.hidden = nearest(wide / static_cast<double>(generator.heads)) * generator.heads;
  generator.intermediate = nearest(static_cast<double>(discriminator.intermediate * generator.hidden) /
                                   static_cast<double>(discriminator.hidden));
  generator.next_sentence = false;
  return {discriminator, generator};
}

Array ElectraDiscriminator::replaced_logits(operand ids, const Array& segments, const Array& attention_mask,
                                            const Dropout& dropped) const {
  const ComposedAt scope{ids.where()};
  const Bert encoder{word, position, segment, embedding_norm, layers, {}, {}, projection, {}, gradient_checkpointing};
  const Array logits = head.prediction(gelu(head.dense(encoder.encode(ids, segments, attention_mask, dropped))));
  return reshape(logits, {logits.extent(0), logits.extent(1)});
}

Bert Electra::generating() const {
  const ElectraDiscriminator& shared = discriminator;
  return {shared.word,
          shared.position,
          shared.segment,
          shared.embedding_norm,
          generator.layers,
          generator.head,
          {},
          generator.projection,
          generator.dropout,
          generator.gradient_checkpointing};
}

ElectraDiscriminator electra_discriminator(const BertConfig& config) {
  Bert encoder = bert(config);
  return {encoder.word,
          encoder.position,
          encoder.segment,
          encoder.embedding_norm,
          std::move(encoder.layers),
          {linear(config.hidden, config.hidden), linear(config.hidden, 1)},
          std::move(encoder.projection),
          encoder.dropout,
          encoder.gradient_checkpointing};
}

Electra electra(const ElectraConfig& config) {
  const BertConfig &judge = config.discriminator, &guess = config.generator;
  for (const auto& [what, own, other] : {std::tuple{"vocabulary", guess.vocabulary, judge.vocabulary},
                                         {"positions", guess.positions, judge.positions},
                                         {"segments", guess.segments, judge.segments},
                                         {"embedding", guess.embedding_width(), judge.embedding_width()}})
    if (own != other)
      fail({.number = 403,
            .sentence = std::string{"The generator's "} + what + " is " + std::to_string(own) +
                        ", the discriminator's " + std::to_string(other) + ", and they share their embeddings.",
            .fix = {"make the two configurations with electra_config"}});
  Bert generator = bert(guess);
  return {electra_discriminator(judge),
          {std::move(generator.layers), std::move(generator.head), std::move(generator.projection), generator.dropout,
           generator.gradient_checkpointing}};
}

Values<Bert> generator_of(const Values<Electra>& model) {
  const auto source = by_name(model);
  return gathered(model.structure().generating(),
                  [&](const std::string& name) { return source((is_shared(name) ? judging : guessing) + name); });
}

Values<ElectraDiscriminator> discriminator_of(const Values<Electra>& model) {
  const auto source = by_name(model);
  return gathered(model.structure().discriminator, [&](const std::string& name) { return source(judging + name); });
}

Values<Electra> electra_of(const ElectraConfig& config, const Values<ElectraDiscriminator>& discriminator,
                           const Values<Bert>& generator) {
  const auto judge = by_name(discriminator), guess = by_name(generator);
  return gathered(electra(config), [&](const std::string& name) {
    return name.starts_with(judging) ? judge(name.substr(judging.size())) : guess(name.substr(guessing.size()));
  });
}

ReplacedTokenPass replaced_token_pass(const Electra& model, const ReplacedTokenBatch& batch,
                                      std::source_location where) {
  const ComposedAt scope{where};
  const MaskedTokens guessed = masked_tokens(model.generating(), masked_of(batch), where);
  const std::int64_t rows = batch.ids.extent(0), predictions = batch.masked_positions.extent(1);
  const Array logits = stop_gradient(reshape(guessed.logits, {rows, predictions, guessed.logits.extent(1)}));
  const Array drawn = random_categorical(batch.sampling_keys, logits);

  const Array at = about(batch);
  const auto placed = [&](const Array& tokens) { return sum(select(at, expand_dims(tokens, 2), 0), {1}); };
  const Array masked = any(at, {1});
  const Array ids = select(masked, placed(drawn), batch.ids);
  const Array replaced = masked & (ids != placed(batch.masked_labels));

  const Array judged = batch.attention_mask > 0;
  const Array verdict =
      model.discriminator.replaced_logits(ids, batch.segments, batch.attention_mask,
                                          {model.discriminator.dropout, keys_of(batch, dropped_by_discriminator)});
  const Array keep = cast<float>(judged);
  const Array losses = cast<float>(binary_cross_entropy(verdict, cast(replaced, verdict.dtype())));
  return {guessed.loss, {sum(losses * keep), sum(keep)}, verdict, replaced & judged, judged};
}

}  // namespace octet::nn
