module octet.train;
import octet.base;
import octet.nn;
import octet.standard;
import octet.trace;
import :finite;
import :json_fields;
import :tied_decoder;

namespace octet::train {

namespace {

using Names = std::pair<std::string_view, std::string_view>;  // octet.nn's, Hugging Face's

// What stands under the name of the encoder in all of them.
constexpr Names inside_the_encoder[] = {{"word.table", "embeddings.word_embeddings.weight"},
                                        {"position.table", "embeddings.position_embeddings.weight"},
                                        {"segment.table", "embeddings.token_type_embeddings.weight"},
                                        {"embedding_norm.", "embeddings.LayerNorm."},
                                        {"projection.", "embeddings_project."},
                                        {"next_sentence.pooler.", "pooler.dense."}};
constexpr Names bert_heads[] = {{"head.transform.", "cls.predictions.transform.dense."},
                                {"head.norm.", "cls.predictions.transform.LayerNorm."},
                                {"head.bias", "cls.predictions.bias"},
                                {"next_sentence.classifier.", "cls.seq_relationship."}};
constexpr Names generator_heads[] = {{"head.transform.", "generator_predictions.dense."},
                                     {"head.norm.", "generator_predictions.LayerNorm."},
                                     {"head.bias", "generator_lm_head.bias"}};
constexpr Names discriminator_heads[] = {{"head.dense.", "discriminator_predictions.dense."},
                                         {"head.prediction.", "discriminator_predictions.dense_prediction."}};

// A class of transformers.
struct Layout {
  const char* name;
  std::string_view encoder;
  std::span<const Names> heads;
  std::string decoder = {};  // whose weight and bias are tied to what is here
};
const Layout bert_layout{"BertForPreTraining", "bert.", bert_heads, "cls.predictions.decoder."};
const Layout generator_layout{"ElectraForMaskedLM", "electra.", generator_heads, "generator_lm_head."};
const Layout discriminator_layout{"ElectraForPreTraining", "electra.", discriminator_heads};

constexpr Names inside_a_layer[] = {{"attention.query.", "attention.self.query."},
                                    {"attention.key.", "attention.self.key."},
                                    {"attention.value.", "attention.self.value."},
                                    {"attention.output.", "attention.output.dense."},
                                    {"attention_norm.", "attention.output.LayerNorm."},
                                    {"intermediate.", "intermediate.dense."},
                                    {"output.", "output.dense."},
                                    {"output_norm.", "output.LayerNorm."}};
constexpr std::string_view layers = "layers.";

/// Nothing where the table does not have it.
std::optional<std::string> renamed(std::string_view name, std::span<const Names> table) {
  for (const auto& [ours, theirs] : table) {
    if (!name.starts_with(ours)) continue;
    const std::string_view last = name.substr(ours.size());
    return std::string{theirs} + (last == "scale" ? "weight" : std::string{last});
  }
  return std::nullopt;
}

std::string hugging_face_name(std::string_view name, const Layout& layout) {
  const std::string encoder{layout.encoder};
  if (name.starts_with(layers)) {
    const std::size_t end = name.find('.', layers.size());
    if (const auto inside = renamed(name.substr(end + 1), inside_a_layer))
      return encoder + "encoder.layer." + std::string{name.substr(layers.size(), end - layers.size())} + "." + *inside;
  } else {
    if (const auto inside = renamed(name, inside_the_encoder)) return encoder + *inside;
    if (const auto head = renamed(name, layout.heads)) return *head;
  }
  fail({.number = 715,
        .sentence = "The parameter " + std::string{name} + " has no place in a " + std::string{layout.name} + "."});
}

// The weight of a linear layer is [in, out] here and [out, in] there.
bool is_transposed(std::string_view name) { return name.ends_with(".weight"); }

Shape reversed(const Shape& shape) {
  const Dims extents = shape.extents();
  return Shape{Dims(extents.rbegin(), extents.rend())};
}

Tensor transposed(const Tensor& matrix) {
  const auto rows = static_cast<std::size_t>(matrix.shape()[0]), columns = static_cast<std::size_t>(matrix.shape()[1]);
  Tensor result{matrix.dtype(), reversed(matrix.shape())};
  visit_dtype(matrix.dtype(), [&](auto identity) {
    using T = typename decltype(identity)::type;
    const auto from = matrix.span<T>();
    const auto to = result.mutable_span<T>();
    for (std::size_t row = 0; row < rows; ++row)
      for (std::size_t column = 0; column < columns; ++column) to[column * rows + row] = from[row * columns + column];
  });
  return result;
}

// Finds tensors under the names that tools have given them over time: the first BERTs called a layer norm's scale and
// bias gamma and beta, and the head's bias may be stored with the decoder it belongs to.
class Parameters {
 public:
  explicit Parameters(const Safetensors& tensors) {
    for (const NamedTensor& named : tensors.tensors) by_name_[named.name] = &named.tensor;
  }

