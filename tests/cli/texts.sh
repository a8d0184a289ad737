# Texts that cannot be trained on: each gets its numbered message, and nothing is written.
source "$(dirname "$0")/check.sh"

train() { octet train "${SMALL[@]}" --steps 2 --out model --text "$@"; }
made_up_text >good.txt

train missing.txt
check 'a missing file is refused' refused X701 'missing\.txt'
mkdir folder
train folder
check 'a directory is no text' refused X701 folder
: >empty.txt
train empty.txt
check 'an empty file is refused' refused X702 'empty\.txt is empty'
printf ' \n\t\n  \n' >blank.txt
train blank.txt
check 'a file of white space is refused' refused X702 'white space'
printf '\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03abcdef' >text.gz
train text.gz
check 'an archive is refused by its name' refused X703 gzip
printf 'some text\nand a \0 in it\n' >zero.txt
train zero.txt
check 'a NUL byte is refused with its line' refused X703 'line 2'
printf '\xff\xfea\0b\0\n\0' >utf16.txt
train utf16.txt
check 'UTF-16 is refused' refused X704 UTF-16
printf 'good\n\xb0\xa1\xb3\xaa\xb4\xd9\n' >korean.txt
train korean.txt
check 'Korean text in another encoding is refused with its line' refused X704 'line 2'
check 'and iconv is named' err_has 'iconv -f CP949'
printf 'a line\n\xed\x95\x9c\xea\xb5' >cut.txt
train cut.txt
check 'a text that ends inside a character is refused' refused X705 'cut\.txt'
printf 'one line only\n' >short.txt
train short.txt
check 'a text of one line is refused' refused X706 ''
train missing.txt empty.txt good.txt
check 'all faulty files are told at once' err_has '^X702.*empty'
check 'the first one too' refused X701 missing
if [ "$(id -u)" != 0 ]; then
  cp good.txt secret.txt && chmod 0 secret.txt
  train secret.txt
  check 'a file that may not be read is refused' refused X701 'secret\.txt'
fi
check 'no model was begun' absent model

octet train "${SMALL[@]}" --steps 2 --json --text cut.txt
check 'with --json the message is an object too' out_has '^\{"error":\{"number":"X705","sentence":"cut\.txt ends'
check 'that line is all of the output' same "$(wc -l <out)" 1
if [ ${#PROGRAM[@]} = 1 ]; then
  mkfifo pipe
  for twice in 'train --out lost --lose all@2' 'train --kind causal' 'check --model gpt2 --slice v3-8 --batch 8'; do
    timeout -k 1 5 "${PROGRAM[@]}" $twice --text pipe >out 2>err
    STATUS=$?
    check "a pipe, which $twice would read twice, is refused" refused X701 'pipe more than once'
  done
fi
octet tokenizer train --text missing.txt empty.txt --out words
check 'tokenizer train refuses texts too' refused X701 missing
check 'and writes nothing' absent words
finish
