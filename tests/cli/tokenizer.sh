# Vocabularies: learned, used, and refused.
source "$(dirname "$0")/check.sh"

made_up_text >text.txt
for i in $(seq 20); do echo '한국어 문장을 읽는다. 日本語の文を読む。'; done >>text.txt
octet tokenizer train --text text.txt --vocab-size 300 --out words --json
check 'a vocabulary is learned' out_has '^\{"vocabulary":[1-9][0-9]*,"words":'
check 'its pieces are a line each' same "$(json_value vocabulary out)" "$(wc -l <words/vocab.txt)"
cp -r words before
octet tokenizer train --text text.txt --vocab-size 200 --out words
check 'a new vocabulary does not take the place of another' refused X707 'holds a vocabulary'
check 'which is still there' diff -r before words
octet tokenizer train --text text.txt --vocab-size 200 --out words --overwrite
check 'unless that is asked for' status_is 0
cp -r words before_itself
octet tokenizer train --text text.txt words/vocab.txt --out words --overwrite
check 'but not of its own pieces, which it would take away' refused X707 'vocab.txt is read, and lies in words'
check 'and which stand' diff -r before_itself words
octet tokenizer train --text text.txt --vocab-size 0 --out none
check 'a vocabulary of nothing is refused' refused X709 'vocab-size is 0'

octet tokenizer train --text text.txt --out text.txt
check 'a file is no place for a vocabulary' refused X707 'text.txt is a file'
check 'which is told before words are counted' eval '! err_has "counting words"'
octet tokenizer train --text text.txt --out none --threads 0
check 'as is a wrong number of threads' refused X709 'threads is 0'
octet tokenizer train --text text.txt --out none --wordpieces-prefix $'\n'
check 'a prefix that vocab.txt cannot hold is refused' refused X709 'white space'
check 'by the name of its option' err_has 'fix: +leave --wordpieces-prefix at'
check 'and nothing is learned' absent none

# The same text in a table and in lines of JSON; endings may be in capitals.
awk 'BEGIN { print "id,body" } { print NR ",\"" $0 "\"" }' text.txt >TABLE.CSV
awk '{ print "{\"text\": \"" $0 "\"}" }' text.txt >lines.jsonl
for kind in wordpiece bpe; do
  pieces=$([ $kind = bpe ] && echo vocab.json || echo vocab.txt)
  octet tokenizer train --kind $kind --text text.txt --vocab-size 400 --out $kind.plain
  octet tokenizer train --kind $kind --text TABLE.CSV --field body --vocab-size 400 --out $kind.table
  check "$kind is learned from a table as from the same text" cmp $kind.plain/$pieces $kind.table/$pieces
  octet tokenizer train --kind $kind --text lines.jsonl --vocab-size 400 --out $kind.lines
  check 'and from lines of JSON' cmp $kind.plain/$pieces $kind.lines/$pieces
done
octet tokenizer train --text TABLE.CSV --vocab-size 400 --out none
check 'a column that is not there is refused' refused X724 'id, body'
octet tokenizer train --text lines.jsonl --format txt --vocab-size 400 --out braces
check 'unless the format is another' grep -qx '{' braces/vocab.txt

