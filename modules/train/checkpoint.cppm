/// Checkpoints: a directory that other tools load as a model and that Octet resumes a run from.
///
///     config.json, model.safetensors, vocab.txt,       a BertForMaskedLM of Hugging Face's transformers, or a
///     tokenizer.json, tokenizer_config.json            BertForPreTraining where next sentences are judged
///     training.safetensors, training.json              what only a resumed run needs
///
/// Of a GPT-2 it is a GPT2LMHeadModel, with vocab.json and merges.txt instead of vocab.txt. Of an ELECTRA it is an
/// ElectraForPreTraining, the discriminator, and in the folder `generator` an ElectraForMaskedLM.
///
/// All are replaced together (octet.train:file_set): a run that is stopped at any moment leaves the checkpoint before
/// or this one, never a mixture. training.json names the hashes of the safetensors files, and each model.safetensors
/// that of its vocabulary, so files that were put together by hand are refused.
///
/// The decoder of the masked-language-model head is not among the tensors: it is tied to the word embeddings, and its
/// bias to cls.predictions.bias, and transformers ties both when it loads.
export module octet.train:checkpoint;
import octet.base;
import octet.nn;
import octet.standard;
import octet.text;
import octet.trace;
import :options;
import :safetensors;
import :trainer;

export namespace octet::train {

/// The parameters under the names and in the layouts of Hugging Face's BertForMaskedLM, or of BertForPreTraining where
/// the model has a head for next sentences (linear weights [out, in]).
Safetensors to_hugging_face(const Values<nn::Bert>& model);
/// The other way, to f32, also of an ElectraForMaskedLM; tensors that the model does not have are passed over. Throws
/// X715 where a tensor is
/// missing, of another shape or not of floating-point numbers, X509 where one is not finite.
Values<nn::Bert> from_hugging_face(const Safetensors& tensors, const nn::BertConfig& config);
/// The content of config.json, with the keys of transformers' BertConfig.
std::string config_text(const nn::BertConfig& config);
/// Of an ELECTRA or a BERT. Missing keys take the values of ELECTRA-small or BERT-base, as in transformers. Throws X714
/// where the model is of another kind than octet.nn has, X715 where the text is malformed. `name` is what messages call
/// the file.
nn::BertConfig parse_config(std::string_view json, const std::string& name);

/// The same of an ELECTRA: an ElectraForMaskedLM and an ElectraForPreTraining. parse_config reads both configurations.
Safetensors generator_to_hugging_face(const Values<nn::Bert>& model);
std::string generator_config_text(const nn::BertConfig& config);
Safetensors to_hugging_face(const Values<nn::ElectraDiscriminator>& model);
Values<nn::ElectraDiscriminator> discriminator_from_hugging_face(const Safetensors& tensors,
                                                                 const nn::BertConfig& config);
std::string discriminator_config_text(const nn::BertConfig& config);

/// The same of GPT-2: a GPT2LMHeadModel, with query, key and value in one tensor. What OpenAI stored, without
/// `transformer.` before the names, is read too.
Safetensors to_hugging_face(const Values<nn::Gpt2>& model);
Values<nn::Gpt2> from_hugging_face(const Safetensors& tensors, const nn::Gpt2Config& config);
/// `end` is the id of the token that texts begin after and end with; without one the model has none.
std::string config_text(const nn::Gpt2Config& config, std::optional<std::int32_t> end = {});
nn::Gpt2Config parse_gpt2_config(std::string_view json, const std::string& name);

/// The names that files of such a directory have, of every kind of model. In the folder of an ELECTRA's generator they
/// have the same.
std::span<const std::string_view> model_file_names();

/// A model to use, without what training needs.
template <class Network, class Config>
struct BasicModel {
  Config config;
  Values<Network> parameters;
  TokenizerOf<Network> tokenizer;
  bool of_electra = false;  ///< of models that fill blanks: the generator of an ELECTRA, not a BERT
  std::optional<std::int32_t> end_of_text = {};  ///< of a GPT-2: what its texts begin after and end with
};
using Model = BasicModel<nn::Bert, nn::BertConfig>;
using DiscriminatorModel = BasicModel<nn::ElectraDiscriminator, nn::BertConfig>;
using ElectraModel = BasicModel<nn::Electra, nn::ElectraConfig>;
using CausalModel = BasicModel<nn::Gpt2, nn::Gpt2Config>;

/// Writes a checkpoint into `directory`, which is made where missing. Throws X707, and X509 for numbers that are not
/// finite; the checkpoint before is then still there.
void save_checkpoint(const RunState& run, const text::WordPiece& tokenizer, const std::filesystem::path& directory);
void save_checkpoint(const Trainer& trainer, const std::filesystem::path& directory);
void save_checkpoint(const ElectraTrainer& trainer, const std::filesystem::path& directory);
void save_checkpoint(const CausalRunState& run, const text::Bpe& tokenizer, const std::filesystem::path& directory);
void save_checkpoint(const CausalTrainer& trainer, const std::filesystem::path& directory);
/// Reads a model that fills blanks, Octet's own or another tool's: config.json, model.safetensors and tokenizer.json or
/// vocab.txt suffice. Of an ELECTRA's checkpoint it is the generator. Throws X714 where the directory holds no model or
/// one that guesses by a decoder of its own, X701, X708, X710, X720 and X721 about single files, X715 where they are
/// malformed or do not belong together, X509 where weights are not finite, and X737 for a GPT-2 or a discriminator
/// alone.
Model load_model(const std::filesystem::path& directory);
/// An ELECTRA's discriminator. Throws as load_model does.
DiscriminatorModel load_discriminator(const std::filesystem::path& directory);
/// Both parts of an ELECTRA: the discriminator, and its generator in the folder `generator`. Throws as load_model does.
ElectraModel load_electra(const std::filesystem::path& directory);
/// The same of a GPT-2: config.json, model.safetensors, and tokenizer.json or vocab.json with merges.txt. Throws X720
/// about those, and X737 for a BERT.
CausalModel load_causal_model(const std::filesystem::path& directory);
/// What a run goes on from, to the same bits.
template <class Network>
struct BasicSavedRun {
  BasicRunState<Network> state;
  TokenizerOf<Network> tokenizer;
};
using SavedRun = BasicSavedRun<nn::Bert>;
using ElectraSavedRun = BasicSavedRun<nn::Electra>;
using CausalSavedRun = BasicSavedRun<nn::Gpt2>;
/// Whether a directory holds a run, and whether nothing but what a writer that was stopped left of one.
bool holds_run(const std::filesystem::path& directory);
bool holds_remainder(const std::filesystem::path& directory);
/// Removes a run from a directory, or what is left of one, and the directory where nothing else is in it. What others
/// put there stays.
void remove_run(const std::filesystem::path& directory);
/// Throws as load_model does, and X714 where the directory holds a model but no run.
SavedRun load_run(const std::filesystem::path& directory);
ElectraSavedRun load_electra_run(const std::filesystem::path& directory);
CausalSavedRun load_causal_run(const std::filesystem::path& directory);

}  // namespace octet::train
