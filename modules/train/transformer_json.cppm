/// The sizes of a transformer from the config.json of Hugging Face's transformers.
export module octet.train:transformer_json;
import octet.base;
import octet.nn;
import octet.standard;

export namespace octet::train {

/// The sizes in `text`, a config.json with "model_type" bert, roberta, electra, albert or gpt2; where one is missing,
/// that library's own default holds. `name` is what messages call the file. Throws X715 where the text is broken or a
/// size has another type, X717 for a model of another kind or of sizes that cannot be.
nn::TransformerConfig parse_transformer_config(std::string_view text, const std::string& name);

/// How much such a config.json drops in training: what it says, or else what transformers takes, 0.1. Throws X715 where
/// a rate is none.
nn::DropoutRates parse_dropout_rates(std::string_view text, const std::string& name);

}  // namespace octet::train
