/// octet.data: from files of text to batches of token ids. Stands on octet.base and octet.text; what reads text takes
/// it from memory too, so it works the same in a browser.
///
/// Two ways lead from text to batches. A text that fits in memory becomes a Corpus, Examples and MaskedBatches:
///
///     const data::Corpus corpus = data::read_corpus({"kjv.txt"});       // or data::corpus_of_text(text, "name")
///     const data::Split split = data::hold_out(corpus.lines);           // one line in twenty
///     text::WordPieceTrainer trainer{{.vocab_size = 2048}};
///     for (const std::string& line : split.training) trainer.add(line);
///     const text::WordPiece tokenizer = trainer.train();
///     const data::MaskedBatches batches{data::pack(tokenizer, split.training, {.max_length = 64}),
///                                       tokenizer.vocabulary(), {.batch = 64, .seed = 1}};
///     data::Position position;                                          // saved in a checkpoint, restored on resume
///     const data::MaskedBatch batch = batches.at(position);             // batch.input_ids: i32 [64, 64]
///     position = batches.after(position);
///
/// A larger one is written once, as tokens or as record files, which are read as needed, and goes through a Pipeline:
///
///     text::FileWriter file{"documents.tokens"};
///     data::TokenWriter writer{[&](std::string_view bytes) { file.write(bytes); }, tokenizer.vocabulary().size()};
///     data::add_documents({.path = "texts.jsonl", .field = "text"}, tokenizer, writer);
///     writer.finish();
///     file.put_in_place();
///     const data::BertExamples examples{data::TokenFile{"documents.tokens"}, tokenizer, {.max_seq_length = 128}};
///     const data::Pipeline pipeline{data::bert_windows(examples), {.padding = data::pad_to_multiple_of(32)}};
///     data::Prefetch batches{pipeline};                                 // see octet.data:pipeline
export module octet.data;

export import :batches;
export import :bert_examples;
export import :corpus;
export import :crc32c;
export import :csv;
export import :data_set;
export import :encoding_guess;
export import :event_file;
export import :example;
export import :hold_out;
export import :masking;
export import :order;
export import :packing;
export import :padding;
export import :pipeline;
export import :text_block;
export import :text_fields;
export import :text_source;
export import :tfrecord;
export import :token_file;
export import :tokenized;
export import :training_example;
export import :windows;
