module octet.base;
import octet.standard;

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
     "Replicas that meet in a collective must take the same path; on hardware the others would wait for ever. Octet "
     "runs a branch that has a collective in it on all replicas together, in whatever groups these meet.",
     "decide with a value that is equal on all replicas, as after an all_reduce of all of them, or compute both and "
     "select"},
    {106, "number asked of a traced value",
     "XLA compiles the program before any value exists; while it is traced there is a type, and no number.",
     "return the value from the compiled function and read the Tensor's item(), or compute on with the Array"},
    {107, "index or count from a traced value",
     "A container of the host is indexed while the program is traced, when the traced index has no value yet.",
     "make the container an Array and use take(table, i) or dynamic_slice; count with while_loop, choose with "
     "switch_case"},
    {108, "host loop over a traced array",
     "A loop of the host runs while the program is traced; the rows of a traced array are no elements of a container.",
     "use scan(body, carry, x), or count to x.extent(0) on the host and take x[i]"},
    {109, "assignment to an element",
     "A traced value is computed once, by one operation, and never changes: an element of an array is an array too.",
     "x = update_leading(x, y, i), or choose with select(mask, y, x)"},
    {201, "shape from data",
     "XLA allocates every buffer before the program runs, so no extent may depend on a tensor's values.",
     "weigh by a mask instead of filtering, or use the bounded form with a size"},
    {202, "extent from a traced value",
     "Extents are part of the program that XLA compiles, and a traced value is known only when it runs.",
     "take the extent of an array, x.extent(d), or a bound that the host knows, and mask what lies beyond the value"},
    {203, "indexing by a mask",
     "x[mask] has as many elements as the mask has true ones, and XLA allocates every buffer before that is known.",
     "weigh instead: sum(select(mask, x, 0)) / sum(cast<float>(mask)); or take(x, nonzero(mask, {.size = n})[0]) with "
     "a bound n, the rest of which repeats row 0 and is to be masked"},
    {204, "repetition by traced counts",
     "The rows of the result are the sum of the counts, and XLA allocates every buffer before that is known.",
     "give the bound: repeat(x, counts, {.total = n})"},
    {205, "bound of a result out of range",
     "A bounded form has exactly as many elements as its bound says, and fills those that the data does not give.",
     "give a bound of at least 0, and a fill where there is no element to fill with"},
    {301, "no bucket is large enough",
     "Every distinct shape is a separate compiled program; a bucket policy bounds how many there can be.",
     "add a larger bucket, or truncate the input"},
    {302, "compiles keep coming", "XLA compiles a program for every new shape; while it compiles, the device waits.",
     "pad to few shapes: a bucket policy such as multiple_of(64) for the dimension that varies, and a mask"},
    {303, "compiled where compiling is forbidden",
     "A run that was warmed up is to meet no new shape; a compile here would stop all replicas without a word.",
     "warm up with the largest arguments there are, or let the call come before forbid_compiling()"},
    {304, "more programs than allowed",
     "Each program takes time to compile and memory to keep, so their number is bounded.",
     "use fewer buckets, or allow more programs"},
    {305, "padding changes the result",
     "Padding gives few shapes, and so few programs; it must not be seen in a result, or the model learns from it.",
     "take a mask as an argument, and weigh by it wherever positions are combined"},
    {306, "trace changes by itself",
     "A compiled program is found again by its arguments' types and static values alone; what else a trace depends on "
     "is frozen in it.",
     "let the function depend on its arguments alone"},
    {401, "shapes do not fit",
     "StableHLO operations state which extents must agree, and the check comes before anything runs.",
     "reshape, transpose or broadcast one of the operands"},
    {402, "element types differ", "StableHLO has no implicit conversion between element types.",
     "convert one of them explicitly with cast<float>(x)"},
    {403, "attribute out of range",
     "An operation's attributes are part of the program and are checked when it is traced.",
     "give it a value that the sentence allows"},
    {404, "program is malformed", "Every value is defined once, before its use, with the type its operation infers.",
     "this program text or graph was altered by hand or by a faulty pass; write it again from the trace"},
    {405, "arguments differ from what was traced",
     "A compiled program takes exactly the arguments, element types and shapes it was compiled for.",
     "pass arguments of the stated types"},
    {406, "value used outside its trace",
     "A traced value belongs to the function being traced; outside it there is no buffer that could hold it.",
     "pass the value in as an argument, or return it as a result"},
    {407, "program text cannot be read",
     "Octet reads StableHLO text: in MLIR's generic form, as its own printer writes it, or in the short form in which "
     "JAX prints programs.",
     "correct the text at the place named"},
    {408, "tensor too large", "The extents are at least 0, and all elements lie in the memory of the host.",
     "correct the extents, or work on a part at a time"},
    {409, "thread of a loop lost",
     "A loop that threads share is done when each has done its part; the part of a thread that its host ends stays "
     "undone.",
     "run the program again, from what was saved; with one thread where it happens again"},
    {410, "program holds what Octet does not know",
     "A TPU's compiler takes more than Octet has: what it does not have it cannot run, and a TPU may well.",
     "say it by operations that Octet has, or judge by the other lines of octet check: a TPU may well run it as it is"},
    {501, "program does not fit into memory",
     "A replica holds parameters, optimizer state, gradients and activations in the memory of its own core or chip; "
     "there is "
     "no larger memory behind it.",
     "take a smaller batch for each replica, accumulate gradients, recompute activations or store them in bf16, shard "
     "the "
     "optimizer's state, or rent a slice of larger chips"},
    {502, "matrix unit works on padding",
     "The last two dimensions are padded to tiles of the matrix unit, and the padding is multiplied as the data is.",
     "make rows a multiple of 8 and features a multiple of 128"},
    {506, "updates vanish in bf16",
     "bf16 keeps 8 significant bits of a number: a change below a 256th to a 512th of the value it is added to rounds "
     "to nothing.",
     "keep the weights in f32, the master copy, and round to bf16 only where they are multiplied"},
    {507, "values beyond bf16's range",
     "bf16 reaches as far as f32, to about 3.4e38; what lies beyond becomes infinity, and infinities become NaN.",
     "lower the learning rate, clip gradients, or find the division or exponential that grows"},
    {508, "moments stand still in bf16",
     "A second moment changes by a thousandth a step, and bf16 rounds changes below a 256th to a 512th away.",
     "keep the optimizer's moments in f32"},
    {509, "numbers are not finite",
     "Whatever is computed from infinity or NaN is soon NaN itself: no later step and no guess mends it.",
     "lower the learning rate, clip gradients or lengthen the warm-up, and go back to what was saved before"},
    {601, "batch cannot be split evenly",
     "Each replica takes an equal share of the leading axis; all replicas run one program of static shapes.",
     "choose a batch that is a multiple of the number of replicas, or pad it with weight zero"},
    {602, "replicas drifted apart",
     "Data-parallel replicas start equal and apply the same averaged gradients; what differs was computed of a "
     "replica's own share of the batch and not reduced.",
     "average it over the replicas, gradients before the optimizer uses them: all_reduce_mean(gradients, slice.all())"},
    {603, "replicas of program and slice differ",
     "replica_groups name each replica of the slice exactly once; the targets of a collective_permute, at most once.",
     "use groups made of the replicas 0 to n-1 of the slice"},
    {604, "no such slice", "A slice is named by its generation and its size, as the vendor sells it.",
     "use a name such as v2-8, v3-8 or v4-8"},
    {605, "slice too large to simulate",
     "Each simulated replica holds its own activations and gradients in this machine's memory.",
     "train on a slice of 8 replicas: the program and its results per replica are the same"},
    {606, "data where the TPU cannot read them",
     "On a TPU node the program runs on one machine and what feeds the chips on another, which sees buckets and what "
     "the program hands "
     "over, and no local disk. On a TPU VM it sees the disk; what is wholly in memory must fit into its own.",
     "put the data in a bucket, or wholly in memory where they fit; or work on a TPU VM, whose disk the pipeline sees"},
    {607, "input pipeline calls back into the program",
     "On a TPU node the pipeline runs on the hosts of the chips, where the program that wrote it is not, so it can "
     "call none of its code.",
     "write the examples to record files once and read those, or load them into memory; or work on a TPU VM"},
    {608, "made outside the replicated scope",
     "Each replica computes on its own copy of model and optimizer state; what is made for one replica, or for another "
     "slice, the others "
     "do not have.",
     "make it for all replicas of the slice with tpu::replicated(value, slice.replicas), and pass that; a batch that "
     "is a structure, with tpu::sharded(batch)"},
    {609, "input slower than the chips",
     "The chips wait whenever the next batch is not there: with prefetching a step takes as long as its computing or "
     "its "
     "input, whichever is longer.",
     "prefetch with more threads, store examples as they are needed, or compute more for each of them"},
    {610, "chips without nodes",
     "The vendor had v2 and v3 as TPU nodes too, the older way; later chips are offered as TPU VMs alone.",
     "rent a TPU VM, where one works on the machine that holds the chips"},
    {611, "collectives one after another",
     "Every collective begins anew and goes round all chips; what goes round together pays for that once.",
     "reduce once, after all parts are added up"},
    {612, "replica lost",
     "Every step reduces the gradients of all replicas: while one is missing, the others wait for it.",
     "give it the state of a replica that is left, or go on from the last save; both end with the bits of a run that "
     "lost nothing"},
    {613, "no such replica", "The replicas of a slice are numbered from 0 on.",
     "name one of the replicas that the message tells"},
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
    {706, "too little text",
     "There must be examples to train on, and others to measure the loss on where some are held out.",
     "give a longer text, or break it into lines; some hundred are a beginning"},
    {707, "file cannot be written",
     "A file goes into a directory that may be written, beside what it replaces, and is renamed when it is whole: what "
     "stood there before is still there.",
     "free some space or choose another directory"},
    {708, "vocabulary file is malformed",
     "vocab.txt holds one piece a line, each once, and the id of a piece is its line number.",
     "take the vocab.txt the model was trained with"},
    {709, "option out of range",
     "What an option asks for must be possible for the model, the data and the machine; what can be told before any "
     "work begins is told then.",
     "choose a value from the range, or a name from the list, that the message gives"},
    {710, "options of a tokenizer are malformed or disagree",
     "The options of a tokenizer are a JSON object with the keys of BertTokenizer.",
     "correct the file or copy it anew; where a tokenizer.json was written with it, tokenizer_config.json can be "
     "deleted"},
    {711, "resumed on another text",
     "A run is a function of its text, options and seed; on another text it would be another run.",
     "resume with the text the run began with, or begin a new run in another directory"},
    {712, "no blank in the sentence", "The model guesses the tokens that are masked, and here none is.",
     "write [MASK] or ___ where a word is to be guessed"},
    {713, "sentence too long", "The model has learned embeddings for a fixed number of positions.",
     "shorten the sentence"},
    {714, "no model in the directory",
     "A model is a directory with config.json, model.safetensors and a vocabulary: vocab.txt, tokenizer.json, or "
     "vocab.json and merges.txt.",
     "give the directory that octet train --out wrote"},
    {715, "model file is malformed", "A model's files are checked whole before anything is made of them.",
     "save the model again, or copy the file anew"},
    {716, "text too large for the page",
     "A page has no more than 2 GB of memory, which text, vocabulary, model and optimizer share.",
     "take a part of the text, or train on it in a terminal with octet train"},
    {717, "no such model to estimate",
     "An estimate is made of a transformer's sizes: a BERT, ELECTRA, ALBERT or GPT-2, by name, by sizes or by its "
     "config.json.",
     "give one of the names that octet estimate --help lists, or --layers and --hidden"},
    {720, "tokenizer file is malformed",
     "vocab.json and tokenizer.json give each piece one id, from 0 without a gap; each line of merges.txt joins two "
     "pieces into a third of the vocabulary.",
     "take the files that the model was trained with, or copy them anew"},
    {721, "tokenizer of another kind",
     "Octet reads WordPiece, and byte-level BPE over words split as GPT-2 splits them; another step would change ids.",
     "take a tokenizer of one of these kinds, or train one with octet tokenizer train"},
    {722, "record file is cut short or altered",
     "Each record of a TFRecord file has its length and its content checked by a CRC-32C; what does not fit is not "
     "used.",
     "copy the file anew, or write it again with octet data"},
    {723, "record is no tf.train.Example",
     "A tf.train.Example is a protocol buffer: a map from names to lists of bytes, of floats or of whole numbers.",
     "write the records again with octet data, or read another file"},
    {724, "CSV is malformed",
     "Every row has as many fields as the first; a field that holds a separator or a line end, or begins with a "
     "quotation mark, stands in quotation marks, its own doubled (RFC 4180).",
     "correct the line, or write the table again with a program that quotes"},
    {725, "JSON line is malformed", "Each line of a jsonl file is one JSON object, and the chosen field holds a text.",
     "correct the line, or choose a field that every line has"},
    {726, "token file is malformed",
     "A token file ends with its counts and a checksum, from which its size is known; what does not fit is not used.",
     "copy the file anew, or write it again with octet data"},
    {727, "too few documents",
     "A next sentence that is not the next one comes from another document, so there must be two at least.",
     "separate documents by empty lines, give files with --documents files, or leave next-sentence pairs out with "
     "--no-next-sentence"},
    {728, "too few examples for a batch",
     "A batch is full on every replica, and a window of examples is cut into full batches.",
     "make the batch smaller, or give more text"},
    {729, "position of other data",
     "A saved position counts the batches of the data and options that it was saved with.",
     "resume with the same files and options, or begin at the first batch"},
    {730, "line of a script cannot be read",
     "A script has one statement a line: name = expression, an expression alone, or if, while, for or return.",
     "correct the line at the place named"},
    {731, "name without a value", "A line of a script computes with what the lines before it have named.",
     "give the name a value before this line"},
    {732, "no such function", "A script calls the library's own functions on arrays, and no others.",
     "use the name of one of those, or compose it of others"},
    {733, "argument of another kind",
     "Each function of a script takes a set number of arguments, and each of them is either an array or a number of "
     "the "
     "host.",
     "give the arguments that the function takes"},
    {734, "script too large",
     "A script is traced and run while its reader waits, so its lines, its nesting and its arrays are bounded.",
     "make it smaller; a program of its own has no such bounds"},
    {735, "option does nothing",
     "An option that would change nothing here is refused, so that nobody waits for what it would do elsewhere.",
     "leave the option out, or choose the data or the model that it is for"},
    {736, "data of another vocabulary",
     "An id means a piece of the vocabulary that the text was encoded with, and no other.",
     "name the tokenizer that the data was written with"},
    {737, "model of another kind",
     "A BERT guesses blanks from both sides, an ELECTRA judges tokens, a GPT-2 guesses what comes next.",
     "use the command for this kind of model, or name another directory"},
    {738, "nothing to continue", "Each token is drawn from what came before it.", "give some words to begin with"},
    {739, "too many words", "A vocabulary is learned from the distinct words of a text, which are kept in memory.",
     "learn from a part of the text"},
    {740, "files of data hold nothing",
     "A file without records can be whole, but there is nothing in it to learn from.",
     "write the data again, or name other files"},
    {741, "no more tokens to take away", "Of two texts that are too long together, only one was to be cut.",
     "cut the longer one, or allow more tokens"},
};

constexpr CatalogueEntry unlisted{0, "", "", ""};

}  // namespace

/// All texts are read through this call, which the page has a reason for (cmake/page_texts.mjs): it is neither inlined
/// nor left out.
[[gnu::noinline]] std::span<const CatalogueEntry> catalogue() {
  std::span<const CatalogueEntry> all{entries};
  asm("" : "+m"(all));
  return all;
}

const CatalogueEntry& catalogue_entry(int number) {
  for (const CatalogueEntry& entry : catalogue())
    if (entry.number == number) return entry;
  return unlisted;
}

std::string diagnostic_name(int number) { return "X" + std::to_string(number); }

}  // namespace octet
