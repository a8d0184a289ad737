/// Of the tests: a WordPiece of words that are numbers. To be included after `import octet.text;`.
#pragma once

/// `size` pieces: the special ones, and w5, w6, …
inline octet::text::WordPiece numbered_words(int size) {
  std::vector<std::string> all{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"};
  for (int i = 5; i < size; ++i) all.push_back("w" + std::to_string(i));
  return octet::text::WordPiece{octet::text::Vocabulary{all}};
}
