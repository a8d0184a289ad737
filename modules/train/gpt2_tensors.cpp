module octet.train;
import octet.base;
import octet.nn;
import octet.standard;
import octet.trace;
import :checkpoint;
import :finite;
import :json_fields;
import :tied_decoder;

namespace octet::train {

namespace {

using Names = std::pair<std::string_view, std::string_view>;  // octet.nn's, Hugging Face's

constexpr Names outside_layers[] = {{"word.table", "wte.weight"},
                                    {"position.table", "wpe.weight"},
                                    {"norm.scale", "ln_f.weight"},
                                    {"norm.bias", "ln_f.bias"}};
// Linear layers are its Conv1D, whose weight is [in, out], as here.
constexpr Names inside_a_layer[] = {{"attention_norm.scale", "ln_1.weight"},
                                    {"attention_norm.bias", "ln_1.bias"},
                                    {"attention.query.weight", "attn.c_attn.weight"},
                                    {"attention.query.bias", "attn.c_attn.bias"},
                                    {"attention.output.weight", "attn.c_proj.weight"},
                                    {"attention.output.bias", "attn.c_proj.bias"},
                                    {"intermediate_norm.scale", "ln_2.weight"},
                                    {"intermediate_norm.bias", "ln_2.bias"},
                                    {"intermediate.weight", "mlp.c_fc.weight"},
                                    {"intermediate.bias", "mlp.c_fc.bias"},
                                    {"output.weight", "mlp.c_proj.weight"},
                                    {"output.bias", "mlp.c_proj.bias"}};
constexpr std::string_view layers = "layers.", prefix = "transformer.";
// One linear layer there makes all three; columns of the first are the queries'.
constexpr std::string_view joined[] = {"attention.query.", "attention.key.", "attention.value."};

struct Place {
  std::string name;       // Hugging Face's
  std::size_t third = 0;  // of its columns
  bool whole = true;
};

Place place_of(std::string_view ours) {
  std::string begin{prefix};
  const bool in_layer = ours.starts_with(layers);
  if (in_layer) {
    const std::size_t end = ours.find('.', layers.size());
    begin += "h." + std::string{ours.substr(layers.size(), end + 1 - layers.size())};
    ours.remove_prefix(end + 1);
  }
  Place place;
  std::string name{ours};
  for (std::size_t third = 0; in_layer && third < 3; ++third)
    if (ours.starts_with(joined[third])) {
      place.third = third;
      place.whole = false;
      name = std::string{joined[0]} + name.substr(joined[third].size());
    }
  const auto find = [&](auto& table) {
    for (const auto& [own, theirs] : table)
      if (own == name) return begin + std::string{theirs};
    fail({.number = 715, .sentence = "The parameter " + std::string{ours} + " has no place in a GPT2LMHeadModel."});
  };
  place.name = in_layer ? find(inside_a_layer) : find(outside_layers);
  return place;
}

Shape joined_shape(const Shape& shape) {
  Dims extents = shape.extents();
  extents.back() *= 3;
  return Shape{extents};
}

// Copies between a third of the columns of `wide` and all of `narrow`.
void copy_third(std::span<float> wide, std::span<float> narrow, std::int64_t columns, std::size_t third,
                bool into_wide) {
  const auto width = static_cast<std::size_t>(columns);
  for (std::size_t row = 0; row * width < narrow.size(); ++row) {
    const auto there = wide.subspan((3 * row + third) * width, width), here = narrow.subspan(row * width, width);
    into_wide ? std::ranges::copy(here, there.begin()) : std::ranges::copy(there, here.begin());
  }
}

}  // namespace

Safetensors to_hugging_face(const Values<nn::Gpt2>& model) {
  Safetensors result;
  result.metadata["format"] = "pt";
  std::map<std::string, std::size_t> made;  // joined ones, by name
  const std::vector<std::string> names = model.names();
  for (std::size_t i = 0; i < names.size(); ++i) {
    const Place place = place_of(names[i]);
    Tensor tensor = model.tensors()[i];
    if (place.whole) {
      result.tensors.push_back({place.name, std::move(tensor)});
      continue;
    }
    const auto [at, first] = made.try_emplace(place.name, result.tensors.size());
    if (first) result.tensors.push_back({place.name, Tensor{DType::f32, joined_shape(tensor.shape())}});
    copy_third(result.tensors[at->second].tensor.mutable_span<float>(), tensor.mutable_span<float>(),
               tensor.shape()[-1], place.third, true);
  }
  return result;
}

Values<nn::Gpt2> from_hugging_face(const Safetensors& tensors, const nn::Gpt2Config& config) {
  // Before a structure of that many layers is made.
  if (config.layers > static_cast<std::int64_t>(tensors.tensors.size()))
    malformed(tensors.name, tensors.name + " holds " + std::to_string(tensors.tensors.size()) +
                                " tensors, too few for the " + std::to_string(config.layers) +
                                " layers of config.json.");
  std::map<std::string, const Tensor*, std::less<>> by_name;
  for (const NamedTensor& named : tensors.tensors) by_name[named.name] = &named.tensor;
  std::vector<Tensor> found;
  std::vector<std::string> theirs;  // names
  std::vector<Diagnostic> faults;
  const auto fault = [&](const std::string& sentence) {
    if (faults.size() < 5) faults.push_back({.number = 715, .sentence = sentence, .where = {tensors.name, 0, ""}});
  };
  const nn::Gpt2 structure = nn::gpt2(config);
  for_each_array(structure, "", [&](const std::string& ours, const Array& array) {
    const auto [name, third, whole] = place_of(ours);
    const Shape shape = whole ? array.shape() : joined_shape(array.shape());
    auto at = by_name.find(name);
    if (at == by_name.end())
      at = by_name.find(std::string_view{name}.substr(prefix.size()));  // as OpenAI's own is stored
    if (at == by_name.end()) {
      fault(tensors.name + " holds no tensor " + shown(name) + ".");
    } else if (at->second->shape() != shape) {
      fault("The tensor " + shown(name) + " of " + tensors.name + " is " + to_string(at->second->shape()) +
            " where config.json makes it " + to_string(shape) + ".");
    } else if (!is_floating(at->second->dtype())) {
      fault("The tensor " + shown(name) + " of " + tensors.name + " holds " +
            std::string{octet::name(at->second->dtype())} + ", not floating-point numbers.");
    } else {
      Tensor values = at->second->dtype() == DType::f32 ? *at->second : at->second->converted(DType::f32);
      if (!whole) {
        Tensor part{DType::f32, array.shape()};
        copy_third(values.mutable_span<float>(), part.mutable_span<float>(), part.shape()[-1], third, false);
        values = std::move(part);
      }
      if (ours == "word.table") require_tied(tensors, "lm_head.weight", values);
      theirs.push_back(name);
      found.push_back(std::move(values));
    }
  });
  if (!faults.empty()) throw Error{std::move(faults)};
  require_finite(theirs, found, tensors.name);
  return {structure, std::move(found)};
}

}  // namespace octet::train
