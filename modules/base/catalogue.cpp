module;
#include <span>
#include <string>
module octet.base;

namespace octet {

namespace {

constexpr CatalogueEntry entries[] = {
    {101, "branch on a traced value",
     "XLA compiles the program before any value exists, so the host cannot choose a branch by a tensor's value.",
     "compute both sides and choose with select(condition, a, b), or use cond(condition, on_true, on_false)"},
    {102, "branches of cond differ",
     "Both branches of a cond are compiled into one program, so they must return the same element types and shapes.",
     "make both branches return values of one type, padding or casting where they differ"},
    {103, "loop state changes type",
     "A loop is compiled once and its state lives in one buffer, so the body must return the types it was given.",
     "return from the body what it takes: the same number of values, element types and shapes"},
    {104, "not differentiable",
     "This operation has no derivative that a compiled program of static shapes could compute.",
     "stop the gradient before it with stop_gradient(x), or use a differentiable form"},
    {105, "replicas disagree about a branch",
     "Replicas that meet in a collective must take the same path; on hardware the others would wait for ever.",
     "decide with a value that is equal on all replicas, for example after all_reduce"},
    {201, "shape from data",
     "XLA allocates every buffer before the program runs, so no extent may depend on a tensor's values.",
     "weigh by a mask instead of filtering, or use the bounded form with a size"},
    {301, "no bucket is large enough",
     "Every distinct shape is a separate compiled program; a bucket policy bounds how many there can be.",
     "add a larger bucket, or truncate the input"},
    {401, "shapes do not fit",
     "StableHLO operations state which extents must agree, and the check comes before anything runs.",
     "reshape, transpose or broadcast one of the operands"},
    {402, "element types differ", "StableHLO has no implicit conversion between element types.",
     "convert one of them explicitly with cast<float>(x)"},
    {403, "attribute out of range",
     "An operation's attributes are part of the program and are checked when it is traced.", "correct the attribute"},
    {404, "program is malformed", "Every value is defined once, before its use, with the type its operation infers.",
     "this program text or graph was altered by hand or by a faulty pass; write it again from the trace"},
    {405, "arguments differ from what was traced",
     "A compiled program takes exactly the arguments, element types and shapes it was compiled for.",
     "pass arguments of the stated types"},
    {406, "value used outside its trace",
     "A traced value belongs to the function being traced; outside it there is no buffer that could hold it.",
     "pass the value in as an argument, or return it as a result"},
    {407, "program text cannot be read",
     "Octet reads StableHLO text in MLIR's generic form, as its own printer writes it.",
     "correct the text at the place named"},
    {408, "tensor too large", "The extents are at least 0, and all elements lie in the memory of the host.",
     "correct the extents, or work on a part at a time"},
    {501, "program does not fit into memory",
     "A replica holds parameters, optimizer state, gradients and activations in the memory of its own core or chip; there is "
     "no larger memory behind it.",
     "take a smaller batch for each replica, accumulate gradients, recompute activations or rent a slice of larger chips"},
    {502, "matrix unit works on padding",
     "The last two dimensions are padded to tiles of the matrix unit, and the padding is multiplied as the data is.",
     "make rows a multiple of 8 and features a multiple of 128"},
    {601, "batch cannot be split evenly",
     "Each replica takes an equal share of the leading axis; all replicas run one program of static shapes.",
     "choose a batch that is a multiple of the number of replicas, or pad it with weight zero"},
    {602, "replicas drifted apart",
     "Data-parallel replicas start equal and apply the same averaged gradients; when one differs, a gradient was not "
     "reduced.",
     "average every gradient over the replicas with all_reduce before the optimizer uses it"},
    {603, "collective names replicas that do not exist",
     "replica_groups name each replica of the slice exactly once; the targets of a collective_permute, at most once.",
     "use groups made of the replicas 0 to n-1 of the slice"},
    {604, "no such slice", "A slice is named by its generation and its size, as the vendor sells it.",
     "use a name such as v2-8, v3-8 or v4-8"},
    {605, "slice too large to simulate",
     "Each simulated replica holds its own activations and gradients in this machine's memory.",
     "train on a slice of 8 replicas: the program and its results per replica are the same"},
    {701, "file cannot be read", "The text and the model are read from files of this machine.",
     "check the path and its permissions"},
    {702, "text is empty", "A model learns from words, and the file has none.", "give a file with some text in it"},
    {703, "not a text file", "Octet reads plain text in UTF-8; bytes of other formats have no meaning as characters.",
     "convert the file to plain text and use that"},
    {704, "not UTF-8",
     "Octet reads UTF-8, as vocabulary files of other tools do; other encodings cannot be told apart for certain.",
     "convert the file: iconv -f ENCODING -t UTF-8 FILE > FILE.utf8"},
    {705, "text is cut short",
     "A character of UTF-8 takes up to four bytes, and the last one of the file is incomplete.",
     "fetch or copy the file again"},
    {706, "too little text", "There must be lines to train on and at least one other line to measure the loss on.",
     "give a longer text; some hundred lines are a beginning"},
    {707, "file cannot be written", "Files are written beside and renamed, so what stood there before is still there.",
     "free some space or choose another directory"},
    {708, "vocabulary file is malformed",
     "vocab.txt holds one piece a line, each once, and the id of a piece is its line number.",
     "take the vocab.txt the model was trained with"},
    {709, "option out of range", "Options are checked before any work begins.", "choose a value within the range"},
    {710, "tokenizer_config.json is malformed",
     "The options of a tokenizer are a JSON object with the keys of BertTokenizer.",
     "correct the file, or remove it to use BERT's defaults"},
    {711, "resumed on another text", "A run is a function of its text, options and seed; on another text it would be another run.",
     "resume with the text the run began with, or begin a new run in another directory"},
    {712, "no blank in the sentence", "The model guesses the tokens that are masked, and here none is.",
     "write [MASK] or ___ where a word is to be guessed"},
    {713, "sentence too long", "The model has learned embeddings for a fixed number of positions.",
     "shorten the sentence"},
    {714, "no model in the directory", "A model is a directory with config.json, model.safetensors and vocab.txt.",
     "give the directory that octet train --out wrote"},
    {715, "model file is malformed", "A model's files are checked whole before anything is made of them.",
     "save the model again, or copy the file anew"},
    {716, "text too large for the page",
     "A page has no more than 2 GB of memory, which text, vocabulary, model and optimizer share.",
     "take a part of the text, or train on it in a terminal with octet train"},
    {717, "no such model to estimate",
     "An estimate is made of a transformer's sizes: a BERT, ELECTRA, ALBERT or GPT-2, by name, by sizes or by its config.json.",
     "give one of the names that octet estimate --help lists, or --layers and --hidden"},
    {720, "tokenizer file is malformed",
     "vocab.json and tokenizer.json give each piece one id, from 0 without a gap; each line of merges.txt joins two "
     "pieces into a third of the vocabulary.",
     "take the files that the model was trained with, or copy them anew"},
    {721, "tokenizer of another kind",
     "Octet reads WordPiece, and byte-level BPE over words split as GPT-2 splits them; another step would change ids.",
     "take a tokenizer of one of these kinds, or train one with octet tokenizer train"},
};

constexpr CatalogueEntry unlisted{0, "", "", ""};

}  // namespace

std::span<const CatalogueEntry> catalogue() { return entries; }

const CatalogueEntry& catalogue_entry(int number) {
  for (const CatalogueEntry& entry : entries)
    if (entry.number == number) return entry;
  return unlisted;
}

std::string diagnostic_name(int number) { return "X" + std::to_string(number); }

}  // namespace octet
