# Data to train on: made, looked at, checked, fed, and refused.
source "$(dirname "$0")/check.sh"

# 40 documents of ten lines, an empty one between two.
made_up_text | awk '{ print } NR % 10 == 0 { print "" }' >text.txt
for i in $(seq 20); do printf '한국어 문장을 읽는다.\n日本語の文を読む。\n\n'; done >>text.txt
octet tokenizer train --text text.txt --vocab-size 300 --out words
octet tokenizer train --kind bpe --text text.txt --vocab-size 400 --out bytes

octet data bert --text text.txt --model words --out records --max-seq-length 32 --max-predictions-per-seq 5 \
  --dupe-factor 3 --lines-per-shard 200 --random-seed 5 --json
check 'examples for BERT are made' status_is 0
check 'in a file for each so many lines' same "$(ls records | tr '\n' ' ')" \
  'examples-00000-of-00003.tfrecord examples-00001-of-00003.tfrecord examples-00002-of-00003.tfrecord octet-data.json '
check 'and it is told what they take, beside what others take' out_has '"times_the_text":[0-9.]+,"source_times_the_text":24'
SHARE=$(json_value true_next_share out)
check 'about half of the pairs follow each other' awk "BEGIN { exit !($SHARE > 0.34 && $SHARE < 0.66) }"
check 'of which nothing is warned' eval '! err_has warning'
check 'that is what the files have' same "$(json_value bytes out)" "$(cat records/* | wc -c)"
EXAMPLES=$(json_value examples out)
octet data verify records/*.tfrecord --json
check 'they are as they were written' status_is 0
check 'every example is in one of them' same "$(grep -oE '"records":[0-9]+' out | cut -d: -f2 | awk "{ n += \$1 } END { print n }")" "$EXAMPLES"
octet data show records/examples-00001-of-00003.tfrecord --limit 1 --json
check 'a record has the features of BERT' out_has '^\{"input_ids":\[2,[0-9,]+\],"input_mask":\[1,.*"masked_lm_ids":\[[0-9,]+\],"masked_lm_positions":\[[0-9,]+\],"masked_lm_weights":\[1[0-9,.]*\],"next_sentence_labels":\[[01]\],"segment_ids":\[0,'
if command -v python3 >/dev/null; then
  python3 "$HERE/read_tfrecord.py" records/*.tfrecord >read 2>err
  check 'another reader finds the checksums right' same $? 0
  check 'and every example' same "$(wc -l <read)" "$EXAMPLES"
  numbers() { grep -oE "\"$1\":\[[^]]*" "$2" | cut -d[ -f2 | sed 's/\.0*\b//g'; }
  for file in records/*.tfrecord; do octet data show "$file" --limit 100000 --json; cat out; done >shown
  check 'and the share that is told' same "$(awk "BEGIN { printf \"%.6f\", $SHARE }")" \
    "$(numbers next_sentence_labels read | awk '{ n += 1 - $1 } END { printf "%.6f", n / NR }')"
  for feature in input_ids input_mask segment_ids masked_lm_positions masked_lm_ids masked_lm_weights next_sentence_labels; do
    numbers $feature read >theirs
    numbers $feature shown >ours
    check "with its $feature" same "$(wc -l <theirs) $(cat theirs)" "$EXAMPLES $(cat ours)"
  done
fi
octet data show records/examples-00001-of-00003.tfrecord --limit 2
check 'or in words' out_has '^  masked_lm_weights float\[5\] 1'
check 'as many as asked for' same "$(grep -c '^record' out)" 2
octet data bert --text text.txt --model words --out again --max-seq-length 32 --max-predictions-per-seq 5 \
  --dupe-factor 3 --lines-per-shard 200 --random-seed 5 --threads 1
check 'the same options give the same bytes' diff -r records again
octet data bert --text text.txt --model words --out other --max-seq-length 32 --max-predictions-per-seq 5 \
  --dupe-factor 3 --lines-per-shard 200 --random-seed 6
different() { ! cmp -s "$1" "$2"; }
check 'another seed gives others' different records/examples-00000-of-00003.tfrecord other/examples-00000-of-00003.tfrecord

ln -s nothing/here leads_nowhere
octet data bert --text text.txt --model words --out leads_nowhere
check 'a directory that cannot be made is told' refused X707 'leads_nowhere is a symbolic link to nothing/here'
check 'before the text is read' eval '! err_has "encoding the text"'
if [ "$(id -u)" != 0 ]; then
  mkdir closed && chmod 500 closed
  octet data bert --text text.txt --model words --out closed
  check 'as is one that nobody may write to' refused X707 'cannot write to closed'
  check 'as early' eval '! err_has "encoding the text"'
fi
octet data bert --text text.txt --model words --out records
check 'data does not take the place of other data' refused X707 'holds data already'
check 'which is still there' diff -r records again
octet data bert --text text.txt --model words --out again --overwrite
check 'unless that is asked for, and then it is alone there' same "$(echo $(ls again))" \
  'examples-00000-of-00001.tfrecord octet-data.json'

for i in 1 2; do
  octet data bert --text text.txt --model words --out whole$i --lines-per-shard 100 --random-seed $i
done
rm whole1/examples-00002-of-00005.tfrecord && mkdir whole1/examples-00002-of-00005.tfrecord
cp -r whole1 whole1_before
octet data bert --text text.txt --model words --out whole1 --lines-per-shard 100 --random-seed 2 --overwrite
check 'a folder of the name of data is told of' refused X707 'whole1 holds examples-00002-of-00005.tfrecord'
check 'and nothing is replaced' diff -r whole1 whole1_before
octet data causal --text text.txt --model bytes --out whole1 --overwrite
check 'nor is it taken away' refused X707 'whole1 holds examples-00002-of-00005.tfrecord'
check 'which leaves all as it was' diff -r whole1 whole1_before
rmdir whole1/examples-00002-of-00005.tfrecord
octet data bert --text text.txt --model words --out whole1 --lines-per-shard 100 --random-seed 2 --overwrite
check 'else all are' diff -r whole1 whole2
octet data shards --text text.txt --out whole1 --overwrite
check 'with what told whose ids they held' same "$(ls whole1)" shard-00000.txt

octet data bert --text text.txt --model words --out fly --on-the-fly --json
check 'on the fly the tokens alone are written' same "$(echo $(ls fly))" 'documents.tokens octet-data.json'
check 'no more than twice the text' same "$(awk "BEGIN { print ($(json_value times_the_text out) < 2) }")" 1
octet data bert --text text.txt --model words --out x --on-the-fly --dupe-factor 3
check 'where nothing grows there are no passes to count' status_is 2
octet data bert --text text.txt --model words --out x --on-the-fly --whole-word-mask --no-next-sentence --max-seq-length 64
check 'nor examples to say how to make' refused X735 '--no-next-sentence does nothing with --on-the-fly'
check 'each with what says it in training' err_has 'octet train --tokens ... --seq 64$'
octet data bert --text text.txt --model words --out singles --whole-word-mask --no-next-sentence
check 'whole words and single segments are options' status_is 0
check 'and without pairs nothing is told of them' eval '! out_has "next sentence"'
grep -v '^$' text.txt >one.txt
octet data bert --text one.txt --model words --out one_fly --on-the-fly
check 'one document is tokens for single segments' status_is 0
octet tokenizer train --text text.txt --vocab-size 300 --wordpieces-prefix '' --out unmarked
octet data bert --text text.txt --model unmarked --out none --whole-word-mask
check 'whole words are not masked where no piece is marked as the second of one' \
  refused X709 '--whole-word-mask masks all pieces of a word, and this vocabulary marks none'
check 'which is told before the text is read' eval '! err_has "encoding the text"'
octet data bert --text text.txt --model unmarked --out unmarked_fly --on-the-fly
octet train --layers 1 --hidden 8 --heads 1 --batch 8 --steps 1 --whole-word-mask --tokens unmarked_fly/documents.tokens \
  --tokenizer unmarked
check 'nor in training' refused X709 '--whole-word-mask masks all pieces of a word'
made_up_text >one.txt
octet data bert --text one.txt --model words --out none
check 'a single document has no other sentences' refused X727 'single document'
check 'and it is named' err_has 'one.txt has a single document'
check 'and nothing is left behind' same "$(ls none | wc -l)" 0
octet data bert --text one.txt --model words --out none --no-next-sentence
check 'but examples of one segment' status_is 0
for i in $(seq 8); do cat one.txt; done >long.txt
octet data bert --text long.txt --model words --out long --documents files
check 'documents are counted as they were given' out_has '^1 document,'
check 'and that long ones are cut is said' out_has '^After 8,192 tokens a document goes on as another: there (was|were) [1-9]'
octet data bert --text text.txt --model bytes --out none2
check 'BPE has no [MASK]' refused X721 'MASK'
octet data bert --text text.txt --model words --out shorter --max-seq-length 16
check 'as many tokens are guessed as there is room for, where nothing else is asked' status_is 0
octet data bert --text text.txt --model words --out none2 --max-seq-length 3
check 'a sequence without room is refused' refused X709 '--max-seq-length'
octet data bert --text text.txt --model words --out none2 --masked-lm-prob 1.5
check 'a share above one is refused' refused X709 '--masked-lm-prob'
octet data bert --text text.txt --model words --out none2 --dupe-factor 0
check 'no pass at all is refused' refused X709 dupe-factor
octet data bert --text missing.txt --model words --out none2
check 'a text that is not there is refused' refused X701 missing.txt

octet data bert --text text.txt --model words --out none2 --max-seq-length 3 --max-predictions-per-seq 20 \
  --masked-lm-prob 1.5 --dupe-factor 0
check 'all options out of range are told at once' same "$(grep -c '^X709' err)" 4
octet data bert --text text.txt --model words --out many --dupe-factor 10
check 'where passes take more than twice the text, what takes less is named' out_has '^With --on-the-fly it takes less than twice the text: [0-9.]+ MB'
check 'and the share of pairs that follow each other' out_has '^In [345][0-9]\.[0-9] % of the pairs the second segment follows the first'
octet data bert --text text.txt --model words --out narrow --max-seq-length 10 --dupe-factor 2
check 'where lines fill segments alone, few do, and it is warned of' err_has '^warning: [0-3]?[0-9]\.[0-9] % of the pairs follow each other, where half of them should'
octet data bert --text text.txt --model words --out wide --max-seq-length 256 --dupe-factor 2
check 'masks that are cut short are warned of' \
  err_has '^warning: --max-predictions-per-seq is 20, which masks 7.8 % of 256 tokens, and --masked-lm-prob asks for 15.0 %: choose 38. BERT'
octet data bert --text text.txt --model words --out wide --max-seq-length 256 --dupe-factor 2 --max-predictions-per-seq 38 --overwrite
check 'and not where they are as many as that' eval '! err_has max-predictions'
for i in $(seq 60); do printf '!?!?!?!?!?\n?!?!?!?!\n\n'; done >marks.txt
octet data bert --text marks.txt --model words --out marks --dupe-factor 10
check 'and where tokens take more than that, too, how much' out_has '^With --on-the-fly it takes (2\.[1-9]|[3-9])[0-9.]* times the text: [0-9.]+ MB'

octet tokenizer train --text text.txt --vocab-size 100 --out fewer_words
mkdir other_words
cp words/tokenizer_config.json other_words
(head -n -2 words/vocab.txt; tail -n 1 words/vocab.txt; tail -n 2 words/vocab.txt | head -n 1) >other_words/vocab.txt
TRAIN=(train --layers 1 --hidden 8 --heads 1 --intermediate 8 --batch 8 --steps 1)
octet "${TRAIN[@]}" --records records/*.tfrecord --tokenizer other_words
check 'records are not trained on with other pieces of the same number' refused X736 'its vocabulary has other pieces than this one, as many'
octet "${TRAIN[@]}" --records records/*.tfrecord --tokenizer fewer_words
check 'nor with fewer of them' refused X736 'has 1[0-9][0-9] pieces, and this one 100'
octet "${TRAIN[@]}" --tokens fly/documents.tokens --tokenizer other_words
check 'nor are tokens' refused X736 'another tokenizer'
octet data feed fly/documents.tokens --model other_words --steps 1
check 'nor are they fed' refused X736 'another tokenizer'
octet data feed records/*.tfrecord --model other_words --steps 1
check 'as records are not' refused X736 'another tokenizer'
octet "${TRAIN[@]}" --records records/*.tfrecord --tokenizer words
check 'with their own they are' status_is 0
check 'and it is said what the held-out loss of records is worth' out_has 'and comes out too low'

# Patterns that no shell has expanded.
mkdir parts && cp text.txt parts/a.txt && cp text.txt parts/b.txt
octet data verify 'records/*.tfrecord' --json
check 'a pattern names files to verify' same "$(wc -l <out)" 3
octet data feed 'records/*.tfrecord' --max-seq-length 32 --max-predictions-per-seq 5 --steps 1
check 'or to feed' status_is 0
octet data show 'records/*-00001-of-*.tfrecord' --limit 1
check 'or one to show' out_has '^record 1'
octet data show 'records/*.tfrecord' --limit 1
check 'but not several' refused X709 'is 3 files'
octet tokenizer train --text 'parts/*.txt' --vocab-size 300 --out part_words
check 'or to learn words from' status_is 0
octet data bert --text 'parts/?.txt' --model words --out part_records --json
check 'or to make examples of' same "$(json_value text_bytes out)" "$(cat parts/*.txt | wc -c)"
octet "${TRAIN[@]}" --text 'parts/*.txt'
check 'or to train on' status_is 0
cp records/examples-00001-of-00003.tfrecord $'red\x1Bc.tfrecord'
octet data verify $'red\x1Bc.tfrecord' $'no\x1Bc.tfrecord'
check 'a name does not command a terminal' out_has '^red\\x1Bc\.tfrecord: '
check 'nor does one in a message' refused X701 'no\\x1Bc\.tfrecord'
octet data verify 'records/*.nothing'
check 'and one that nothing matches is no file' refused X701 'nothing'
mkdir bare && cp records/*.tfrecord bare
octet tokenizer train --text text.txt --vocab-size 60 --out few_words
octet data feed bare/*.tfrecord --max-seq-length 32 --max-predictions-per-seq 5 --model few_words --steps 5
check 'ids beyond the vocabulary are not fed' refused X736 'hold the id [0-9]+, and the vocabulary has 60 pieces'
octet "${TRAIN[@]}" --records bare/*.tfrecord --tokenizer other_words
check 'and records that have nothing beside them are taken as they are' status_is 0
echo '{"pieces": 300' >bare/octet-data.json
octet "${TRAIN[@]}" --records bare/*.tfrecord --tokenizer words
check 'what stands beside them and is broken is refused with its line' refused X736 'octet-data.json:2'

octet data causal --text text.txt --model bytes --out blocks --context-length 52 --json
check 'text becomes blocks for a language model' out_has '"kind":"tokens".*"blocks":[1-9][0-9]*,"context_length":52'
check 'of less than twice the text' same "$(awk "BEGIN { print ($(json_value times_the_text out) < 2) }")" 1
BLOCKS=$(json_value blocks out)
octet data causal --text text.txt --model bytes --out block_records --context-length 52 --write tfrecord --remainder keep --json
check 'or records of them, with the remainder as one' same "$(json_value blocks out)" "$((BLOCKS + 1))"
octet data show block_records/blocks-00000-of-00001.tfrecord --limit 1 --json
check 'each with its ids' out_has '^\{"input_ids":\[[0-9,]+\]\}$'
octet data verify blocks/text.tokens block_records/*.tfrecord
check 'both are as they were written' status_is 0
octet tokenizer train --kind bpe --add-prefix-space --text text.txt --vocab-size 400 --out blank_bytes
printf 'a cat\nthe dog \nsees\n' >three.txt
octet data causal --text three.txt --model blank_bytes --out blank_blocks
octet data show blank_blocks/text.tokens
cp out shown
octet tokenizer encode --model blank_bytes "$(printf 'a cat\nthe dog \nsees')"
check 'a blank of the tokenizer stands before a document, and not before its lines' same "$(cat shown)" "$(cat out) 0"
octet data causal --text text.txt --model bytes --out none3 --blocks-per-shard 5
check 'tokens are not written in shards' refused X735 '--blocks-per-shard does nothing for --write tokens'
octet data causal --text text.txt --model bytes --out none3 --remainder keep
check 'nor is a block kept that is none' refused X735 '--remainder does nothing for --write tokens'
octet data show blocks/text.tokens --limit 1 --json
check 'a stream is shown in blocks' same "$(grep -o '^{"block":1,' out) $(tr ',' '\n' <out | grep -c '[0-9]')" '{"block":1, 53'
octet data feed blocks/text.tokens --batch 8 --steps 1 --json
check 'fed in those that it was written for' out_has '"seq":52'
octet "${TRAIN[@]}" --kind causal --tokens blocks/text.tokens --tokenizer bytes --out blocks_model --json
check 'trained on in them' same "$(grep -o '"n_positions": [0-9]*' blocks_model/config.json)" '"n_positions": 52'
octet "${TRAIN[@]}" --kind causal --tokens blocks/text.tokens --tokenizer bytes --seq 16 --out blocks_model --overwrite
check 'or in others' same "$(grep -o '"n_positions": [0-9]*' blocks_model/config.json)" '"n_positions": 16'
octet data causal --text text.txt --model bytes --out any_blocks
octet "${TRAIN[@]}" --kind causal --tokens any_blocks/text.tokens --tokenizer bytes --out blocks_model --overwrite
check 'and where no length was asked for, in that of training' same "$(grep -o '"n_positions": [0-9]*' blocks_model/config.json)" '"n_positions": 64'
octet data causal --text text.txt --model bytes --out blocks --context-length 32 --overwrite
check 'what tells the length is written over' status_is 0
octet data causal --text text.txt --model bytes --out none3 --separator nothing
check 'a separator that is no piece is refused' refused X709 'nothing'
octet data causal --text text.txt --model words --out word_blocks --context-length 16
check 'WordPieces are parted by [SEP]' status_is 0
octet data causal --text text.txt --model bytes --out none4 --context-length 1000000
check 'a context longer than the text is refused' refused X706 'less than a block'

printf 'id,text\n1,"a small cat, it sees"\n2,"the ""big"" dog\nand the house"\n' >table.csv
printf '{"id": 1, "text": "a small cat, it sees"}\n{"id": 2, "text": "the \\"big\\" dog\\nand the house"}\n' >lines.jsonl
printf 'a small cat, it sees\n\nthe "big" dog\nand the house\n' >plain.txt
for file in table.csv lines.jsonl plain.txt; do
  octet data causal --text $file --model bytes --out from_$file --context-length 4
  check "$file is read" status_is 0
done
check 'a table is the same text as lines of JSON' cmp from_table.csv/text.tokens from_lines.jsonl/text.tokens
check 'and as plain text' cmp from_table.csv/text.tokens from_plain.txt/text.tokens
{ cat table.csv; printf '3,\u3000\u00a0\n'; } >blank_cell.csv
octet "${TRAIN[@]}" --text table.csv --json
WORDS=$(json_value parameters_hash out)
octet "${TRAIN[@]}" --text blank_cell.csv --json
check 'a cell of white space is no line to train on' same "$(json_value parameters_hash out)" "$WORDS"
tr , ';' <table.csv | sed 's/cat;/cat,/' >semicolons.csv
octet data causal --text semicolons.csv --model bytes --out none5 --context-length 4
check 'a table of semicolons is refused with the option that it needs' refused X724 'fix: +take --csv-separator .;.: the first row holds it'
octet data causal --text semicolons.csv --csv-separator ';' --model bytes --out semicolons --context-length 4
check 'and read with it' cmp from_table.csv/text.tokens semicolons/text.tokens
sed 's/^\(id\|[12]\),/\1\t/' table.csv >table.tsv
octet data causal --text table.tsv --model bytes --out tabs --context-length 4
check 'a .tsv has tabulators' cmp from_table.csv/text.tokens tabs/text.tokens
cp table.tsv tabs.csv
octet data causal --text tabs.csv --csv-separator '\t' --model bytes --out tabs2 --context-length 4
check 'and so may a .csv' cmp tabs/text.tokens tabs2/text.tokens
octet data causal --text tabs.csv --csv-separator ab --model bytes --out none5 --context-length 4
check 'two characters part nothing' refused X709 '--csv-separator'
octet data causal --text tabs.csv --csv-separator é --model bytes --out none5 --context-length 4
check 'nor does one of two bytes' refused X709 '--csv-separator is "é", and is to be one character of ASCII, a single byte'
cp lines.jsonl lines.json
octet data causal --text lines.json --model bytes --out json --context-length 4
check 'that a .json is taken as plain text is said' err_has '^note: lines.json is read as plain text.*--format jsonl'
printf 'a cat\nthe <|endoftext|> dog\n' >named.txt
octet data causal --text named.txt --model bytes --out named --context-length 100000 --write tfrecord --remainder keep
check 'the name of the separator is plain text, and that is said' err_has '^note: 1 line of the text holds <\|endoftext\|>, which is plain text'
check 'a block that is shorter is not told as full' out_has '1 block of up to 100,000'
cat text.txt named.txt >named_text.txt
octet "${TRAIN[@]}" --kind causal --text named_text.txt --context-length 16 --vocab-size 300
check 'where it is trained on, too' err_has 'note: 1 line of the text holds <\|endoftext\|>'
octet data causal --text table.csv --field id --model bytes --out ids --context-length 2
check 'another column is another text' status_is 0
for option in '--field id' --no-header --no-csv-quotes '--csv-separator ;'; do
  octet data causal --text plain.txt $option --model bytes --out none5
  check "plain text takes no $option" refused X735 "does nothing for plain.txt"
done
octet data causal --text lines.jsonl --no-header --model bytes --out none5
check 'nor have lines of JSON a header' refused X735 '--no-header does nothing for lines.jsonl'
printf 'text,text\nfirst,second\n' >twice.csv
octet data causal --text twice.csv --model bytes --out none5
check 'a column whose name another has is asked for by its number' refused X724 'name the column by its number: 1 is the first'
octet data causal --text twice.csv --field 2 --model bytes --out second --context-length 4
check 'and read so' status_is 0
printf '{"text":"a cat","big":18446744073709551616,"far":-1e999}\n' >numbers.jsonl
octet data causal --text numbers.jsonl --model bytes --out numbers --context-length 2
check 'numbers of any size may stand beside the text' status_is 0
printf '{"text":"a cat","big":018446744073709551616}\n' >numbers.jsonl
octet data causal --text numbers.jsonl --model bytes --out none5 --context-length 2
check 'what is no number may not' refused X725 'broken at byte'
octet data causal --text nowhere.txt --model bytes --out new/directory
check 'directories that nothing came into are taken away' test ! -e new
octet data causal --text table.csv --field body --model bytes --out none5
check 'a column that is not there is refused with those that are' refused X724 'id, text'
printf 'id\ttext\n2\t3 "four" five\n3\t"six" seven\n' >marks.tsv
head -n 2 marks.tsv >marks_within.tsv
octet data causal --text marks_within.tsv --model bytes --out marks_within --context-length 2
check 'a quotation mark within a field is plain text' status_is 0
octet data causal --text marks.tsv --model bytes --out none5 --context-length 2
check 'behind an enclosed field nothing may follow' refused X724 'after its closing quotation mark'
check 'unless no mark is to enclose any' err_has 'or: +take quotation marks for plain text, where no field is enclosed: --csv-quotes=false$'
octet data causal --text marks.tsv --csv-quotes=false --model bytes --out no_quotes --context-length 2
check 'as it then is read' status_is 0
octet data causal --text marks.tsv --no-csv-quotes --model bytes --out no_quotes2 --context-length 2
check 'by either name' cmp no_quotes/text.tokens no_quotes2/text.tokens
printf '3,"c\n' >>table.csv
octet data causal --text table.csv --model bytes --out none5
check 'a quotation mark that is not closed is refused with its line' refused X724 'table.csv:5'
printf '{"text": "c"\n' >>lines.jsonl
octet data causal --text lines.jsonl --model bytes --out none5
check 'broken JSON is refused with its line' refused X725 'lines.jsonl:3'
octet data causal --text lines.jsonl table.csv missing --model bytes --out none5
check 'the faults of all files are told at once' same "$(grep -cE '^X(701|724|725)' err)" 3

octet data shards --text text.txt --out shards --lines 100 --json
check 'a text is cut into shards' same "$(json_value shards out)" "$(ls shards | wc -l)"
check 'of so many lines' same "$(wc -l <shards/shard-00001.txt)" 100
check 'which are the text' same "$(cat shards/* | md5sum)" "$(sed '$d' text.txt | md5sum)"
octet data shards --text text.txt --out shards --lines 50
check 'shards do not take the place of others' refused X707 'shard-00000.txt'

printf 'id,text\n1,\n' >nothing.csv
octet data shards --text nothing.csv --out shards --overwrite
check 'a text without a line takes no place either' refused X706 'no line'
check 'and the shards are still there' same "$(cat shards/* | md5sum)" "$(sed '$d' text.txt | md5sum)"

printf '{"text": "\\n\\n"}\n{"text": "a\\n\\n \\nb\\n"}\n{"text": ""}\n{"text": "c"}\n' >parted.jsonl
octet data shards --text parted.jsonl --out parted --json
check 'a document with empty lines is one document of a shard' same "$(tr '\n' '/' <parted/shard-00000.txt)" 'a/b//c/'
check 'as many as are told' same "$(json_value documents out)" 2
printf '{"text": "a"}\n{"text": "b \\u0000"}\n' >zero.jsonl
octet data shards --text zero.jsonl --out zero
check 'a text with a character that is none is refused with its line' refused X725 'zero.jsonl:2'

if [ ${#PROGRAM[@]} = 1 ]; then  # node opens files of its own
  (
    ulimit -n 64
    octet data bert --text text.txt --model words --out shelf --lines-per-shard 1
    exit "$STATUS"
  )
  STATUS=$?
  check 'more files than can be open at once are refused' refused X709 'lines-per-shard is 1, which makes [0-9]+ files of [0-9,]+ lines'
  fewer=$(grep -oE 'choose [0-9]+ or more' err | grep -oE '[0-9]+')
  (
    ulimit -n 64
    octet data bert --text text.txt --model words --out shelf --dupe-factor 1 --lines-per-shard "${fewer:-1}"
    exit "$STATUS"
  )
  check 'with how many lines each must have' same $? 0
fi

: >empty.tfrecord
octet data verify empty.tfrecord
check 'a file without a record holds nothing to train on' refused X740 'empty.tfrecord holds no record'
check 'and it is told what is in it' out_has '^empty.tfrecord: 0 records'
octet data verify empty.tfrecord records/examples-00001-of-00003.tfrecord
check 'beside others it may be' status_is 0

cp records/examples-00000-of-00003.tfrecord cut.tfrecord
truncate -s -5 cut.tfrecord
octet data verify records/examples-00001-of-00003.tfrecord cut.tfrecord
check 'a file cut short is refused at its record' refused X722 'record [0-9]+ of cut.tfrecord, which begins at byte [0-9]+, is cut short'
check 'and the others are checked' out_has 'examples-00001-of-00003.tfrecord: [0-9]+ records'
cp records/examples-00000-of-00003.tfrecord altered.tfrecord
printf 'X' | dd of=altered.tfrecord bs=1 seek=500 conv=notrunc 2>/dev/null
octet data verify altered.tfrecord
check 'an altered one is too' refused X722 'record [12] of altered.tfrecord'
octet data feed altered.tfrecord --batch 8
check 'nor is it trained on' refused X722 'altered.tfrecord'
octet data show text.txt
check 'what is no record file is refused' refused X722 'no TFRecord file'
cp fly/documents.tokens short.tokens
truncate -s -3 short.tokens
octet data verify short.tokens
check 'tokens cut short are refused' refused X726 'short.tokens'
cp fly/documents.tokens renamed.bin
octet data verify renamed.bin
check 'tokens are known by how they end, whatever their name' out_has '^renamed.bin: [0-9,]+ tokens, as written'
mkdir part && cp records/examples-0000{0,2}-of-00003.tfrecord part
octet data verify part/*.tfrecord
check 'a file that is missing among others is told, once' refused X722 'examples-00001-of-00003.tfrecord is not beside it'
check 'and the others are as they were' same "$(grep -c 'as written' out)$(grep -c '^X722' err)" 21
mkdir told && cp records/* told
LENGTH=$(od -An -t u8 -N 8 told/examples-00002-of-00003.tfrecord | tr -d ' ')
truncate -s $((LENGTH + 16)) told/examples-00002-of-00003.tfrecord  # the first record is whole, and the last one
octet data verify told/*.tfrecord
check 'a file that ends early with a whole record is known by its length' refused X722 \
  "told/examples-00002-of-00003.tfrecord has $((LENGTH + 16)) bytes, and [0-9]+ were written"
check 'and only that one' same "$(grep -c 'as written' out)$(grep -c '^X722' err)" 21
octet data feed told/*.tfrecord --steps 1
check 'it is not fed' refused X722 'bytes, and [0-9]+ were written'
octet "${TRAIN[@]}" --records told/*.tfrecord --tokenizer words
check 'nor trained on' refused X722 'bytes, and [0-9]+ were written'
mkdir alone && cp told/*.tfrecord alone
octet data verify alone/*.tfrecord
check 'where nothing tells how long it was it is taken as it is' status_is 0

FEED=(data feed records/examples-0000{0,1,2}-of-00003.tfrecord --batch 16 --max-seq-length 32 --window 60 --json)
octet "${FEED[@]}" --steps 20
check 'records are fed in batches' status_is 0
check 'and the share of waiting is told' out_has '"waited_share":[0-9.e-]+'
cp out whole
octet "${FEED[@]}" --steps 8 --threads 1
FROM=$(json_value position out)
octet "${FEED[@]}" --steps 12 --from "$FROM"
check 'from a saved position the same batches come' same "$(tail -n 1 out | grep -oE '"position":"[^"]*"')" "$(tail -n 1 whole | grep -oE '"position":"[^"]*"')"
check 'of the same lengths' same "$(grep -oE '"seq":[0-9]+,"tokens":[0-9]+' out | md5sum)" \
  "$(grep -oE '"seq":[0-9]+,"tokens":[0-9]+' whole | tail -n 12 | md5sum)"
octet "${FEED[@]}" --steps 20 --threads 1
check 'on one thread too' same "$(json_value hash out)" "$(json_value hash whole)"
octet "${FEED[@]}" --steps 2 --seed 9 --from "$FROM"
check 'a position of another order is refused' refused X729 'other data or options'
octet "${FEED[@]}" --steps 2 --from here
check 'and what is no position' refused X729 'here'
octet "${FEED[@]}" --steps 5 --padding lengths:16,32
check 'lengths may be named' out_has '"shapes":\[(16,)?32\]'
octet "${FEED[@]}" --steps 5 --padding none
check 'what is no way to pad is wrong usage' status_is 2
check 'which says what is' err_has "'none' is not max_length, longest, multiple_of:N"
octet "${FEED[@]}" --steps 5 --padding 16,32
check 'lengths without their name, too' err_has "'16,32' is written --padding lengths:16,32"
octet "${FEED[@]}" --steps 5 --batch 12
check 'a batch that replicas cannot share is refused' refused X709 '8 replicas'
octet data feed fly/documents.tokens --model words --batch 16 --steps 5 --padding multiple_of:32
check 'examples are made on the fly' out_has '^5 batches of 16'
octet data feed fly/documents.tokens --batch 16
check 'not without their vocabulary' refused X709 'add --model'
octet data feed blocks/text.tokens --context-length 64 --batch 8 --steps 5
check 'blocks are fed too' out_has 'of the positions padding'
octet data feed blocks/text.tokens --max-seq-length 64 --max-predictions-per-seq 5 --batch 8
check 'which have no length of sequences' refused X735 '--max-seq-length does nothing for a stream of tokens'
check 'and no masks' err_has '^X735: --max-predictions-per-seq does nothing for a stream of tokens'
octet "${FEED[@]}" --steps 5 --context-length 64
check 'nor have records a context' refused X735 '--context-length does nothing for records'
octet data feed fly/documents.tokens --model words --context-length 64
check "nor have BERT's tokens" refused X735 "--context-length does nothing for BERT's tokens"
octet data feed blocks/text.tokens --context-length 64 --batch 8000
check 'a batch larger than the data is refused' refused X728 '8000'

mkdir own && cp text.txt own/shard-00009.txt && echo mine >own/shard-my.txt
octet data shards --text own/shard-00009.txt --out own --overwrite
check 'what is read is not taken away' refused X707 'shard-00009.txt is read'
octet data shards --text text.txt --out own --overwrite
check 'nor what others wrote' refused X707 'shard-my.txt, which octet data did not write'
check 'and all stands' same "$(ls own)" "$(printf 'shard-00009.txt\nshard-my.txt')"
for name in shard-3.txt examples-1-of-2.tfrecord shard-000000.txt blocks-00000-of-001.tfrecord; do
  rm own/* && echo mine >own/$name && touch own/shard-4.txt.writing
  octet data shards --text text.txt --out own --overwrite
  check "nor what is called $name" refused X707 "$name, which octet data did not write"
  check 'which stands' same "$(echo $(ls own))" "$(echo $(printf '%s\n' $name shard-4.txt.writing | sort))"
done
rm own/* && echo '{"pieces": 3, "mine": 4}' >own/octet-data.json
octet data bert --text text.txt --model words --out own
check "nor another's octet-data.json" refused X707 'octet-data.json, which octet data did not write'
octet data bert --text text.txt --model words --out own --overwrite
check 'in no case' same "$(cat own/*)" '{"pieces": 3, "mine": 4}'
echo '{"pieces": 3, "fingerprint": 4}' >own/octet-data.json
octet data bert --text text.txt --model words --out own
check 'one without lengths is octet data'"'"'s, too' status_is 0
rm own/*
cp records/octet-data.json own
octet data bert --text text.txt --model words --out own
check 'but one that is left of data' status_is 0
mkdir left && touch left/examples-00000-of-00001.tfrecord.writing left/shard-123456.txt.writing
octet data shards --text text.txt --out left
check 'what an ended command left is taken away' same "$(ls left)" shard-00000.txt
# As a command leaves them that was ended after it began to put its files in their places.
mkdir ended && cp fly/documents.tokens ended && cp fly/octet-data.json ended/octet-data.json.writing
echo old >ended/shard-00000.txt.replaced && echo old >ended/shard-00001.txt
echo 'my notes' >ended/octet-data.json.next
octet data shards --text text.txt --out ended --overwrite
check "another's file of the name of a list is left alone" refused X707 'octet-data.json.next is there, which octet data did not write'
check 'whole' same "$(cat ended/octet-data.json.next)" 'my notes'
first='octet data: + is to be put in its place, - to be taken away'
printf '%s\n' "$first" +documents.tokens -../text.txt >ended/octet-data.json.next
octet data shards --text text.txt --out ended --overwrite
check 'nor does a list of other files take them away' refused X707 'octet-data.json.next is there'
printf '%s\n' "$first" +documents.tokens +octet-data.json -shard-00000.txt -shard-00001.txt >ended/octet-data.json.next
octet train --tokens ended/documents.tokens --tokenizer words --steps 2
check 'files of two data sets are not read as one' refused X701 'ended/documents.tokens as it stands'
octet data shards --text text.txt --out ended
check 'what was begun is carried on' refused X707 'ended holds data already .documents.tokens'
check 'to its end' diff -r fly ended
check 'and where it was' test -s text.txt
if [ ${#PROGRAM[@]} = 1 ]; then  # WebAssembly knows no locks
  mkfifo endless
  sleep 60 >endless &
  WRITER=$!
  "${PROGRAM[@]}" data shards --text endless --out busy >busy.out 2>&1 &
  READER=$!
  for _ in $(seq 200); do [ -d busy ] && break; sleep 0.05; done
  sleep 0.2
  for _ in $(seq 100); do
    octet data causal --text text.txt --model words --out busy/..//busy
    err_has 'another program' && break
    rm -f busy/*
    sleep 0.05
  done
  check 'a directory that another command writes into is refused' refused X707 'another program is writing into busy'
  kill $WRITER $READER
  wait $READER
  octet data shards --text text.txt --out busy --overwrite
  check 'until that ends' status_is 0

  # stopped INPUT SIGNAL ARGUMENT...: a command that waits for its input, stopped by a signal.
  stopped() {
    local input=$1 signal=$2 child
    shift 2
    rm -rf waits
    "${PROGRAM[@]}" data "$@" --text "$input" --out waits >out 2>err &
    child=$!
    for _ in $(seq 200); do [ -d waits ] && break; sleep 0.05; done
    sleep 0.2
    kill "-$signal" $child
    for _ in $(seq 100); do kill -0 $child 2>err.kill || break; sleep 0.05; done
    kill -KILL $child 2>err.kill
    wait $child 2>err.kill
    STATUS=$?
  }
  mkfifo silent
  set -m
  for command in shards 'causal --model bytes' 'bert --model words'; do
    stopped silent INT $command
    check "Ctrl-C ends data ${command%% *} while nobody writes to the pipe that it reads" status_is 130
    check 'and nothing is left' absent waits
  done
  sleep 60 >silent &
  WRITER=$!
  stopped silent TERM causal --model bytes
  check 'and while who does has nothing to say, SIGTERM' status_is 143
  check 'which leaves nothing either' absent waits
  set +m
  stopped silent INT shards
  check 'in the background of a script Ctrl-C is not heard' status_is 137
  kill $WRITER

  yes 'many words on a line, ' | tr -d '\n' | head -c 60000000 >line.txt
  for model in bytes words; do
    (
      ulimit -v 120000
      octet data causal --text line.txt --model $model --out line_$model
      exit "$STATUS"
    )
    check "a line of 60 MB is not held, with $model" same $? 0
  done
  yes | tr -d '\n' | head -c 300000000 | "${PROGRAM[@]}" data shards --text /dev/stdin --out endless_line >out 2>err
  STATUS=$?
  check 'a line that has to be held is not of any length' refused X703 'this line of it has more than 256 MB'
  (
    ulimit -v 200000
    octet data shards --text /dev/zero --out zeros
    exit "$STATUS"
  )
  STATUS=$?
  check 'nor are zeros without end read' refused X703 'a NUL byte at line 1'
fi

if [ -w /dev/full ] && mkdir full && ln -s /dev/full full/documents.tokens.writing; then
  octet data bert --text text.txt --model words --out full --on-the-fly
  check 'a full disk is told' refused X707 'documents.tokens'
fi
finish
