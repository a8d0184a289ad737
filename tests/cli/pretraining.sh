# Training on what octet data makes: records, tokens, tables, lines of JSON; and a GPT-2 that goes on with a text.
source "$(dirname "$0")/check.sh"

made_up_text | awk '{ print } NR % 8 == 0 { print "" }' >novel.txt
made_up_text | awk 'BEGIN { print "id,body" } { print NR ",\"" $0 "\"" }' >table.csv
made_up_text | awk '{ print "{\"id\":" NR ",\"body\":\"" $0 "\"}" }' >lines.jsonl
made_up_text >plain.txt
train() { octet train "${SMALL[@]}" --json "$@"; }

train --text plain.txt --steps 6
plain=$(json_value parameters_hash out)
train --text table.csv --field body --steps 6
check 'a column of a table is trained on as the same text is' same "$(json_value parameters_hash out)" "$plain"
train --text lines.jsonl --field body --steps 6
check 'and a field of JSON lines' same "$(json_value parameters_hash out)" "$plain"
train --text lines.jsonl --steps 6
check 'a field that is not there is refused' refused X725 'text'

octet tokenizer train --text novel.txt --kind wordpiece --vocab-size 120 --min-frequency 1 --out words
octet data bert --text novel.txt --model words --out examples --max-seq-length 32 --max-predictions-per-seq 5 --dupe-factor 2 --lines-per-shard 200
octet data bert --text novel.txt --model words --out tokens --on-the-fly
STREAMED=(--layers 1 --hidden 16 --heads 2 --intermediate 32 --batch 8 --warmup-steps 2 --seed 7 --window 64 --padding multiple_of:8
  --held-out-one-in 10 --json)

