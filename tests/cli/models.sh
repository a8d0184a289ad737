# What is done with a trained model: filling blanks and exporting; and directories that are no models.
source "$(dirname "$0")/check.sh"

made_up_text >text.txt
for i in $(seq 60); do
  echo '작은 고양이가 큰 나무를 본다'
  echo '小さな猫が大きな木を見る'
done >>text.txt
octet train --text text.txt "${SMALL[@]}" --vocab-size 200 --steps 20 --out model
check 'a model is trained' status_is 0

octet fill --model model 'the small [MASK] sees a bird.'
check 'a blank is filled' status_is 0
check 'with five words' same "$(grep -c ' %' out)" 5
octet fill --model model --count 3 --json 'the ___ cat [MASK] a dog.'
check 'two blanks are filled' same "$(grep -o '"position"' out | wc -l)" 2
check 'each with as many words as asked for' same "$(grep -o '"probability"' out | wc -l)" 6
octet fill --model model '작은 [MASK] 큰 나무를 본다' '小さな[MASK]が大きな木を見る'
check 'Korean and Japanese sentences are filled' status_is 0
octet fill --model model --threads 1 --json 'the small [MASK] sees a bird.'
cp out one
octet fill --model model --threads 2 --json 'the small [MASK] sees a bird.'
check 'the number of threads changes no guess' cmp -s one out
octet fill --model model 'the small cat sees a bird.'
check 'a sentence without a blank is refused' refused X712 ''
octet fill --model model ''
check 'an empty sentence is refused' refused X712 ''
octet fill --model model "[MASK] $(seq -s ' ' 40)"
check 'a sentence that is too long is refused' refused X713 ''
if [ ${#PROGRAM[@]} = 1 ]; then  # node makes UTF-8 of its arguments
  octet fill --model model $'caf\xe9 [MASK]'
  check 'a sentence that is not UTF-8 is refused' refused X704 'byte 4'
fi
octet fill --help
check 'and the help says why there may be fewer' out_has 'at most: where it begins a word, pieces'
octet fill --model model --count 0 'the [MASK]'
check 'no guesses are refused' refused X709 'count is 0'
cp -r model not_finite
printf '\000\000\300\177' | dd of=not_finite/model.safetensors bs=1 seek=$(($(wc -c <model/model.safetensors) - 4)) conv=notrunc 2>/dev/null
for how in '' --json; do
  octet fill --model not_finite 'the [MASK]' $how
  check "weights that are not finite fill nothing $how" refused X509 'nan, which is no finite number'
done
check "a model's directory has what Hugging Face's tokenizers read" grep -q '"type": "WordPiece"' model/tokenizer.json
check 'and how many tokens it takes' grep -q '"model_max_length": 16' model/tokenizer_config.json
rm -rf before && cp -r model before && rm before/tokenizer.json
octet fill --model before 'the [MASK] cat'
check 'a directory without them is read as before' status_is 0
octet fill --model nowhere 'the [MASK]'
check 'a directory that is not there is no model' refused 'X7(01|14)' nowhere
mkdir folder
octet fill --model folder 'the [MASK]'
check 'an empty directory is no model' refused X714 folder
octet fill --model folder 'the [MASK]' --json
check 'with --json the message is an object too' out_has '^\{"error":\{"number":"X714"'
octet fill --model text.txt 'the [MASK]'
check 'a file is no model' refused 'X7(01|14)' text.txt
for file in config.json model.safetensors vocab.txt; do
  rm -rf broken && cp -r before broken  # beside a tokenizer.json, vocab.txt does not count
  head -c 40 "model/$file" >"broken/$file"
  octet fill --model broken 'the [MASK]'
  check "a $file that is cut short is refused" refused 'X7(08|15)' ''
  : >"broken/$file"
  octet fill --model broken 'the [MASK]'
  check "an empty $file is refused" refused 'X7(08|15)' ''
  rm "broken/$file"
  octet fill --model broken 'the [MASK]'
  check "a model without $file is refused" refused 'X7(01|14)' "$file"
done

octet export --model model --format safetensors --out weights.safetensors
check 'weights are exported' test -s weights.safetensors
check 'under the names of BertForMaskedLM' grep -qa 'bert.embeddings.word_embeddings.weight' weights.safetensors
octet export --model model --format stablehlo --out bert.mlir --batch 2
check 'the program is exported' grep -q 'mhlo.num_replicas = 8' bert.mlir
check 'with the batch asked for' grep -qE 'tensor<2x16x[0-9]+xf32>' bert.mlir
octet export --model model --format stablehlo --program train-step --out step.mlir
check 'the training step is exported' grep -q '@train_step' step.mlir
check 'with its collectives' grep -q 'stablehlo.all_reduce' step.mlir
check 'and its state by name' grep -q 'state.first_moment.word.table' step.mlir
check 'which the state after it may be written over' grep -q 'tf.aliasing_output = 1 : i32' step.mlir
octet export --model model --format stablehlo --out bert.mlir --weights weights.safetensors
check 'the weights of a program are written beside it' grep -aq '"model.layers.0.attention.query.weight"' weights.safetensors
octet export --model model --format stablehlo --program train-step --out step.mlir --weights state.safetensors
check 'and the state of a step' grep -aq '"state.second_moment.head.norm.scale"' state.safetensors
for name in $(grep -ao '"state[a-z_.0-9]*"' state.safetensors); do grep -q "$name" step.mlir || echo "$name"; done >unknown
check 'under the names that the program has for them' test ! -s unknown
cp model/config.json config.bak
octet export --model model --format safetensors --out model/config.json
check "an export does not take the place of the model's own files" refused X709 'a file of the model that is read'
check 'which stand' cmp config.bak model/config.json
octet export --model model --format stablehlo --out more.mlir --seq 0
check 'no sequence is of no tokens' refused X709 '--seq'
octet export --model model --format stablehlo --out more.mlir --batch 100000000000
check 'a batch that no tensor could hold is refused with one that it could' refused X709 '^  fix: +choose [1-9][0-9]* or less$'
octet export --model model --format safetensors --out more.safetensors --seq 4
check 'an option that would do nothing is wrong usage' status_is 2
octet export --model model --format stablehlo --out many.mlir --replicas 16385
check 'more replicas than any slice has are refused' refused X709 'choose 16384 or less'
octet export --model model --format stablehlo --program train-step --out more.mlir --replicas 2
check 'of a training step, too' status_is 2
octet export --model model --format stablehlo --out half.mlir --weights nowhere/weights.safetensors
check 'program and weights are written both or not' refused X707 'make the directory first'
check 'and neither is there' absent half.mlir
ln -s behind.mlir link.mlir
octet export --model model --format stablehlo --out link.mlir
check 'what a link leads to is written' test -L link.mlir -a -s behind.mlir
ln -s there.mlir too.mlir
octet export --model model --format stablehlo --out too.mlir --weights there.mlir
check 'a file and a link to it are one place' refused X707 'two files would be written to there.mlir'
check 'where nothing is written' absent there.mlir
mkdir folder
octet export --model model --format stablehlo --out half.mlir --weights folder
check 'a directory is no file' refused X707 'cannot replace folder'
check 'and nothing else is written' absent half.mlir
mkdir model/generator
octet export --model model --format safetensors --out model/generator/model.safetensors
check 'nor does it take the place of those in a folder' refused X709 'a file of the model that is read'
rmdir model/generator
octet export --model model --format safetensors --out model/own.safetensors
octet export --model model --format safetensors --out model/own.safetensors
check 'a name that no model has may be written over' status_is 0
rm model/own.safetensors
octet export --model model --format stablehlo --out same --weights ./same
check 'a program and its weights in one file are refused' refused X709 'one file'
check 'and nothing is written' absent same
octet export --model model --format safetensors --out bert.safetensors --weights weights.safetensors
check 'weights without a program are refused' refused X709 'goes with a program'
octet train --text text.txt "${SMALL[@]}" --vocab-size 200 --steps 2 --shard-optimizer --out shards
octet export --model shards --format stablehlo --program train-step --out shards.mlir
check 'a step with the optimizer in shares is exported' grep -q 'moments.second.word.table' shards.mlir
octet export --model shards --format stablehlo --program train-step --out shards.mlir --weights state.safetensors
check 'its state, which is another on each replica, is not' refused X709 'shard-optimizer'
octet export --model model --format stablehlo --out long.mlir --seq 17
check 'more positions than the model has are refused' refused X709 'seq is 17'
octet export --model model --format stablehlo --out nowhere/bert.mlir
check 'a place that cannot be written is refused' refused X707 nowhere
octet export --model model --format stablehlo --out .
check 'a directory is no place for a file' refused X707 'cannot replace \.'
check 'and that is the cure' err_has 'fix: +give the name of a file'
if [ ${#PROGRAM[@]} = 1 ]; then  # pipes; and node hears of a signal when it waits for nothing
  "${PROGRAM[@]}" export --model model --format stablehlo --program train-step --out /dev/stdout 2>err | head -c 1 >out
  STATUS=${PIPESTATUS[0]}
  check 'a reader that has read enough is told of' refused X707 'let what reads it read to the end, or name a file'
  # Asked to end while it waits for who reads its weights, with its program written beside its place.
  mkfifo weights
  set -m
  "${PROGRAM[@]}" export --model model --format stablehlo --out asked.mlir --weights weights >out 2>err &
  child=$!
  for _ in $(seq 200); do [ -s asked.mlir.writing ] && break; sleep 0.05; done
  check 'what is written first lies beside its place' test -s asked.mlir.writing
  sleep 0.2
  kill -INT $child
  for _ in $(seq 100); do kill -0 $child 2>/dev/null || break; sleep 0.05; done
  kill -KILL $child 2>/dev/null  # where it did not end
  wait $child
  STATUS=$?
  set +m
  check 'an export that is asked to end does so' status_is 130
  check 'and leaves nothing' absent asked.mlir
  check 'beside its place either' absent asked.mlir.writing
fi
octet export --model model --format onnx --out bert.onnx
check 'a format that is none is wrong usage' status_is 2
finish
