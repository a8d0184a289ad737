module octet.nn;
import octet.base;
import octet.graph;
import octet.standard;
import octet.trace;

namespace octet::nn {

Array EncoderLayer::operator()(operand a, const Array& attention_mask, const Dropout& dropout) const {
  const ComposedAt scope{a.where()};
  const Array x = a.array();
  const Array attended = attention_norm(x + dropout.of(1)(attention(x, attention_mask, dropout.of(0))));
  return output_norm(attended + dropout.of(2)(output(gelu(intermediate(attended)))));
}

/// Apart from what the page runs.
[[gnu::noinline]] static Array computed_again(const EncoderLayer& layer, const Array& x, const Array& attention_mask,
                                              const Dropout& dropout) {
  return checkpoint(layer)(x, attention_mask, dropout);
}

Array Bert::encode(operand ids, const Array& segments, const Array& attention_mask, const Dropout& dropped) const {
  const ComposedAt scope{ids.where()};
  require_ids(ids.array(), "BERT", ids.where());
  require_attention_mask(segments, ids.array(), "segments", ids.where());
  require_attention_mask(attention_mask, ids.array(), "attention_mask", ids.where());
  const std::int64_t seq = ids.array().extent(1);
  if (seq > position.table.extent(0))
    fail([&] {
      return Diagnostic{.number = 401,
                        .sentence = "A sequence of " + std::to_string(seq) + " tokens was given to a BERT with " +
                                    std::to_string(position.table.extent(0)) + " position embeddings.",
                        .where = placed(Place::of(ids.where())),
                        .fix = {"shorten the sequences to " + std::to_string(position.table.extent(0)),
                                "make the model with more positions"}};
    });
  Array x = word(ids) + slice_in_dim(position.table, 0, seq, 0) + segment(segments);
  x = dropped.of(0)(embedding_norm(x));
  if (projection) x = (*projection)(x);
  std::uint32_t part = 0;
  for (const EncoderLayer& layer : layers) {
    const Dropout own = dropped.of(++part);
    x = gradient_checkpointing ? computed_again(layer, x, attention_mask, own) : layer(x, attention_mask, own);
  }
  return x;
}

Array Bert::logits(operand hidden) const {
  const ComposedAt scope{hidden.where()};
  const Array transformed = head.norm(gelu(head.transform(hidden)));
  DotAttributes tied;
  tied.lhs_contracting_dimensions = {transformed.rank() - 1};
  tied.rhs_contracting_dimensions = {1};
  return dot_general(transformed, word.table, tied) + head.bias;
}

Array Bert::next_sentence_logits(operand a) const {
  const ComposedAt scope{a.where()};
  const Array hidden = a.array();
  if (!next_sentence)
    fail([&] {
      return Diagnostic{.number = 403,
                        .sentence = "A BERT without a head for next sentences was asked about them.",
                        .where = placed(Place::of(a.where())),
                        .fix = {"make it with BertConfig.next_sentence = true"}};
    });
  const Array first = reshape(slice_in_dim(hidden, 0, 1, 1), {hidden.extent(0), hidden.extent(2)});
  return next_sentence->classifier(tanh(next_sentence->pooler(first)));
}

Bert bert(const BertConfig& config) {
  for (const auto& [what, size] : {std::pair{"vocabulary", config.vocabulary},
                                   {"hidden", config.hidden},
                                   {"layers", config.layers},
                                   {"heads", config.heads},
                                   {"intermediate", config.intermediate},
                                   {"positions", config.positions},
                                   {"segments", config.segments},
                                   {"embedding", config.embedding_width()}})
    if (size < 1)
      fail([&] {
        return Diagnostic{.number = 403,
                          .sentence = std::string{"BertConfig."} + what + " is " + std::to_string(size) + ".",
                          .fix = {"give it a size of at least 1"}};
      });
  const double epsilon = config.layer_norm_epsilon;
  const std::int64_t width = config.embedding_width();
  Bert model{embedding(config.vocabulary, width),
             embedding(config.positions, width),
             embedding(config.segments, width),
             layer_norm(width, epsilon),
             {},
             {}};
  for (std::int64_t l = 0; l < config.layers; ++l)
    model.layers.push_back({self_attention(config.hidden, config.heads), layer_norm(config.hidden, epsilon),
                            linear(config.hidden, config.intermediate), linear(config.intermediate, config.hidden),
                            layer_norm(config.hidden, epsilon)});
  model.head = {linear(config.hidden, width), layer_norm(width, epsilon),
                parameter({DType::f32, Shape{config.vocabulary}}, {})};
  if (config.next_sentence)
    model.next_sentence = NextSentenceHead{linear(config.hidden, config.hidden), linear(config.hidden, 2)};
  if (width != config.hidden) model.projection = linear(width, config.hidden);
  model.dropout = config.dropout;
  model.gradient_checkpointing = config.gradient_checkpointing;
  return model;
}

namespace {

Array encoded(const Bert& model, const MaskedLanguageBatch& batch) {
  return model.encode(batch.ids, batch.segments, batch.attention_mask, {model.dropout, batch.dropout_keys});
}

/// Throws X401 unless there are positions for each sequence, and a label for each of them.
void require_predictions(const MaskedLanguageBatch& batch) {
  const Array &positions = batch.masked_positions, &labels = batch.masked_labels;
  if (positions.rank() == 2 && positions.extent(0) == batch.ids.extent(0) && labels.shape() == positions.shape())
    return;
  fail([&] {
    return Diagnostic{.number = 401,
                      .sentence = "masked_positions are " + to_string(positions.type()) + " and masked_labels " +
                                  to_string(labels.type()) + ", for ids " + to_string(batch.ids.type()) +
                                  ": both must be [batch, predictions].",
                      .where = placed({}),
                      .because = because(positions.rank() == 2 ? labels : positions),
                      .fix = {"give each of the " + std::to_string(batch.ids.extent(0)) +
                              " sequences as many positions, and each position a label, below 0 where there is "
                              "nothing to guess"}};
  });
}

MaskedTokens guessed(const Bert& model, const MaskedLanguageBatch& batch, const Array& hidden) {
  const std::int64_t rows = hidden.extent(0), seq = hidden.extent(1), width = hidden.extent(2);
  require_predictions(batch);
  const std::int64_t predictions = batch.masked_positions.extent(1);
  const Array row = iota({DType::i32, Shape{rows, predictions}}, 0) * static_cast<std::int32_t>(seq);
  const Array at = reshape(batch.masked_positions + row, {rows * predictions});
  const Array logits = model.logits(take(reshape(hidden, {rows * seq, width}), at));
  return {summed_cross_entropy(logits, reshape(batch.masked_labels, {rows * predictions})), logits};
}

}  // namespace

MaskedTokens masked_tokens(const Bert& model, const MaskedLanguageBatch& batch, std::source_location where) {
  const ComposedAt scope{where};
  return guessed(model, batch, encoded(model, batch));
}

SummedLoss masked_language_loss(const Bert& model, const MaskedLanguageBatch& batch, std::source_location where) {
  return masked_tokens(model, batch, where).loss;
}

PretrainingLoss pretraining_loss(const Bert& model, const MaskedLanguageBatch& batch, std::source_location where) {
  const ComposedAt scope{where};
  if (!batch.next_sentence_labels)
    fail([&] {
      return Diagnostic{.number = 403,
                        .sentence = "The loss of next sentences was asked for a batch without labels for it.",
                        .where = placed({}),
                        .fix = {"give MaskedLanguageBatch.next_sentence_labels", "use masked_language_loss"}};
    });
  const Array hidden = encoded(model, batch);
  return {guessed(model, batch, hidden).loss,
          summed_cross_entropy(model.next_sentence_logits(hidden), *batch.next_sentence_labels)};
}

}  // namespace octet::nn
