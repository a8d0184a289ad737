#include "unfit_options.hpp"

#include "data.hpp"
#include "messages.hpp"
import octet.standard;
import octet;

namespace program {

namespace {

/// Options, why they do nothing, and what does what they ask for, if anything does.
struct Unfit {
  std::vector<const char*> options;
  std::string why, fix;
};

std::vector<Unfit> unfit_for(TrainedOn data, const ExampleCommands& commands) {
  const std::vector<const char*> of_words{"--vocab-size", "--lowercase", "--strip-accents"},
      of_masks{"--mask-probability", "--replaced-by-mask", "--replaced-by-random"},
      of_examples{"--max-predictions-per-seq", "--next-sentence", "--short-seq-prob", "--whole-word-mask"};
  const std::string tokenizer = commands.tokenizer.empty() ? "WORDS" : commands.tokenizer;
  const std::string on_tokens = "octet data bert " + commands.text + " --model " + tokenizer +
                                " --out DATA --on-the-fly, then octet train" + commands.kind +
                                " --tokens DATA/documents.tokens --tokenizer " + tokenizer;
  const std::string a_bert = "train a BERT: leave --kind causal out";
  const std::string other_words = "learn other words with octet tokenizer train, and write the data anew with them";
  switch (data) {
    case TrainedOn::lines:
      return {{of_examples,
               "Lines of a text are joined to sequences of one segment; examples with options of their own are made "
               "of tokens.",
               (commands.tokenizer.empty() ? "train on tokens, with words in WORDS that octet tokenizer train learned: "
                                           : "train on tokens: ") +
                   on_tokens},
              {{"--window"}, "Lines of a text are all in memory, and an epoch shuffles all of them.", ""},
              {{"--documents"},
               "Lines of a text are joined, whatever documents they are of; only a causal model is told where one "
               "ends.",
               ""},
              {{"--epochs"},
               "Epochs count records or blocks, whose number is known; a run on lines counts its steps.",
               "say how many updates: --steps N"},
              {{"--loaders"}, "Lines of a text are in memory, and batches of them are made when they are needed.", ""}};
    case TrainedOn::text_blocks:
      return {{{"--lowercase", "--strip-accents"}, "Byte pairs keep a text as it is, to the byte.", ""},
              {{"--padding", "--packing"}, "A text is cut into blocks of one length: nothing is joined or padded.", ""},
              {of_masks, "A causal model guesses what comes next, and nothing is masked.", a_bert},
              {of_examples, "A causal model guesses what comes next: it has no masks and no pairs.", a_bert}};
    case TrainedOn::records:
      return {{of_words, "Records hold ids: their words are settled.", other_words},
              {text_option_names, "Records hold ids: how the text was read is settled.",
               "make the examples anew with it: octet data bert"},
              {{"--mask-probability"},
               "Records hold examples that are masked already.",
               "make the examples anew: octet data bert --masked-lm-prob SHARE"},
              {{"--replaced-by-mask", "--replaced-by-random"},
               "Records hold examples that are masked already.",
               "train on tokens, which are masked anew each epoch: octet data bert --on-the-fly, then octet train "
               "--tokens"},
              {{"--packing"}, "Records hold sequences, and nothing is left to join.", ""},
              {{"--short-seq-prob", "--whole-word-mask"},
               "Records hold examples that are made already.",
               "make the examples anew with it: octet data bert"}};
    case TrainedOn::tokens:
      return {{of_words, "Tokens are ids: their words are settled.", other_words},
              {text_option_names, "Tokens are ids: how the text was read is settled.",
               "write the tokens anew with it: octet data bert --on-the-fly"},
              {{"--packing"}, "Segments of tokens are joined as BERT's own script does.", ""},
              {{"--epochs"},
               "How many examples tokens make differs from pass to pass.",
               "say how many updates: --steps N"}};
    case TrainedOn::token_blocks:
      return {
          {of_words, "Tokens are ids: their words are settled.", other_words},
          {text_option_names, "Tokens are ids: how the text was read is settled.",
           "write the tokens anew with it: octet data causal"},
          {{"--padding", "--packing"}, "Tokens are cut into blocks of one length: nothing is joined or padded.", ""},
          {of_masks, "A causal model guesses what comes next, and nothing is masked.", ""},
          {of_examples, "A causal model guesses what comes next: it has no masks and no pairs.", ""}};
  }
  return {};
}

}  // namespace

const char* said(TrainedOn data) {
  switch (data) {
    case TrainedOn::lines:
      return "lines of a text";
    case TrainedOn::text_blocks:
      return "a causal model of a text";
    case TrainedOn::records:
      return "records";
    case TrainedOn::tokens:
      return "tokens";
    case TrainedOn::token_blocks:
      return "blocks of tokens";
  }
  return "";
}

std::vector<octet::Diagnostic> unfit_options(TrainedOn data,
                                             const std::function<std::string(const std::string&)>& given,
                                             const ExampleCommands& commands) {
  std::vector<octet::Diagnostic> faults;
  for (const Unfit& unfit : unfit_for(data, commands))
    for (const char* option : unfit.options)
      if (const std::string spelled = given(option); !spelled.empty())
        faults.push_back(
            without_effect(spelled, std::string{"for "} + said(data), unfit.why,
                           unfit.fix.empty() ? std::vector<std::string>{} : std::vector<std::string>{unfit.fix}));
  return faults;
}

}  // namespace program
