/// Of the tests: a WordPiece of a few words. To be included after `import octet.text;`.
#pragma once

inline octet::text::WordPiece small(octet::text::WordPieceOptions options = {}) {
  return octet::text::WordPiece{
      octet::text::Vocabulary{{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "un", "##aff", "##able", "##a", "##ff",
                               "a", "god", ",", "(", ")", "\uD55C", "##\uAE00", "\u65E5", "\u672C"}},
      options};
}
