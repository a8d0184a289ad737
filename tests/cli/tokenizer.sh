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
octet tokenizer train --text text.txt --vocab-size 0 --out none
check 'a vocabulary of nothing is refused' refused X709 'vocab-size is 0'

octet tokenizer encode --model before --ids 'the small cat sees a dog.'
check 'text becomes ids' out_has '^[0-9]+( [0-9]+)+$'
octet tokenizer decode --model before $(cat out)
check 'ids become text again' out_has '^the small cat sees a dog\.$'
octet tokenizer encode --model before --ids '한국어 문장을 읽는다.'
octet tokenizer decode --model before $(cat out)
check 'Korean comes back as it was' out_has '^한국어 문장을 읽는다\.$'
octet tokenizer encode --model before --ids '日本語の文を読む。'
octet tokenizer decode --model before $(cat out)
check 'Japanese comes back as it was' out_has '^日本語の文を読む。$'
octet tokenizer encode --model before --json --add-special 'the cat'
check 'JSON has ids, pieces and places' out_has '"ids":\[2,[0-9,]+,3\],"pieces":\["\[CLS\]",.*"byte_offsets":\[\[0,0\],\[0,3\]'
printf 'the cat\na dog\n' | "${PROGRAM[@]}" tokenizer encode --model before >out 2>err
check 'lines of standard input are encoded' same "$(wc -l <out)" 2
octet tokenizer encode --model before ''
check 'empty text has no pieces' out_has '^$'
octet tokenizer decode --model before 5 100000
check 'an id outside the vocabulary is refused' refused X709 100000
octet tokenizer decode --model before five
check 'what is no id is refused' refused X709 five
octet tokenizer encode --model nowhere text
check 'a directory without a vocabulary is refused' refused X701 vocab.txt
finish
