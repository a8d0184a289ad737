/// X7: files and input.
module;
#include <vector>
module octet.pages;

namespace octet {

std::vector<Page> pages_on_files() {
  return {
      {701,
       {{"The path is wrong, or belongs to another directory.", "Paths are relative to where the program was started."},
        {"The file may not be read.", "Its permissions, or those of a directory above it."}},
       {{"ls -l PATH, and correct the path or the permissions", "Yes.", "", "The file is read."}}},
      {702,
       {{"The file is empty, or only blanks.", "A download that failed leaves such files."}},
       {{"Give a file with text, or fetch it again", "Yes.", "", "wc FILE counts words."}}},
      {703,
       {{"A PDF, a word processor's file, an archive or a picture is given.", "Its bytes are not characters."}},
       {{"Save it as plain text", "Yes; look at the result, as columns and headers may be mixed in.", "", "It reads as text in any "
         "editor."},
        {"Unpack it: gunzip, unzip", "Yes.", "", "As above."}}},
      {704,
       {{"The file is in an older encoding: Latin-1, EUC-KR, Shift JIS, UTF-16.", "The same bytes mean other characters in each; "
         "guessing would train on nonsense."}},
       {{"iconv -f ENCODING -t UTF-8 FILE > FILE.utf8", "Yes, with the right encoding: look at a few lines.", "", "The names and "
         "sentences read right."}}},
      {705,
       {{"The download stopped within a character, or the file was cut with head -c.", "A character of UTF-8 has up to four bytes."}},
       {{"Fetch it again", "Yes.", "", "The size is that of the source."},
        {"Cut at a line: head -n", "Yes.", "", "The message is gone."}}},
      {706,
       {{"The text has too few lines to hold some out.", "One line in twenty measures the loss, and at least one must."},
        {"The whole text is one line.", "Lines are the examples."}},
       {{"Give a longer text", "Yes.", "Some hundred lines are a beginning; thousands are better.", "Training starts."},
        {"Break it into lines at sentences or paragraphs", "Yes.", "As above.", "As above."}}},
      {707,
       {{"The disk is full, or the directory may not be written.", "What stood there is still there: files are written beside and "
         "renamed."}},
       {{"Free some space, or choose another directory", "Yes.", "", "The file is there, whole."}}},
      {708,
       {{"vocab.txt was edited, or is another tool's file of that name.", "A line is a piece, and its number the id; a piece twice would "
         "have two ids."}},
       {{"Take the vocab.txt that the model was trained with", "Yes: another one changes every id.", "", "octet fill gives "
         "sensible words."}}},
      {709,
       {{"An option is below or above what makes sense.", "All options are checked before any work begins."}},
       {{"Choose a value within the range named", "Yes.", "", "The work begins."}}},
      {710,
       {{"tokenizer_config.json is cut short or was edited.", "It is JSON with BertTokenizer's keys."}},
       {{"Correct the line named", "Yes.", "", "The tokenizer loads."},
        {"Remove the file", "Only if BERT's defaults are meant: lower case and accents stripped, for one.", "", "As above."}}},
      {711,
       {{"--resume is given with another text, or the text was changed since.", "A resumed run is to end in the same bits as one that "
         "was never interrupted."}},
       {{"Resume with the text of the run", "Yes.", "", "It goes on at its step."},
        {"A new run in another directory", "Yes; it begins at step 0.", "", "Both are there."}}},
      {712,
       {{"The sentence has no [MASK] and no ___.", "The model guesses what is masked."}},
       {{"Write [MASK] or ___ for a word", "Yes.", "", "Five words are proposed."}}},
      {713,
       {{"The sentence has more tokens than the model has positions.", "Positions are learned, and there is none beyond the last."}},
       {{"Shorten the sentence", "Yes.", "", "It is answered."},
        {"Train with a larger --seq", "Yes; attention costs its square.", "", "As above."}}},
      {714,
       {{"The directory is not what octet train --out wrote, or training has not saved yet.", "A model is config.json, "
         "model.safetensors and vocab.txt."}},
       {{"Give that directory", "Yes.", "", "The model loads."}}},
      {715,
       {{"A file of the model was cut short or edited.", "Files are checked whole: sizes, names, shapes and types."},
        {"The model is of another kind.", "Its tensors have other names."}},
       {{"Copy it again and compare sizes", "Yes.", "", "The model loads."},
        {"Save it again from the tool that made it", "Yes.", "", "As above."}}},
      {716,
       {{"A text of hundreds of megabytes is dropped on the page.", "A tab has 2 GB for everything."}},
       {{"Take a part of it", "Yes; the model learns from less.", "", "Training starts."},
        {"octet train in a terminal", "Yes.", "Memory of the machine, and the same bits.", "As above."}}},
      {717,
       {{"The name is not among the known ones, or its config.json is of another kind.", "An estimate needs layers, sizes and "
         "vocabulary of a transformer."}},
       {{"octet estimate --help lists the names", "Yes.", "", "A table."},
        {"Give --layers and --hidden", "Yes.", "", "As above."}}},
      {720,
       {{"vocab.json, merges.txt or tokenizer.json are of different models, or edited.", "Each merge joins two pieces into a third that "
         "has an id."}},
       {{"Take the files of one model", "Yes: others change every id.", "", "Text encodes and decodes to itself."}}},
      {721,
       {{"The tokenizer is SentencePiece, or splits words by other rules.", "Another step would give other ids than the model was "
         "trained with."}},
       {{"Take a WordPiece or byte-level BPE tokenizer", "Yes, for a model trained with it.", "", "It loads."},
        {"octet tokenizer train", "Yes, for a new model.", "", "As above."}}},
  };
}

}  // namespace octet
