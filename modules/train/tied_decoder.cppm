/// What other tools store twice: a decoder that is tied to the word embeddings. Internal to octet.train.
module octet.train:tied_decoder;
import octet.base;
import octet.standard;
import :checkpoint;
import :json_fields;

namespace octet::train {

/// Throws X714 where `tensors` has `name`, and its numbers are not those of `tied`, f32.
inline void require_tied(const Safetensors& tensors, const std::string& name, const Tensor& tied) {
  const auto at = std::ranges::find(tensors.tensors, name, &NamedTensor::name);
  if (at == tensors.tensors.end()) return;
  if (is_floating(at->tensor.dtype()) && at->tensor.shape() == tied.shape() &&
      std::ranges::equal(at->tensor.converted(DType::f32).bytes(), tied.bytes()))
    return;
  fail({.number = 714,
        .sentence = tensors.name + " holds a decoder of its own: " + shown(name) + " is not what it is tied to.",
        .where = {tensors.name, 0, ""},
        .rule = "Octet's models guess words by the word embeddings themselves, and by one bias.",
        .fix = {"give a model that was trained with \"tie_word_embeddings\": true"}});
}

}  // namespace octet::train
