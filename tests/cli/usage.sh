# Wrong usage, help, and options out of range.
source "$(dirname "$0")/check.sh"

octet
check 'without a command, the exit status is 2' status_is 2
octet dance
check 'an unknown command is wrong usage' status_is 2
check 'and is told with those there are' err_has "no command 'dance' among train evaluate fill detect continue tokenizer"
octet tokenizer dance
check 'below a command too' err_has "octet tokenizer: there is no command 'dance' among train encode decode"
octet train
check 'train without a text is wrong usage' status_is 2
check 'and says what is missing' err_has '--text is required'
octet train --text a.txt --steps many
check 'a number that is none is wrong usage' status_is 2
octet train --text a.txt --sede 3
check 'an option that is misspelt is wrong usage' status_is 2
check 'and the one that was meant is named' err_has '^octet train: there is no option --sede: try --seed$'
octet train --text a.txt --laerning-rate=3 nothing --qqqqqqq
check 'all such are told, in their order' err_has 'no option --laerning-rate: try --learning-rate; there is no option --qqqqqqq$'
octet tokenizer encode --modl m text
check 'also where one is missing' err_has '--model is required; there is no option --modl: try --model$'
octet bench --sizes too many
check 'words that nothing takes are told in their order' err_has '^octet bench: not expected: too many$'
octet train --text a.txt --steps
check 'an option without its value is told of' err_has '^octet train: --steps is given no value$'
octet train --text a.txt --resume
check '--resume wants --out' status_is 2
octet train --text a.txt --precision f16
check 'a precision that is none is wrong usage' status_is 2
octet train --text a.txt --padding wide
check 'a padding policy that is none is wrong usage' status_is 2
octet fill 'a [MASK]'
check 'fill without a model is wrong usage' status_is 2
octet tokenizer
check 'tokenizer without a command is wrong usage' status_is 2

octet --version
check '--version says one' out_has '^octet [0-9]+\.[0-9]+\.[0-9]+$'
for command in train evaluate fill detect continue tokenizer 'tokenizer train' 'tokenizer encode' 'tokenizer decode' data 'data bert' \
  'data causal' 'data shards' 'data show' 'data verify' 'data feed' export check estimate bench explain; do
  octet $command --help
  check "$command --help has an example" out_has "^Example:"
done
check 'help ends well' status_is 0
if [ -w /dev/full ]; then
  "${PROGRAM[@]}" --help >/dev/full 2>err
  STATUS=$?
  check 'but where it cannot be written' status_is 1
fi

made_up_text >text.txt
octet train --text text.txt --steps 0 --out model
check 'no steps are refused' refused X709 'steps is 0'
octet train --text text.txt --steps -5 --out model
check 'a negative number of steps is refused' refused X709 'steps is -5'
octet train --text text.txt --batch 7 --heads 3 --learning-rate 0 --out model
check 'a batch that replicas cannot share is refused' refused X709 'batch is 7'
check 'and all other faults are told with it' err_has 'learning-rate'
octet train --text text.txt --slice v9-8 --out model
check 'a slice that nobody sells is refused' refused X604 'v9-8'
octet train --text text.txt --threads 0 --out model
check 'no threads are refused' refused X709 'threads is 0'
octet train --text text.txt --save-every -1 --out model
check 'a negative number of steps between saves is refused' refused X709 'save-every is -1'
check 'nothing was written' absent model

octet train --text text.txt --steps '' --out model
check 'an empty number is wrong usage' status_is 2
check 'which tells where it may come from' err_has '--steps: is given nothing; a variable of the shell'
octet train --text text.txt --out ''
check 'an empty directory too' status_is 2
octet train --text text.txt --seed -1
check 'a number below its range is wrong usage' err_has "'-1' is not between 0 and 18446744073709551615"
octet train --text text.txt --seed 99999999999999999999
check 'and one above it' err_has "'99999999999999999999' is not between"
octet estimate --host-ms '' --model bert-base --slice v3-32 --batch 64
check 'so is an empty list' status_is 2
octet train --text text.txt --steps 010 --json
check 'a number that begins with 0 is no other' same "$(grep -c '"step"' out)" 10
octet estimate --slice v3-8 --batch 64 --model bert-base --accumulate 2305843009213693952
check 'parts of a batch beyond number are refused' refused X709 'accumulate is 2305843009213693952'

octet bench --sizes --only 'mini 8x64'
check 'one size can be asked for alone' same "$(grep -c 'layers of' out)/$(grep -c 'mini 8x64 .*4 layers of 256.*batch x sequence 8 x 64' out)" 1/1
octet bench --sizes --explain
check 'sizes are not explained' status_is 2
octet bench --only nonsense
check 'what cannot be measured is refused' refused X709 "choose of .*'products', 'eight replicas', 'a known call'"
octet bench --only 'a known call' --repeat 1 --json
check 'bench measures a known call alone' same "$(grep -o '"bench":"[a-z]*"' out | tr '\n' ' ')" '"bench":"peak" "bench":"call" '
octet bench --only 'tiny 8x64' 'a known call' --repeat 1 --threads 1 --json
check 'and a training step of one size' same "$(grep -c '"bench":"step","name":"tiny 8x64"' out)" 2
check 'with what else was asked for' same "$(grep -o '"bench":"[a-z]*"' out | sort | uniq | tr '\n' ' ')" \
  '"bench":"call" "bench":"peak" "bench":"step" '
octet bench --only 'tiny 8x64' --repeat 1 --threads 1 --explain
check 'kernels are told with their places by number' out_has '^ +[0-9.]+ % .* of memory +loop of 256000: .*3 multiply, add, .* \[[0-9]\]$'
check 'which are listed once' same "$(grep -c 'bench_programs.cpp' out)" "$(grep -cE '^    \[[0-9]+\]  .*bench_programs.cpp' out)"

octet explain
check 'explain lists the messages' out_has 'X704  not UTF-8'
octet explain x704
check 'explain takes a number in small letters' out_has '  why '
octet explain 704
check 'explain takes a number alone' out_has '  cure '
octet explain X704 --json
check 'explain speaks JSON' out_has '^\{"number":"X704","title":"not UTF-8"'
octet explain X203
check 'explain tells how one comes to meet a message' out_has 'labels >= 0'
check 'and whether a cure is safe' out_has 'safe to do\?'
octet explain X203 --json
check 'in JSON, too' out_has '"cures":\[\{"cure":"nn::masked_mean'
octet explain --markdown
check 'explain writes its pages in Markdown' out_has '^## X704 not UTF-8'
octet explain X999
check 'an unknown number is refused' refused X709 X999
octet explain nonsense
check 'what is no number is refused' refused X709 nonsense

if [ -e /dev/full ]; then
  "${PROGRAM[@]}" explain >/dev/full 2>err
  STATUS=$?
  check 'output that cannot be written is an error' refused X707 'standard output'
fi
finish
