/// octet.text: from characters to token ids and back. Unicode clean-up, WordPiece and byte-level BPE (train, load,
/// save), encoding with offsets and decoding. Stands on octet.base alone and takes text from memory, so it works the
/// same in a browser.
///
/// An example of use:
///
///     text::WordPieceTrainer trainer{{.vocab_size = 2048, .clean_up = {.lowercase = true, .strip_accents = false}}};
///     for (std::string_view line : lines) trainer.add(line);
///     const text::WordPiece tokenizer = trainer.train();
///     tokenizer.save("model");                                           // vocab.txt and tokenizer_config.json
///     text::Encoding encoding = tokenizer.encode("In the beginning God [MASK] the heaven");
///     std::string shown = tokenizer.decode(encoding.ids);                // composed (NFC), pieces joined
export module octet.text;

export import :bpe;
export import :bpe_files;
export import :bpe_trainer;
export import :byte_alphabet;
export import :directory;
export import :encoding;
export import :file;
export import :gpt2_words;
export import :json;
export import :model_input;
export import :normalize;
export import :piece_names;
export import :shares;
export import :shell;
export import :tokenizer;
export import :tokenizer_config;
export import :unicode;
export import :utf8;
export import :vocabulary;
export import :wordpiece;
export import :wordpiece_encoder;
export import :wordpiece_trainer;
export import :word_counts;
export import :words;