  bool has(const std::string& name) const { return by_name_.contains(name); }
  const Tensor* find(const std::string& name) const {
    const auto under = [&](const std::string& alias) -> const Tensor* {
      const auto at = by_name_.find(alias);
      return at == by_name_.end() ? nullptr : at->second;
    };
    if (const Tensor* tensor = under(name)) return tensor;
    for (const auto& [now, then] : {Names{"LayerNorm.weight", "LayerNorm.gamma"}, {"LayerNorm.bias", "LayerNorm.beta"}})
      if (name.ends_with(now)) return under(name.substr(0, name.size() - now.size()) + std::string{then});
    return name == "cls.predictions.bias" ? under("cls.predictions.decoder.bias") : nullptr;
  }

 private:
  std::map<std::string, const Tensor*, std::less<>> by_name_;
};

template <class Model>
Safetensors laid_out(const Values<Model>& model, const Layout& layout) {
  Safetensors result;
  result.metadata["format"] = "pt";
  const std::vector<std::string> names = model.names();
  for (std::size_t i = 0; i < names.size(); ++i) {
    const Tensor& tensor = model.tensors()[i];
    result.tensors.push_back(
        {hugging_face_name(names[i], layout), is_transposed(names[i]) ? transposed(tensor) : tensor});
  }
  return result;
}

/// `make(config)` is the structure.
template <class Make>
auto read_from(const Safetensors& tensors, const nn::BertConfig& config, const Layout& layout, Make make) {
  // Before a structure of that many layers is made.
  if (config.layers > static_cast<std::int64_t>(tensors.tensors.size()))
    malformed(tensors.name, tensors.name + " holds " + std::to_string(tensors.tensors.size()) +
                                " tensors, too few for the " + std::to_string(config.layers) +
                                " layers of config.json.");
  const Parameters parameters{tensors};
  // Without the class's own name before each of the encoder's: the encoder was saved by itself.
  const std::string table = hugging_face_name("word.table", layout);
  if (!parameters.has(table) && parameters.has(table.substr(layout.encoder.size())))
    fail([&] {
      return Diagnostic{.number = 715,
                        .sentence = tensors.name + " holds an encoder alone, without the head of a " + layout.name +
                                    ", which is trained with it.",
                        .where = {tensors.name, 0, ""},
                        .rule = "transformers saves a bare model so: its head was never there, or was left out.",
                        .fix = {std::string{"save it with a head: "} + layout.name +
                                ".from_pretrained(DIR).save_pretrained(OTHER) begins one at random"}};
    });
  const auto structure = make(config);
  std::vector<Tensor> found;
  std::vector<std::string> theirs;  // names
  std::vector<Diagnostic> faults;
  const auto fault = [&](const std::string& sentence) {
    if (faults.size() < 5) faults.push_back({.number = 715, .sentence = sentence, .where = {tensors.name, 0, ""}});
  };
  for_each_array(structure, "", [&](const std::string& ours, const Array& array) {
    const std::string name = hugging_face_name(ours, layout);
    const Shape shape = is_transposed(ours) ? reversed(array.type().shape) : array.type().shape;
    const Tensor* tensor = parameters.find(name);
    if (!tensor) {
      fault(tensors.name + " holds no tensor " + shown(name) + ".");
    } else if (tensor->shape() != shape) {
      fault("The tensor " + shown(name) + " of " + tensors.name + " is " + to_string(tensor->shape()) +
            " where config.json makes it " + to_string(shape) + ".");
    } else if (!is_floating(tensor->dtype())) {
      fault("The tensor " + shown(name) + " of " + tensors.name + " holds " +
            (is_integer(tensor->dtype()) ? "integers" : "truth values") + ", not floating-point numbers.");
    } else {
      const Tensor values = tensor->dtype() == DType::f32 ? *tensor : tensor->converted(DType::f32);
      if (ours == "word.table" && !layout.decoder.empty()) require_tied(tensors, layout.decoder + "weight", values);
      if (ours == "head.bias") require_tied(tensors, layout.decoder + "bias", values);
      theirs.push_back(name);
      found.push_back(is_transposed(ours) ? transposed(values) : values);
    }
  });
  if (!faults.empty()) throw Error{std::move(faults)};
  require_finite(theirs, found, tensors.name);
  return Values<std::remove_cvref_t<decltype(structure)>>{structure, std::move(found)};
}

}  // namespace

Safetensors to_hugging_face(const Values<nn::Bert>& model) { return laid_out(model, bert_layout); }
Safetensors generator_to_hugging_face(const Values<nn::Bert>& model) { return laid_out(model, generator_layout); }
Safetensors to_hugging_face(const Values<nn::ElectraDiscriminator>& model) {
  return laid_out(model, discriminator_layout);
}

Values<nn::Bert> from_hugging_face(const Safetensors& tensors, const nn::BertConfig& config) {
  const bool of_electra = Parameters{tensors}.has(hugging_face_name("word.table", generator_layout));
  return read_from(tensors, config, of_electra ? generator_layout : bert_layout, nn::bert);
}
Values<nn::ElectraDiscriminator> discriminator_from_hugging_face(const Safetensors& tensors,
                                                                 const nn::BertConfig& config) {
  return read_from(tensors, config, discriminator_layout, nn::electra_discriminator);
}

}  // namespace octet::train