octet train --records 'examples/*.tfrecord' --tokenizer words "${STREAMED[@]}" --steps 12
check 'records are trained on, named by a pattern' status_is 0
cp out whole
hash=$(json_value parameters_hash whole)
octet train --records 'examples/*.tfrecord' --tokenizer words "${STREAMED[@]}" --steps 12 --out streamed --lose all@1 --lose all@3
check 'records are gone on with from before the first batch, to the same bits' same "$(json_value parameters_hash out)" "$hash"
cp whole out
check 'next sentences are learned where they are pairs' out_has '"next_sentence_loss":[0-9.]+,"next_sentence_accuracy":[0-9.]+,"held_out_pairs":[1-9][0-9]*,"true_next_share":0\.'
check 'how long steps waited for data is told' out_has '"data_wait_share":0[.0-9e-]*,'
check 'a step has both losses' out_has '^\{"step":1,.*"next_sentence_loss":0\.[0-9]+'
octet train --records examples/*.tfrecord --tokenizer words "${STREAMED[@]}" --steps 12 --loaders 3 --threads 1
check 'threads that make batches ahead change no bit' same "$(json_value parameters_hash out)" "$hash"
octet train --records examples/*.tfrecord --tokenizer words "${STREAMED[@]}" --steps 12 --loaders 0
check 'nor does their absence' same "$(json_value parameters_hash out)" "$hash"
octet train --records examples/*.tfrecord --tokenizer words "${STREAMED[@]}" --steps 12 --loaders 100000
check 'too many of them are refused by their own name' err_has '^X709: --loaders is 100000, and must be between 0 and 256'
octet train --records examples/*.tfrecord --tokenizer words "${STREAMED[@]}" --epochs 2
check 'passes over the data may be counted instead of steps' out_has '"steps":[1-9]'
octet train --records examples/*.tfrecord --tokenizer words "${STREAMED[@]}" --steps 12 --no-next-sentence
check 'next sentences may be left out' test -z "$(grep next_sentence out)"

# stopped_and_resumed WHAT ARGUMENT...: a run stopped by a signal and gone on with ends with the bits of `hash`.
stopped_and_resumed() {
  local what=$1
  shift
  rm -rf model
  : >out
  "${PROGRAM[@]}" train "$@" "${STREAMED[@]}" --steps "$STEPS" --out model >out 2>err &
  local child=$!
  for _ in $(seq 600); do
    [ "$(wc -l <out)" -lt 3 ] || break
    sleep 0.05
  done
  kill -TERM $child
  wait $child
  octet train "$@" --out model --resume --json
  check "$what that is stopped and gone on with ends with the same bits" same "$(json_value parameters_hash out)" "$hash"
}
octet train --records examples/*.tfrecord --tokenizer words "${STREAMED[@]}" --batch 12 --pad-batch --steps 4
check 'a batch of records that replicas cannot share is filled up' status_is 0
octet train --records examples/*.tfrecord --tokenizer words "${STREAMED[@]}" --batch 16 --accumulate 2 --activations bf16 --steps 4 --precision-report
check 'both losses are learned in parts, under a policy, and bf16 is reported on' out_has '"precision_report":'
share=$(json_value true_next_share out)
octet train --records examples/*.tfrecord --tokenizer words "${STREAMED[@]:0:20}" --steps 2
follows=$(awk "BEGIN { print $share < 0.5 ? \"does not follow\" : \"follows\" }")
check 'beside what is judged right stands what one answer to all would get' \
  out_has "judged right, loss [0-9.]+; to say of each that it $follows would get [5-9][0-9]\.[0-9] %\.\$"
octet train --tokens tokens/documents.tokens --tokenizer words "${STREAMED[@]}" --steps 2 --seq 32 --max-predictions-per-seq 2
check 'fewer guesses than the masks have are warned of' \
  err_has '^warning: --max-predictions-per-seq is 2, which masks 6.2 % of 32 tokens, and --mask-probability asks for 15.0 %: choose 5'
STEPS=120
octet train --tokens tokens/documents.tokens --tokenizer words "${STREAMED[@]}" --steps $STEPS --seq 32
hash=$(json_value parameters_hash out)
check 'tokens are trained on, masked anew each epoch' status_is 0
stopped_and_resumed 'a run on tokens' --tokens tokens/documents.tokens --tokenizer words --seq 32
check 'the model is a BertForPreTraining' grep -q BertForPreTraining model/config.json
octet fill --model model 'the old [MASK] sees a cat'
check 'and fills blanks' status_is 0

octet train --records examples/*.tfrecord --tokenizer words --seq 16 --steps 2
check 'sequences shorter than the records are refused' refused X709 'up to 32 tokens'
octet train --records examples/*.tfrecord --steps 2
check 'ids without their vocabulary are refused' refused X709 '--tokenizer DIR'
octet train --records examples/*.tfrecord --tokenizer words --vocab-size 50 --whole-word-mask --steps 2
check 'options that would do nothing are refused' refused X735 '--vocab-size does nothing for records'
check 'all of them at once' err_has '--whole-word-mask does nothing'
octet train --records examples/*.tfrecord --tokenizer words --padding fitted:4 --steps 2
check 'lengths are not fitted to data that is read as it is needed' refused X735 'fitted:4 does nothing for records'
octet train --text plain.txt --next-sentence --steps 2
check 'lines of a text make no pairs' refused X735 '--next-sentence does nothing'
check 'with the way to train on pairs' err_has 'data bert --text plain.txt --model WORDS --out DATA --on-the-fly'
octet train --text novel.txt --tokenizer words --next-sentence --steps 2
check 'and of words that are there' refused X735 'does nothing for lines'
fix=$(grep -oE 'octet data bert .*' err | head -n 1)
octet $(sed 's/^octet //; s/, then.*//' <<<"$fix")
check 'what makes tokens with those words does' status_is 0
octet $(sed 's/.*then octet //' <<<"$fix") "${SMALL[@]:0:8}" --seq 32 --batch 8 --steps 2
check 'on which a run is trained' status_is 0
octet train --text novel.txt --tokenizer words --window 3 --epochs 2 --loaders 2 --steps 2
check 'options that do nothing for lines are refused' refused X735 '--window does nothing for lines'
check 'of each its own reason is told' err_has 'an epoch shuffles all of them'
check 'none is about pairs' eval '! err_has pairs'
check 'and the number of steps is asked for' err_has 'say how many updates: --steps N'
octet train --text novel.txt --no-header --steps 2
check 'a flag that was taken back is named as it was written' refused X735 '^X735: --no-header does nothing'
octet explain X735
for option in --generator-size --save-total-limit --save-every --predictions --window; do
  check "the page of the number knows $option" out_has "$option"