octet tokenizer encode --model before 'the small cat sees a dog.'
check 'text becomes ids' out_has '^[0-9]+( [0-9]+)+$'
octet tokenizer decode --model before $(cat out)
check 'ids become text again' out_has '^the small cat sees a dog\.$'
octet tokenizer encode --model before '한국어 문장을 읽는다.'
octet tokenizer decode --model before $(cat out)
check 'Korean comes back as it was' out_has '^한국어 문장을 읽는다\.$'
octet tokenizer encode --model before '日本語の文を読む。'
octet tokenizer decode --model before $(cat out)
check 'Japanese comes back as it was' out_has '^日本語の文を読む。$'
octet tokenizer encode --model before --tokens '[MASK] the [MASK]' '[the,cat]'
check 'what stands in brackets is taken as it stands' same "$(head -n 1 out)" '[MASK] the [MASK]'
check 'and is one text' same "$(wc -l <out)" 2
printf 'the\tcat\nthe cat\n' | "${PROGRAM[@]}" tokenizer encode --model before --pairs >out 2>err
check 'a fault of standard input has its line' err_has 'where: +standard input:2'
mkdir lone && cp before/tokenizer.json lone
octet tokenizer train --text text.txt --vocab-size 200 --out lone
check 'a lone tokenizer.json is a vocabulary, too' refused X707 'tokenizer.json is there'
octet tokenizer encode --model before --json --add-special 'the cat'
check 'JSON has ids, tokens and places' out_has '^\{"ids":\[2,[0-9,]+,3\],"tokens":\["\[CLS\]",.*"offsets":\[\[0,0\],\[0,3\]'
octet tokenizer encode --model before --json '日本 the'
check 'places are counted in characters' out_has '"offsets":\[\[0,1\],\[1,2\],\[3,6\]\]'
octet tokenizer encode --model before --json --pairs --max-length 7 --pad-to-multiple-of 5 $'the small cat sees\ta dog'
check 'a pair is cut and padded, and told which tokens are of the second text' \
  out_has '"ids":\[2(,[0-9]+){6},0,0,0\].*"type_ids":\[0,0,0,0,1,1,1,0,0,0\],"attention_mask":\[1,1,1,1,1,1,1,0,0,0\]'
octet tokenizer encode --model before --pairs 'no tab'
check 'a line without a tab is no pair' refused X709 'no tab'
octet tokenizer encode --model before --pairs $'the cat\ta dog\tsees'
check 'a second tab in a pair is refused' refused X709 'more than one tab'
printf 'the cat\nthe \xff cat\n\xea\xb0 cat\n' | "${PROGRAM[@]}" tokenizer encode --model before >out 2>err
check 'bytes that are not UTF-8 are told' err_has 'note: 2 of 3 texts, number 2 the first, are not UTF-8'
check 'the other ids are those of the text without them' same "$(sed -n 1p out)" "$(sed -n 2p out)"
octet tokenizer encode --model before --pairs --max-length 2 $'a\tb'
check 'a length without room for special tokens is refused' refused X709 'max_length is 2'
octet tokenizer encode --model before --pairs --max-length 6 --truncation only_second $'the small cat sees\ta'
check 'and a text that is too short to be cut' refused X741 'second text has 1 token'
for unfit in '--truncation only_first' '--truncation only_first --pairs' '--truncation only_second --max-length 4'; do
  octet tokenizer encode --model before $unfit $'the cat\ta'
  check "$unfit has nothing to act on" status_is 2
done
octet tokenizer encode --model before --pairs --max-length 0 --truncation only_first $'the cat\ta'
check 'nor has it where no length is the longest' refused X709 'without --max-length nothing'
octet tokenizer encode --model before --pairs --max-length 9 $'the cat\ta'
cp out plain
octet tokenizer encode --model before --pairs --max-length 9 --add-special $'the cat\ta'
check 'a pair has its special tokens, asked for or not' cmp plain out
check 'which are [CLS] and two of [SEP]' out_has '^2 .* 3 .* 3$'
octet tokenizer encode --model before --pad-to -1 --max-length -1 a
check 'all lengths below zero are told at once' same "$(grep -c '^X709' err)" 2
printf 'the cat\na dog\n' | "${PROGRAM[@]}" tokenizer encode --model before >out 2>err
check 'lines of standard input are encoded' same "$(wc -l <out)" 2
seq 60000 | "${PROGRAM[@]}" tokenizer encode --model before 2>err | (sleep 1 && wc -l) >out
check 'a reader that is slow gets all of them' same "$(tr -d " " <out)" 60000
octet tokenizer encode --model before ''
check 'empty text has no pieces' out_has '^$'
octet tokenizer decode --model before 5 100000
check 'an id outside the vocabulary is refused' refused X709 100000
octet tokenizer decode --model before five
check 'what is no id is refused' refused X709 five
octet tokenizer encode --model before --json $'\x01[MASK]' $'\x01the'
check 'an argument keeps a first byte of 1' same "$(grep -cE '"offsets":\[\[1,[47]\]\]' out)" 2
for work in encode decode; do
  "${PROGRAM[@]}" tokenizer $work --model before <"$WORK" >out 2>err
  STATUS=$?
  check "$work does not take standard input that cannot be read for an empty one" refused X701 'cannot read standard input: .*irectory'
done
octet tokenizer encode --model nowhere text
check 'a directory without a vocabulary is refused' refused X701 vocab.txt

octet tokenizer train --kind bpe --text text.txt --vocab-size 380 --out bytes --json
check 'BPE is learned' out_has '^\{"vocabulary":380,.*"kind":"bpe"'
check 'into the files of other tools' same "$(ls bytes | tr '\n' ' ')" 'merges.txt tokenizer.json vocab.json '
check 'its merges are a line each, under a first one' same "$(wc -l <bytes/merges.txt)" 124
cp -r bytes before_bytes
octet tokenizer train --kind bpe --text text.txt --vocab-size 300 --out bytes
check 'new merges do not take the place of others' refused X707 'holds a vocabulary'
octet tokenizer train --kind wordpiece --text text.txt --vocab-size 300 --out bytes --overwrite
check 'nor does a vocabulary of another kind, whatever is asked' refused X707 'another kind'
octet tokenizer train --kind bpe --text text.txt --vocab-size 300 --out words --overwrite
check 'nor the other way' refused X707 'another kind'
check 'and all of it is still there' diff -r before_bytes bytes
octet tokenizer train --kind bpe --text text.txt --vocab-size 256 --out none
check 'a vocabulary smaller than bytes and special tokens is refused' refused X709 'vocab-size is 256'
octet tokenizer train --kind bpe --text text.txt --limit-alphabet 5 --out none
check 'what is for WordPiece alone is wrong usage' status_is 2
octet tokenizer train --kind words --text text.txt --out none
check 'a kind that does not exist is wrong usage' status_is 2
octet tokenizer train --kind bpe --text nothing.txt --out none
check 'a text that is not there is refused' refused X701 nothing.txt
check 'and nothing was written' absent none