done
octet train --steps 2
check 'something must be trained on' err_has '--records, --tokens or --text is required'
head -c 1000 examples/examples-00000-of-00002.tfrecord >cut.tfrecord
octet train --records cut.tfrecord --tokenizer words --steps 2
check 'a record that is cut short is refused' refused X722 'cut.tfrecord'
octet tokenizer train --text novel.txt --kind wordpiece --vocab-size 60 --out few
octet train --records examples/*.tfrecord --tokenizer few --steps 2
check 'another vocabulary is refused' refused X736 'vocabulary has'
octet train --tokens tokens/documents.tokens --tokenizer few --steps 2
check 'of tokens, too' refused X736 'vocabulary has'

cp -r tokens altered
printf '\006' | dd of=altered/documents.tokens bs=1 conv=notrunc 2>/dev/null
octet train --tokens altered/documents.tokens --tokenizer words "${STREAMED[@]}" --steps 2
check 'tokens that were altered are not trained on' refused X726 'do not have the checksum'

# while_trained_on FILE COMMAND...: runs the command once a run on a copy of the tokens has begun.
while_trained_on() {
  local file=$1
  shift
  cp tokens/documents.tokens "$file"
  : >out
  "${PROGRAM[@]}" train --tokens "$file" --tokenizer words "${STREAMED[@]}" --seq 32 --steps 1000000 --out changed --overwrite >out 2>err &
  local child=$!
  for _ in $(seq 600); do
    [ "$(wc -l <out)" -lt 3 ] || break
    sleep 0.05
  done
  "$@"
  STATUS=0
  wait $child || STATUS=$?
}
while_trained_on cut.tokens truncate -s 1000 cut.tokens
check 'tokens that are cut short while they are trained on end the run with a message' refused X726 'cut.tokens was cut short while it was read'
# Every id becomes another one of the vocabulary; the counts at the end stay.
size=$(($(wc -c <tokens/documents.tokens) - 48))
{ tr '\007\010\011' '\010\011\007' <tokens/documents.tokens | head -c $size; tail -c 48 tokens/documents.tokens; } >others
while_trained_on altered.tokens eval 'cat others >altered.tokens'
check 'and those that others are written over' refused X726 'altered.tokens was altered'

# A pass over tokens has now so many examples, now some more: of 32 tokens about as many as NEAR says.
NEAR=(--tokens tokens/documents.tokens --tokenizer words --layers 1 --hidden 16 --heads 2 --intermediate 32 --seq 32 --warmup-steps 2 --seed 7 --held-out-one-in 10)
octet train "${NEAR[@]}" --batch 2000 --steps 4 --out never
check 'a batch that no pass over tokens fills is refused before the first step' refused X728 'full batch of 2000 examples; the largest of 101 has'
check 'and nothing is made' absent never
most=$(grep -oE 'the largest of 101 has [0-9]+' err | grep -oE '[0-9]+$')
batch=$((most / 8 * 8))
octet train "${NEAR[@]}" --batch $batch --steps 4 --json
check 'one that few passes fill is trained on' status_is 0
hash=$(json_value parameters_hash out)
octet train "${NEAR[@]}" --batch $batch --steps 4 --json --out seldom --lose all@2 --lose all@4 --save-every 1
check 'and gone on with to the same bits' same "$(json_value parameters_hash out)" "$hash"
octet train "${NEAR[@]}" --batch 64 --window 7 --steps 4
check 'where windows are too small the cure is named' refused X728 'fix: +make the windows larger: --window 128'

# Records say how long they may be, and are that long, or not.
octet train --records 'examples/*.tfrecord' --tokenizer words "${STREAMED[@]}" --padding lengths:12,28 --steps 12
check 'lengths that do not hold each record are refused before the first step' refused X301 'no length to pad to holds an example of'
check 'which none is made of' eval '! out_has step'
check 'with what to add' err_has 'fix: +add 32 to the list of lengths'
octet data bert --text novel.txt --model words --out short --max-seq-length 32 --max-predictions-per-seq 5 --documents lines --no-next-sentence
octet train --records 'short/*.tfrecord' --tokenizer words "${STREAMED[@]}" --padding lengths:12,28 --steps 2
check 'those that do are taken, shorter than the records might be' status_is 0

# Records are read more than once.
STATUS=0
"${PROGRAM[@]}" train --records <(cat examples/examples-00000-of-00002.tfrecord) --tokenizer words --steps 2 >out 2>err || STATUS=$?
check 'records from a pipe are refused for what they are' refused X701 'more than once'
check 'with what to do' err_has 'fix: +name the file itself'

CAUSAL=(--kind causal --layers 1 --hidden 16 --heads 2 --intermediate 32 --batch-per-replica 1 --warmup-steps 2 --seed 7 --json)
octet train "${CAUSAL[@]}" --text novel.txt --vocab-size 300 --context-length 32 --steps 30 --save-steps 10 --save-total-limit 1 --out gpt
check 'a GPT-2 is trained on a text' status_is 0
check 'the last save on the way is kept' same "$(ls gpt | grep checkpoint)" checkpoint-20
for file in config.json model.safetensors vocab.json merges.txt tokenizer.json tokenizer_config.json training.json; do
  check "$file is there" test -s "gpt/$file"
done
check 'as transformers knows it' grep -q GPT2LMHeadModel gpt/config.json
octet train "${CAUSAL[@]}" --text novel.txt --vocab-size 300 --context-length 32 --steps 4 --parameters bf16 --passes 3 --precision-report
check 'under a policy, too, with a report on bf16' out_has '"precision_report":'
octet train --kind causal --text novel.txt --vocab-size 300 --context-length 32 --batch-per-replica 100000000 --steps 2
check 'not with a batch that memory cannot hold' refused X709 'batch is 800000000, and a step of it takes'
octet train --records examples/*.tfrecord --tokenizer words --batch 1000000000 --steps 2
check 'nor a BERT on records' refused X709 'batch is 1000000000, and a step of it takes'
octet continue --model gpt 'the old' --tokens 8 --seed 1
cp out first
octet continue --model gpt 'the old' --tokens 8 --seed 1
check 'it goes on with a text, the same for a seed' cmp -s out first
check 'from its beginning' out_has '^the old'
for i in $(seq 200); do printf 'a\033\033\033\033\033\033\n'; done >escapes.txt
octet train "${CAUSAL[@]}" --text escapes.txt --vocab-size 257 --context-length 8 --learning-rate 0.01 --steps 60 --out escaping
octet continue --model escaping 'a' --tokens 4 --temperature 0
check 'control characters that it adds are shown as what they are' out_has '^a\\x1B\\x1B'
check 'and do not reach the terminal' same "$(tr -d '\n[:print:]' <out | wc -c)" 0
octet continue --model escaping 'a' --tokens 4 --temperature 0 --json
check 'JSON has them' out_has '"continuation":"\\u001[bB]'
octet export --model gpt --format safetensors --out gpt.safetensors
check 'its weights are exported' grep -aq 'h.0.attn.c_attn.weight' gpt.safetensors
octet export --model gpt --format stablehlo --program train-step --out gpt.mlir --weights state.safetensors
check 'its training step is exported' grep -q 'stablehlo.all_reduce' gpt.mlir
check 'with its state' grep -aq '"state.model.layers.0.intermediate_norm.scale"' state.safetensors
octet check --slice v3-8 --program gpt.mlir --batch-argument batch --json
check 'and is ready for a TPU' same "$(json_value ready out)/$STATUS" true/0
if [ -w /dev/full ] && [ ${#PROGRAM[@]} = 1 ]; then
  ln -s /dev/full full
  octet export --model gpt --format safetensors --out full
  check 'a full device is told' refused X707 'cannot write full: No space left'
  check 'and stays a device' test -c full
  mkfifo pipe
  timeout 20 cat pipe >piped &
  octet export --model gpt --format safetensors --out pipe
  wait
  check 'a pipe is written to' cmp gpt.safetensors piped
fi
octet export --model gpt --format stablehlo --out gpt.mlir --batch 2
check 'and its program' grep -q 'mhlo.num_replicas = 8' gpt.mlir
octet fill --model gpt 'a [MASK]'
check 'but fills no blanks' refused X737 'octet continue'
for option in --tokens=0 --top-k=-1 --temperature=-1; do
  octet continue --model gpt 'the old' "$option"
  check "${option%=*} out of range is called as it was given" refused X709 "^X709: ${option%=*} is ${option#*=}"
done
if [ ${#PROGRAM[@]} = 1 ]; then  # node makes UTF-8 of its arguments
  octet continue --model gpt $'caf\xe9'
  check 'a text that is not UTF-8 is refused' refused X704 'byte 4'
fi
octet continue --model model 'a'
check 'and a BERT goes on with none' refused X737 'octet fill'
octet tokenizer train --text novel.txt --kind bpe --vocab-size 300 --out pairs
octet data causal --text novel.txt --model pairs --out blocks --context-length 32
octet train "${CAUSAL[@]}" --tokens blocks/*.tokens --tokenizer pairs --seq 32 --epochs 2
check 'tokens of octet data are trained on' out_has '"held_out_tokens":[1-9]'
hash=$(json_value parameters_hash out)
octet train "${CAUSAL[@]}" --text novel.txt --tokenizer pairs --context-length 32 --epochs 2
check 'and so is the text with the same words' same "$(json_value parameters_hash out)" "$hash"
octet train "${CAUSAL[@]}" --text novel.txt --tokenizer pairs --vocab-size 300 --steps 1
check 'a number of words and a tokenizer are not both named' refused X735 'vocab-size does nothing beside --tokenizer'
octet tokenizer train --text novel.txt --kind bpe --vocab-size 300 --special-tokens '<s>' --out endless
octet train "${CAUSAL[@]}" --text novel.txt --tokenizer endless --steps 1
check 'where nothing can part documents, what trains such a tokenizer is named' refused X709 'endless has no <.endoftext.>'
octet train "${CAUSAL[@]}" --text novel.txt --vocab-size 300 --context-length 4 --steps 1
check 'an option out of range is called as it was given' refused X709 '--seq .--context-length. is 4,'
check 'a small vocabulary has its own end of a text' grep -qE '"eos_token_id": [0-9]{1,2},' gpt/config.json
check 'and names it' grep -q '"eos_token": "<|endoftext|>"' gpt/tokenizer_config.json
cp -r gpt not_finite
printf '\000\000\300\177' | dd of=not_finite/model.safetensors bs=1 seek=$(($(wc -c <gpt/model.safetensors) - 4)) conv=notrunc 2>/dev/null
octet continue --model not_finite 'the old'
check 'a GPT-2 whose weights are not finite goes on with nothing' refused X509 'nan, which is no finite number'
octet train "${CAUSAL[@]}" --records examples/*.tfrecord --tokenizer pairs
check 'masked records are not for a GPT-2' refused X709 'octet data causal'

ELECTRA=(--kind electra --layers 1 --hidden 16 --heads 2 --intermediate 32 --batch 16 --warmup-steps 2 --seed 7 --json)
octet train "${ELECTRA[@]}" --text plain.txt --vocab-size 120 --seq 16 --steps 2
hash=$(json_value parameters_hash out)
octet train "${ELECTRA[@]}" --text plain.txt --vocab-size 120 --seq 16 --steps 2 --replaced-by-mask 0.85
check 'a share of masks that is given leaves the other at none' same "$(json_value parameters_hash out)" "$hash"
octet train "${ELECTRA[@]}" --text plain.txt --vocab-size 120 --seq 16 --steps 12 --save-every 4 --out electra --logging-dir curves
check 'an ELECTRA is trained on a text' status_is 0
check 'a step has both losses' out_has '^\{"step":1,.*"discriminator_loss":[0-9.]+'
check 'how it judges what is held out is told' out_has '"discriminator_accuracy":[0-9.]+,"discriminator_precision":([0-9.]+|null),"discriminator_recall":[0-9.]+,"replaced_share":0\.[0-9]+,"judged_tokens":[1-9]'
check 'curves, too' grep -aq 'eval/discriminator_recall' curves/*
hash=$(json_value parameters_hash out)
check 'as transformers knows the discriminator' grep -q ElectraForPreTraining electra/config.json
check 'and the generator' grep -q ElectraForMaskedLM electra/generator/config.json
flops() {
  octet estimate --slice v3-8 --batch 64 --seq 16 --json "$@"
  json_value model_flops out
}
octet train "${ELECTRA[@]}" --text plain.txt --vocab-size 120 --seq 16 --steps 1 --generator-size 0.5 --out wider
check 'its own generator is estimated' test "$(flops --model wider)" -eq "$(flops --config wider/config.json --generator-size 0.5)"
check 'and not a usual one' test "$(flops --model wider)" -gt "$(flops --config wider/config.json)"
check 'it keeps its share of another width' test "$(flops --model wider --hidden 32)" -eq "$(flops --config wider/config.json --hidden 32 --generator-size 0.5)"
octet estimate --slice v3-8 --batch 64 --model bert-tiny --generator-size 0.5
check 'a BERT has none' refused X735 'generator-size'
octet train --kind electra --text plain.txt --out electra --resume --lose 3@9 --json
check 'a finished one has nothing left to lose' refused X709 '3@9 names a step'
octet train "${ELECTRA[@]}" --text plain.txt --vocab-size 120 --seq 16 --steps 12 --save-every 4 --out again --lose 3@5 --lose all@11
check 'one that loses replicas ends with the same bits' same "$(json_value parameters_hash out)" "$hash"
octet train --text plain.txt --out electra --resume
check 'it is not gone on with as a BERT' refused X737 'octet detect'
check 'and said how it is' err_has 'fix: +add --kind electra'
octet detect --model electra 'the quick cat' 'a' --json
check 'it judges each token of a sentence' out_has '"token":"[^"]+","id":[0-9]+,"offsets":\[[0-9]+,[0-9]+\],"probability":0\.[0-9]+'
octet detect --model electra 'the quick cat'
check 'and shows it' out_has '^  [a-z#]+ +[0-9.]+ %'
cp -r electra not_finite_electra
printf '\000\000\300\177' | dd of=not_finite_electra/model.safetensors bs=1 \
  seek=$(($(wc -c <electra/model.safetensors) - 4)) conv=notrunc 2>/dev/null
octet detect --model not_finite_electra 'the quick cat'
check 'one whose weights are not finite judges nothing' refused X509 'nan, which is no finite number'
octet detect --model gpt 'a'
check 'a GPT-2 judges nothing' refused X737 'octet continue'
octet fill --model electra 'the [MASK] cat'
check 'its generator fills blanks' status_is 0
octet fill --model electra/generator 'the [MASK] cat'
check 'by itself, too' status_is 0
cp -r electra roberta && sed -i 's/"electra"/"roberta"/' roberta/config.json
octet fill --model roberta 'the [MASK] cat'
check 'but not where the model itself is another' refused X714 'roberta'
cp -r electra unsaved && rm unsaved/training.json
octet train --kind electra --text plain.txt --out unsaved --resume
check 'a model without its run says what it is for' refused X714 'octet detect'
octet train --text plain.txt --vocab-size 120 --seq 16 --layers 1 --hidden 16 --heads 2 --batch 8 --steps 2 --out unsaved --overwrite
check 'a BERT takes its place' status_is 0
check 'and leaves no generator' test ! -e unsaved/generator
octet export --model electra --format safetensors --out electra.safetensors
check 'its weights are exported' grep -aq 'discriminator_predictions.dense_prediction.weight' electra.safetensors
octet export --model electra/generator --format safetensors --out generator.safetensors
check "and its generator's" grep -aq 'generator_predictions.dense.weight' generator.safetensors
octet export --model electra --format stablehlo --program train-step --out electra.mlir
check 'and its training step' grep -q 'mhlo.num_replicas = 8' electra.mlir
octet train "${ELECTRA[@]}" --records examples/*.tfrecord --tokenizer words --steps 4
check 'records of pairs are judged token by token' test -z "$(grep next_sentence out)" -a "$STATUS" = 0
octet train "${ELECTRA[@]}" --tokens tokens/documents.tokens --tokenizer words --seq 32 --steps 4 --accumulate 2
check 'tokens, too, in parts' status_is 0
octet train "${ELECTRA[@]}" --tokens tokens/documents.tokens --tokenizer words --seq 32 --steps 2 --replaced-by-random 0.2 --out masked
check 'masked as asked' grep -q '"replaced_by_random": 0.2' masked/training.json
octet train "${ELECTRA[@]}" --records examples/*.tfrecord --tokenizer words --steps 4 --next-sentence
check 'it is asked about no pairs' refused X735 '--next-sentence does nothing for --kind electra'
octet train --text plain.txt --generator-size 0.5 --steps 2
check 'a BERT has no generator' refused X735 '--generator-size does nothing for --kind masked'
check 'and the kind that has one is named' err_has 'fix: +train one: --kind electra'
octet train "${ELECTRA[@]}" --text plain.txt --generator-size 2 --discriminator-weight -1 --steps 2
check 'sizes and weights out of range are named' refused X709 'generator-size is 2'
# With activations in bf16, computing layers again has bits of its own.
for kind in masked electra causal; do
  again=(train --kind $kind --text plain.txt "${SMALL[@]}" --vocab-size 300 --steps 6 --gradient-checkpointing --activations bf16 --json)
  octet "${again[@]}"
  hash=$(json_value parameters_hash out)
  octet "${again[@]}" --out "again-$kind" --save-every 2 --lose all@4
  check "a run of --kind $kind that goes on computes its layers again, too" same "$(json_value parameters_hash out)" "$hash"
done
finish