sample=$'the small cat 한국어 日本語 \U1F469\u200D\U1F52C  x\tcafe\u0301 '
octet tokenizer encode --model bytes "$sample"
check 'any text becomes ids' out_has '^[0-9]+( [0-9]+)+$'
octet tokenizer decode --model bytes $(cat out)
check 'and ids the same text' same "$(cat out)" "$sample"
head -c 3000 /dev/urandom | tr -d '\n\r' >noise
echo >>noise
"${PROGRAM[@]}" tokenizer encode --model bytes <noise >ids
"${PROGRAM[@]}" tokenizer decode --model bytes <ids >out
check 'so do bytes that are no text' cmp noise out
octet tokenizer encode --model bytes --json '한 a'
check 'a character that is several pieces is the place of each' out_has '"offsets":\[\[0,1\]'
octet tokenizer encode --model bytes --add-special 'a cat'
check 'BPE has no [CLS] to put first' refused X709 'BPE tokenizer, which has no .CLS'
octet tokenizer encode --model bytes '<|endoftext|>'
check 'the name of a special token is that token' out_has '^0$'
octet tokenizer encode --model bytes --tokens 'a cat'
check 'pieces can be shown' out_has 'Ġ'
rm before_bytes/tokenizer.json
octet tokenizer encode --model before_bytes "$sample"
mv out first
octet tokenizer encode --model bytes "$sample"
check 'vocab.json and merges.txt suffice' cmp first out
head -c 2000 bytes/vocab.json >before_bytes/vocab.json
octet tokenizer encode --model before_bytes x
check 'a vocab.json cut short is refused with its line' refused X720 'vocab.json:[0-9]+'
cp bytes/vocab.json before_bytes
echo 'q qq' >>before_bytes/merges.txt
octet tokenizer encode --model before_bytes x
check 'a merge of nothing is refused with its line' refused X720 'merges.txt:125'
if command -v script >/dev/null && [ ${#PROGRAM[@]} = 1 ]; then
  script -qec "${PROGRAM[0]} tokenizer encode --model before_bytes x" /dev/null >out 2>err </dev/null
  check 'a terminal shows the line itself' out_has '^ +125 \| q qq'
fi
rm before_bytes/merges.txt
octet tokenizer encode --model before_bytes x
check 'missing merges are refused' refused X701 merges.txt
sed 's/"ByteLevel"/"Whitespace"/' bytes/tokenizer.json >before_bytes/tokenizer.json
octet tokenizer encode --model before_bytes x
check 'a tokenizer of another kind is refused' refused X721 'pre_tokenizer'

# Tokenizers of others, each a tokenizer.json alone.
mkdir theirs
cat >theirs/tokenizer.json <<'EOF'
{"truncation": {"max_length": 4}, "padding": {"strategy": {"Fixed": 8}},
 "added_tokens": [{"id": 0, "content": "[PAD]", "special": true}, {"id": 5, "content": "[unused1]", "special": true},
                  {"id": 7, "content": "[ENT]", "special": true}],
 "normalizer": {"type": "BertNormalizer"}, "pre_tokenizer": {"type": "BertPreTokenizer"},
 "model": {"unk_token": "[UNK]", "max_input_chars_per_word": 100,
           "vocab": {"[PAD]": 0, "[UNK]": 1, "[CLS]": 2, "[SEP]": 3, "[MASK]": 4, "[unused1]": 5, "a": 6}}}
EOF
octet tokenizer encode --model theirs 'a [unused1] [ENT] a[MASK]'
check 'special tokens are those of the file, also after the vocabulary' out_has '^6 5 7 6 1 1 1$'
check 'that it cuts is passed over, and how to cut is told' err_has '^note: "truncation" of .*--max-length'
check 'as that it pads' err_has '^note: "padding" of .*--pad-to'
octet tokenizer encode --model theirs --json --max-length 8 --pad-to 8 a
check 'where it is asked for, nothing is told of it' same "$(grep -cE 'truncation|padding' err)" 0
check 'but what of its post_processor is done otherwise' err_has '^note: "post_processor" of '
octet tokenizer encode --model theirs --json --add-special a
check 'what is added has no place in the text' out_has '"offsets":\[\[0,0\],\[0,1\],\[0,0\]\]'
sed -i 's/"max_input_chars_per_word": 100/"max_input_chars_per_word": -1/' theirs/tokenizer.json
octet tokenizer encode --model theirs a
check 'words of less than no letter are refused' refused X720 'max_input_chars_per_word.*whole number from 0'
echo '{"model": {"type": "WordPiece"}} x' >theirs/tokenizer.json
octet tokenizer encode --model theirs a
check 'what follows the object is what is wrong' refused X720 'at byte 33: more follows after the object'
cp -r words without_limit
echo '{"do_lower_case": true, "model_max_length": 1000000000000000019884624838656}' >without_limit/tokenizer_config.json
octet tokenizer encode --model without_limit a
check 'what transformers writes for a length without a limit is read' status_is 0
mkdir half && printf '{"\\ud800": 0}' >half/vocab.json && touch half/merges.txt
octet tokenizer encode --model half x
check 'half of a character is said to be none' refused X720 'stands for no character'
octet tokenizer train --text text.txt --vocab-size 120 --special-tokens '[unused0]' '<t>' --out further
check 'further special tokens follow the five of BERT' same "$(sed -n 5,7p further/vocab.txt | tr '\n' ' ')" '[MASK] [unused0] <t> '
octet tokenizer encode --model further '[unused0]<t>'
check 'and are found in a text by name' same "$(cat out)" '5 6'
octet tokenizer train --kind bpe --text text.txt --vocab-size 380 --special-tokens a --out none
check 'a special token is told what is wrong with it, and no more' refused X709 'the special token "a" is the name of a single byte$'

(printf '\xef\xbb\xbf'; cat text.txt) >marked.txt
octet tokenizer train --kind bpe --text marked.txt --vocab-size 380 --out marked
check 'a byte-order mark is not learned' diff -r bytes marked
head -c 10000 /dev/zero | tr '\0' a >one_word.txt
octet tokenizer train --text one_word.txt --vocab-size 300 --out one_word
check 'a word too long to learn from is told of' refused X706 'its one word is longer than the 100 characters that are learned'
octet tokenizer train --kind bpe --text one_word.txt --vocab-size 300 --out one_word
check 'and byte pairs are learned from it' status_is 0
finish
