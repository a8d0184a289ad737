# Training: what it prints and saves, going on, and being stopped.
source "$(dirname "$0")/check.sh"

made_up_text >text.txt
train() { octet train --text text.txt "${SMALL[@]}" "$@"; }

train --steps 12 --json
check 'training ends well' status_is 0
cp out whole
check 'there is a line for each step and a last one' same "$(wc -l <whole)" 13
check 'a step has its loss' out_has '^\{"step":1,"loss":[0-9.]+,"learning_rate":0\.0005,"tokens_per_second":'
check 'a step has the losses of eight replicas' out_has '"replica_losses":\[([0-9.]+,){7}[0-9.]+\]'
check 'one program was compiled for training and one for evaluating' same "$(json_value compiles whole)" 2
check 'the share of time that steps waited for their batches is told' out_has '"data_wait_share":0\.[0-9]+,'
check 'full sequences need no padding' same "$(json_value padding_share whole)" 0
check 'the loss is measured on held-out lines' out_has '"held_out_loss":[0-9.]+,"held_out_masked_tokens":[1-9]'
hash=$(json_value parameters_hash whole)
check 'with --json nothing is written on standard error' test ! -s err

train --steps 12 --json --threads 1
check 'the number of threads changes no bit' same "$(json_value parameters_hash out)" "$hash"
train --steps 12 --json --seed 8
check 'another seed makes another model' test "$(json_value parameters_hash out)" != "$hash"
train --steps 12
check 'without --json the results are told in words' out_has 'Held-out loss [0-9.]+ nats over [0-9,]+ masked tokens, after 12 steps'
check 'a short time is told in parts of a second' out_has ' tokens in ([1-9]\.[0-9]|[0-9]{2,}|0\.[0-9]{2}) s,'
check 'progress goes to standard error' err_has 'step 12/12 '
train --steps 1
check 'one step is no steps' out_has ', after 1 step\.'

# Batches in parts and batches that replicas cannot share; precision.
train --steps 4 --batch 16 --accumulate 2 --json
check 'a batch may be taken in parts' status_is 0
train --steps 4 --batch 16 --accumulate 3
check 'that are equal' refused X709 'accumulate|parts each'
train --steps 4 --batch 12
check 'a batch that replicas cannot share is refused' refused X709 'pad-batch'
train --steps 4 --batch 12 --pad-batch --json
check 'or filled up' status_is 0
train --steps 6 --parameters bf16 --learning-rate 1e-5 --precision-report
check 'weights in bf16 lose updates' out_has '^updates of weights that vanish in bf16: [1-9]'
check 'which is said' out_has '^X506: [0-9.]+ % of the updates of weights vanish'
check 'with its cure' out_has '^  fix: +keep the weights in f32, the master copy'
check 'as of the numbers within a step' out_has '^numbers within a step: .* fp16 '
train --steps 12 --precision-report --json
check 'to look at precision changes no bit' same "$(json_value parameters_hash out)" "$hash"
check 'and the report is in the last line' out_has '"precision_report":\{"steps":12,"weights":\{.*"vanished_share":0\.'
for policy in '--passes 3' '--passes 6' '--activations bf16' '--parameters bf16' '--precision f32'; do
  train --steps 4 $policy --json
  check "training with $policy ends well" status_is 0
done
train --steps 4 --passes 2
check 'two passes are refused' refused X709 'passes is 2'
train --steps 4 --passes 3 --precision f32
check 'as are passes of what is not rounded' refused X709 'nothing to pass again'
train --steps 4 --passes 3 --activations bf16 --out narrow
train --resume --out narrow --json
check 'a run is gone on with under its policy' status_is 0

# Dropout.
train --steps 8 --dropout 0.1 --json --out dropping
check 'activations may be dropped' status_is 0
dropped=$(json_value parameters_hash out)
check 'with one program for training and one for evaluating' same "$(json_value compiles out)" 2
check 'the rate is in config.json' grep -q '"hidden_dropout_prob": 0.1,' dropping/config.json
check 'and that of attention is the same' grep -q '"attention_probs_dropout_prob": 0.1,' dropping/config.json
train --steps 8 --dropout 0.1 --json --threads 1
check 'the number of threads has no part in what is dropped' same "$(json_value parameters_hash out)" "$dropped"
train --steps 8 --dropout 0.1 --attention-dropout 0 --json
check 'attention may have a rate of its own' test "$(json_value parameters_hash out)" != "$dropped"
train --steps 8 --dropout 0.1 --lose 3@5 --json
check 'nor has a replica that is lost' same "$(json_value parameters_hash out)" "$dropped"
octet train --text text.txt --dropout 0 --out dropping --resume
check 'a run goes on at its rate' refused X709 'begun with --dropout 0.1'
for rate in 1 -0.1 nan; do
  train --steps 4 --dropout "$rate"
  check "a rate of $rate is refused" refused X709 'dropout is'
  check 'once' same "$(grep -c X709: err)" 1
done
for kind in causal electra; do
  octet train --kind $kind --text text.txt "${SMALL[@]}" --vocab-size 300 --steps 2 --json
  kept=$(json_value parameters_hash out)
  octet train --kind $kind --text text.txt "${SMALL[@]}" --vocab-size 300 --steps 2 --dropout 0.1 --json
  check "--kind $kind trains with dropout" status_is 0
  check 'which drops' test "$(json_value parameters_hash out)" != "$kept"
done

# What is within a layer computed again on the way back.
train --steps 8 --dropout 0.1 --gradient-checkpointing --json
check 'gradient checkpointing changes no bit, nor what is dropped' same "$(json_value parameters_hash out)" "$dropped"
for kind in causal electra; do
  octet train --kind $kind --text text.txt "${SMALL[@]}" --vocab-size 300 --steps 2 --dropout 0.1 --json
  kept=$(json_value parameters_hash out)
  octet train --kind $kind --text text.txt "${SMALL[@]}" --vocab-size 300 --steps 2 --dropout 0.1 --gradient-checkpointing --json
  check "nor in --kind $kind" same "$(json_value parameters_hash out)" "$kept"
done

# The optimizer's state in shares, and replicas that are lost.
whole_bytes=$(json_value optimizer_bytes_per_replica whole)
train --steps 12 --shard-optimizer --json
check 'a sharded optimizer changes no bit' same "$(json_value parameters_hash out)" "$hash"
check 'and takes an eighth of the memory on each replica' awk "BEGIN { r = $whole_bytes / $(json_value optimizer_bytes_per_replica out); exit !(r > 7 && r <= 8) }"
train --steps 12 --shard-optimizer
check 'which is told' out_has "of the optimizer's state, its share"
train --steps 12 --lose 3@5 --lose 0@5 --lose 7@12 --json
check 'lost replicas are replaced, and no bit is another' same "$(json_value parameters_hash out)" "$hash"
check 'each is told' out_has '^\{"lost":"replica 3","in_step":5,"restored_from":"replica 1","steps_done_again":0\}'
check 'and no step is done again' same "$(json_value times_lost out)/$(json_value steps_done_again out)" 3/0
train --steps 12 --lose 3@5 --lose 3@5 --json
check 'one that is named twice is lost once' same "$(json_value parameters_hash out)/$(json_value times_lost out)" "$hash/1"
# back NAME HASH ARGUMENT...: a run that saves after every fifth step, and the hash that it is to end with.
back() {
  local name=$1 expected=$2
  shift 2
  train --steps 12 --save-every 5 --out "lost $name" --json "$@"
  check "$name lost: the run ends with the same bits" same "$(json_value parameters_hash out)" "$expected"
  check "$name lost: and tells from which step it went on" out_has '"restored_from":"step (0|5|10)"'
}
back 'all in the first step' "$hash" --lose all@1
back 'all in the last step' "$hash" --lose all@12
back 'all twice' "$hash" --lose all@8 --lose all@9
back 'all, named twice' "$hash" --lose all@8 --lose 2@8 --lose all@8
back 'a share' "$hash" --shard-optimizer --lose 2@9
back 'all in shares' "$hash" --shard-optimizer --lose all@3 --lose 5@7
train --steps 12 --batch 16 --accumulate 2 --json
in_parts=$(json_value parameters_hash out)
back 'all in parts' "$in_parts" --batch 16 --accumulate 2 --lose all@7
back 'a share in parts' "$in_parts" --batch 16 --accumulate 2 --shard-optimizer --lose 7@7
check 'the steps that are done again are counted' same "$(json_value steps_done_again out)" 1
train --steps 12 --lose 3@5
check 'a loss is told in words' err_has 'replica 3 lost in step 5: going on from the state of replica 0, no step is done again'
train --steps 12 --lose all@5
check 'where all is lost something must be saved' refused X709 '--out DIR'
train --steps 12 --shard-optimizer --lose 2@5
check 'as where nobody else has a share' refused X709 '--out DIR'
all_at_once=(0@5 1@5 2@5 3@5 4@5 5@5 6@5 7@5)
train --steps 12 --lose "${all_at_once[@]}"
check 'as where all are lost in one step, one by one' refused X709 '--lose 7@5 leaves no replica that holds all'
back 'each in the same step' "$hash" --lose "${all_at_once[@]}" --lose all@9
check 'the steps that all of them cost are counted once' same "$(json_value times_lost out)/$(json_value steps_done_again out)" 9/7
for wrong in 3 @5 3@ 8@5 -1@5 3@0 3@13 3@5x none@5 3@99999999999999999999; do
  train --steps 12 "--lose=$wrong"
  check "--lose $wrong is refused" refused X709 "lose $wrong"
  check 'before the text is read' eval '! err_has "reading the text"'
done
train --steps 12 --lose 3@5,0@5,7@12 --json
check 'losses may be listed with commas' same "$(json_value parameters_hash out)/$(json_value times_lost out)" "$hash/3"
train --steps 12 --lose 3@5,all@14 --out listed
check 'each of a list is judged' refused X709 '--lose all@14 names a step'
train --steps 12 --out shares --shard-optimizer --save-every 5
octet train --text text.txt --out shares --resume --lose 3@4
check 'steps that are done lose nothing' refused X709 'finished'
check 'which is told before the text is read, too' eval '! err_has "encoding the text"'
octet train --text text.txt --out shares --resume --no-shard-optimizer
check 'a run in shares goes on in shares' refused X709 'shard-optimizer yes'

awk '{ n = NR * 7 % 6 + 1; line = ""; for (i = 1; i <= n; ++i) line = line " " $i; print line }' text.txt >uneven.txt
octet train --text uneven.txt "${SMALL[@]}" --seq 48 --steps 60 --batch 8 --packing none --padding longest --vocab-size 60 --json
cp out uneven
check 'a run whose batches are of many lengths goes on' status_is 0
check 'and is told so, once' same "$(grep -c '^X302' err)" 1
check 'with the option that heals it' err_has 'fix: +--padding (lengths:[0-9,]+|multiple_of:64) in a new run: [0-9]+ programs?, '
cure=$(grep -oE -- '--padding [^ ]+' err | head -n 1)
octet train --text uneven.txt "${SMALL[@]}" --seq 48 --steps 60 --batch 8 --packing none $cure --vocab-size 60 --json
check 'which heals it' test "$(json_value compiles out)" -lt "$(json_value compiles uneven)"
check 'and is no cause for alarm' test -z "$(grep X302 err)"
octet train --text uneven.txt "${SMALL[@]}" --seq 48 --steps 20 --batch 8 --packing none --padding longest --vocab-size 60
check 'what compiling them would take for a TPU is told' out_has 'at 30 s each, these take [0-9]+:[0-9]+ min'
octet train --text uneven.txt "${SMALL[@]}" --steps 2 --padding doubling_then_linear:8,4
check 'lengths may double and then grow evenly' status_is 0
octet train --text uneven.txt "${SMALL[@]}" --steps 2 --padding doubling_then_linear:8
check 'with a bound and a step' status_is 2
octet train --text uneven.txt "${SMALL[@]}" --seq 48 --steps 20 --batch 8 --packing none --padding fitted:1 --vocab-size 60 --json
whole=$(json_value padding_share out)
octet train --text uneven.txt "${SMALL[@]}" --seq 48 --steps 20 --batch 8 --packing none --padding fitted:3 --vocab-size 60 --json --out fitted
check 'lengths are fitted to the text' test "$(json_value compiles out)" -le 3
check 'in multiples of 8, up to the longest there can be' test -z "$(grep '"padding_lengths"' fitted/training.json |
  grep -oE '[0-9]+' | awk '$1 % 8')"
check 'with less padding than one length has' test "$(json_value padding_share out)" '<' "$whole"
octet train --text uneven.txt --padding fitted:3 --out fitted --resume --json
check 'and belong to the run' status_is 0
octet train --text uneven.txt --padding fitted:2 --out fitted --resume --json
check 'which goes on with no others' refused X709 'fitted:3'
octet train --text uneven.txt "${SMALL[@]}" --steps 2 --padding fitted:0
check 'at least one' status_is 2

# A step that this machine cannot hold, and a loss beyond guessing.
train --steps 2 --batch 1000000000
check 'a batch that memory cannot hold is refused before it begins' refused X709 'batch is 1000000000, and a step of it takes'
check 'with the largest that it holds' err_has 'fix: +choose [0-9]+ or less$'
check 'and the parts to take it in' err_has 'accumulate [0-9]+, with'
train --steps 2 --learning-rate 0
check 'a run that learns nothing is refused' refused X709 'learning-rate is 0, and must be above 0'
train --steps 2 --learning-rate 1e-50
check 'also one whose rate is nothing in f32' refused X709 'learning-rate is 1e-50, and must be above 0 and finite, in f32 too'
train --steps 2 --learning-rate 1e50
check 'or is more than f32 holds' refused X709 'learning-rate is 1e.?50, and must be above 0 and finite, in f32 too'
train --steps 4 --warmup-steps 8
check 'a warm-up that is longer than the run is legal' status_is 0
check 'and warned of' err_has '^warning: --warmup-steps is 8, and the run has 4 steps: .* rises to 50 % of its peak and never'
train --steps 4 --warmup-steps 4
check 'as is one that is as long' err_has 'rises up to the last step and never falls. Choose --warmup-steps 0, or more'
train --steps 4 --warmup-steps 3
check 'a shorter one is not' eval '! err_has warning'
train --steps 12 --learning-rate 3 --clip-norm 0
check 'a run that diverges to finite numbers ends' status_is 0
check 'with one warning' same "$(grep -c 'guessing at random costs 4\.[0-9]*: the run diverges' err)" 1
train --steps 12
train --steps 12 --weight-decay 1e10 --seed 1
check 'weights that a decay takes apart diverge' refused X509 'the run diverged'
check 'for which the decay is lowered' err_has 'fix: +lower the weight decay, 1e.?10: .*0.01 is usual$'
check 'and nothing else that is usual' eval '! err_has "lower the learning rate|clip|peak more slowly"'
train --steps 12 --learning-rate 3 --clip-norm 1
check 'clipping is not advised to who clips' eval '! err_has clip-norm'
train --steps 12
check 'of a run that learns there is none' eval '! err_has "guessing at random"'

# What is known before any work is told before it.
while IFS='|' read -r wrong said; do
  train --steps 2 --out early $wrong
  check "$wrong is refused" refused X709 "^X709: --$said"
  check 'before the text is read' eval '! err_has "reading the text"'
done <<'END'
--layers 1000000000000|layers is 1000000000000, and must be at most 4096
--hidden 1000000000000|hidden is 1000000000000, and must be at most 16777216
--heads 1000000000000|heads is 1000000000000, and must be at most 16777216
--intermediate 1000000000000|intermediate is 1000000000000, and must be at most 16777216
--seq 1000000000000|seq .*is 1000000000000, and must be at most 16777216
--vocab-size 1000000000000|vocab-size is 1000000000000, and must be at most 16777216
--batch 1000000000000|batch is 1000000000000, and must be at most 2\^32
--mask-probability 0|mask-probability is 0, and must be above 0 and at most 1
--replaced-by-mask 1.5|replaced-by-mask is 1.5, and must be between 0 and 1
--replaced-by-random -1|replaced-by-random is -1, and must be between 0 and 1
--replaced-by-mask 0.9 --replaced-by-random 0.3|replaced-by-mask is 0.9 and --replaced-by-random 0.3, and together
--learning-rate inf|learning-rate is inf, and must be a finite number
END
train --steps 2 --out early --layers 4096 --hidden 1048576
check 'a model that memory cannot hold is refused' refused X709 'parameters, and to train it takes'
check 'before the text is read, too' eval '! err_has "reading the text"'
train --steps 2 --padding lengths:4,8
check 'lengths that hold no full sequence are refused' refused X301 'lengths:4,8 has no length for full sequences, of --seq 16'
check 'with the one to add' err_has 'fix: +add it: --padding lengths:4,8,16$'
check 'before the text is read as well' eval '! err_has "reading the text"'
ln -s elsewhere/there leads_nowhere
for option in --out --logging-dir; do
  train --steps 2 $option leads_nowhere
  check "$option is no link to nothing" refused X707 'leads_nowhere is a symbolic link to elsewhere/there, which is not there'
  check 'which is mended' err_has 'fix: +make what it points to: mkdir -p elsewhere/there$'
  check 'before any work' eval '! err_has "reading the text"'
done
mkdir -p elsewhere/there
train --steps 2 --out leads_nowhere
check 'so that the run is saved there' test -s elsewhere/there/model.safetensors
name=$(printf 'a%.0s' {1..300})
train --steps 2 --logging-dir "$name"
check 'a directory that cannot be made is no matter of space' refused X707 'cannot create the directory a'
check 'but of its name' err_has 'fix: +choose a shorter name'
check 'which is known at once' eval '! err_has "reading the text"'
train --steps 2 --out early --logging-dir text.txt
check 'a file for the curves is refused' refused X707 'text.txt is a file'
check 'as early' eval '! err_has "reading the text"'
train --steps 2 --out text.txt/early
check 'as is a place below a file for the run' refused X707 'text.txt is a file, and a run is a directory'
check 'which is refused as early' eval '! err_has "reading the text"'
check 'and no run is begun' absent early
if [ "$(id -u)" != 0 ]; then
  mkdir closed && chmod 500 closed
  train --steps 2 --out early --logging-dir closed/runs
  check 'curves that cannot be written are refused as early' refused X707 'cannot write to .*closed'
fi

# A run that diverges.
train --steps 12 --learning-rate 1e30 --save-every 1 --out diverged --json
check 'a run that diverges ends with a message' refused X509 'the run diverged'
check 'with its step' err_has 'step [1-9][0-9]* of 12'
check 'and what to do' err_has 'fix: +lower the learning rate, whose peak is 1e.?30: 0.001 is usual; .*: --from diverged --out DIR'
check 'by options' err_has 'or: +multiply in f32: --precision f32, to see'
check 'no loss is null' eval "! grep '^.\"step\"' out | grep -q null"
check 'and what was saved before stands' err_has 'diverged still holds the run as it was saved after step 0'
octet fill --model diverged 'the [MASK] cat'
check 'to be used' status_is 0
octet train --text text.txt --batch 16 --seq 16 --steps 1 --from diverged --out mended
check 'and to be trained further, with other options' status_is 0
train --steps 1 --learning-rate 1e30
check 'a run whose last step goes too far is no success' refused X509 'held-out loss after step 1'

train --steps 12 --save-every 5 --out model
check 'a run is saved' out_has 'Saved in model'
for file in config.json model.safetensors vocab.txt tokenizer.json tokenizer_config.json training.json; do
  check "$file is there" test -s "model/$file"
done
train --steps 12 --out model
check 'a new run does not take the place of another' refused X707 'holds a model already'
check 'and the ways out are named' err_has '--resume'
mkdir only_words && cp model/vocab.txt only_words/
train --steps 12 --out only_words
check 'words that lie there are told from a model' refused X707 'only_words holds words already'
check 'with how to train with them' err_has '--tokenizer only_words$'
cp -r model 'a model' && rm 'a model'/training.*
train --steps 1 --out 'a model'
check 'and a way out can be typed as it stands' err_has "into another directory: --from 'a model'$"
train --resume --out model --json
check 'a finished run that is gone on with is finished' status_is 0
check 'with the same bits' same "$(json_value parameters_hash out)" "$hash"
octet train --text text.txt --layers 3 --hidden 16 --out model --resume
check 'a run does not go on with other options' refused X709 'begun with --layers 1'
check 'options that are the same may be repeated' test -z "$(grep -e --hidden err)"
tail -n 350 text.txt >other.txt
octet train --text other.txt --out model --resume
check 'a run does not go on with another text' refused X711 ''
train --steps 1 --clip-norm 1e-50
check 'a norm that is nothing in f32 is refused: no weight would move' refused X709 'clip-norm is 1e-50'
train --steps 1 --epsilon 1e39
check 'and so is an epsilon that is infinite there' refused X709 'epsilon is 1e[+]?39'
train --steps 12 --out text.txt
check 'a file is no directory for a run' refused X707 'is a file'
octet train --text text.txt --out nothing --resume
check 'a run that never was cannot be gone on with' refused X714 nothing
check 'and is not begun' absent nothing

# The copies of a run that another one writes over.
train --steps 9 --save-every 2 --save-total-limit 3 --out copies
check 'the last copies are kept' same "$(ls -d copies/checkpoint-* | tr '\n' ' ')" 'copies/checkpoint-4 copies/checkpoint-6 copies/checkpoint-8 '
mkdir copies/checkpoint-old copies/checkpoint-02
train --steps 5 --save-every 2 --save-total-limit 1 --out copies --overwrite --learning-rate 1e30
check 'a run that diverges wrote over the other' refused X509 'copies still holds'
train --steps 5 --save-every 2 --save-total-limit 2 --out copies --overwrite
check 'a run that writes over another keeps its own copies alone' \
  same "$(ls -d copies/checkpoint-* | tr '\n' ' ')" 'copies/checkpoint-02 copies/checkpoint-2 copies/checkpoint-4 copies/checkpoint-old '
cp -r copies copies.before
train --steps 5 --out copies --overwrite --vocab-size 5
check 'a run that is refused' refused X709 'vocab-size is 5'
check 'takes none of them away' diff -r copies copies.before
rm copies/*.json copies/vocab.txt copies/*.safetensors
train --steps 5 --out copies
check 'nor is a new run mixed with copies of another' refused X707 'checkpoint-4 is there'
train --resume --out copies/checkpoint-2
check 'a copy can be gone on with' status_is 0

# What tells how a text is cut into pieces.
train --steps 4 --no-lowercase --out capitals
cp -r capitals capitals.before
rm capitals/tokenizer_config.json
octet fill --model capitals 'The [MASK] cat' --json
cp out filled
octet fill --model capitals.before 'The [MASK] cat' --json
check 'a model without tokenizer_config.json has its tokenizer' same "$(cat out)" "$(cat filled)"
rm capitals/tokenizer.json
octet train --text text.txt --out capitals --resume
check 'as has a run that goes on' status_is 0
check 'and it is saved as it was' diff -r capitals capitals.before
cp -r capitals foreign
echo '{}' >foreign/tokenizer.json
octet fill --model foreign 'The [MASK] cat'
check 'a tokenizer.json that is none is refused, with how to do without' refused X720 'take tokenizer.json away'
rm foreign/tokenizer.json
octet fill --model foreign 'The [MASK] cat' --json
check 'which is possible' same "$(cat out)" "$(cat filled)"
sed -i 's/"do_lower_case": false/"do_lower_case": true/' capitals/tokenizer_config.json
octet fill --model capitals 'The [MASK] cat'
check 'files that tell of two tokenizers are refused' refused X710 'means "do_lower_case": true, and capitals/tokenizer.json "lowercase": false'
rm capitals/tokenizer.json
octet train --text text.txt --out capitals --resume
check 'as is another tokenizer than the run began with' refused X710 'capitals/training.json "lowercase": false'

# stopped SIGNAL STATUS ARGUMENT...: stops a long run by a signal once it has done some steps, and `meanwhile` was called.
meanwhile() { :; }
stopped() {
  local signal=$1
  shift
  : >out
  "${PROGRAM[@]}" train --text text.txt "${SMALL[@]}" --json "$@" >out 2>err &
  local child=$! tries
  for tries in $(seq 600); do
    [ "$(wc -l <out)" -lt 3 ] || break
    sleep 0.1
  done
  meanwhile
  kill "-$signal" $child
  [ "$signal" != HUP ] || kill "-$signal" $child  # a closed terminal is told of twice
  wait $child
  STATUS=$?
}
set -m  # children get Ctrl-C only in process groups of their own
long=(--steps 4000 --save-every 0 --eval-every 0)
stopped INT "${long[@]}" --threads 1 --threads 2 --out stopped
check 'Ctrl-C ends with status 130' status_is 130
check 'after saying how to go on, with what else was asked for' err_has \
  'octet train --text text\.txt --out stopped --resume --threads 2 --eval-every 0 --save-every 0 --json$'
check 'the last line says so' out_has '^\{"stopped_by":"SIGINT"'
check 'the run is saved' test -s stopped/training.json
stopped TERM "${long[@]}" --resume --out stopped
check 'SIGTERM ends with status 143' status_is 143
check 'a run that goes on says where' err_has '^going on after step [0-9]+ of 4000'
check 'it went on where it stood' test "$(json_value resumed_at out)" -gt 0
stopped INT "${long[@]}"
check 'without --out nothing can be saved, and that is said' err_has 'Nothing was saved'
set +m

train --steps 40 --json
hash=$(json_value parameters_hash out)
set -m
stopped INT --steps 40 --save-every 7 --out again
set +m
train --resume --out again --json
check 'stopped and resumed, a run has the same bits' same "$(json_value parameters_hash out)" "$hash"
set -m
stopped HUP "${long[@]}" --lose 3@3999 --lose all@4000 --out hung_up
set +m
check 'a run whose terminal is closed is saved' test -s hung_up/training.json
check 'and ends with status 129' status_is 129
check 'what is still to be lost is told' err_has '--resume .*--lose 3@3999 --lose all@4000$'

# What somebody does to its directory meanwhile.
set -m
meanwhile() { mv replaced aside && ln -s aside replaced; }
stopped INT "${long[@]}" --out replaced
check 'a run is saved through a link that takes the place of its directory' test "$STATUS/$(readlink replaced)" = 130/aside
check 'where it lies now' test -s aside/training.json
rm -r replaced aside
meanwhile() { rm -r replaced && echo mine >replaced; }
stopped INT "${long[@]}" --out replaced
check 'a file that takes its place is told' refused X707 'cannot create the directory replaced'
check 'and stays' same "$(cat replaced)" mine
check 'and nothing is said to be saved there' eval '! err_has "still holds"'
rm replaced
meanwhile() { mv replaced aside && mkdir replaced && echo mine >replaced/notes.txt; }
stopped INT "${long[@]}" --out replaced
check "nor is another's directory written to" refused X707 'replaced is another directory now'
check 'which stays as it is' same "$(ls replaced)" notes.txt
rm -r replaced aside
meanwhile() { mv replaced aside && cp -r aside replaced; }
stopped INT --steps 4000 --eval-every 0 --save-every 100000 --out replaced
check 'but a copy of its own takes its place' test "$STATUS/$(grep -c '"step": 0,' replaced/training.json)" = 130/0
rm -r replaced aside
meanwhile() { rm -r replaced; }
stopped INT "${long[@]}" --out replaced
check 'one that is gone is made anew' test -s replaced/training.json
set +m
meanwhile() { :; }
sed -i 's/"learning_rate": [0-9.]*/"learning_rate": 0.5/' replaced/training.json
octet train --text text.txt --resume --out replaced
check 'a run with other options than it was saved with does not go on' refused X715 'training.json is not as it was written'

# A run that is refused leaves what stood there.
train --steps 2 --out kept
cp -r kept kept_before
octet train --kind causal --text text.txt --overwrite --out kept --batch 4000 --seq 16 --vocab-size 300
check 'data without a full batch is refused before a run is saved' refused X728 'full batch of 4000'
check 'and what was to be written over stands' diff -r kept kept_before
octet train --kind causal --text text.txt --out never --batch 4000 --seq 16 --vocab-size 300
check 'where nothing was, nothing is' test ! -e never
train --steps 3 --overwrite --out kept --save-every 0 --learning-rate 1e30 --clip-norm 0
check 'a run that is to be saved at its end alone' refused X509 'diverged'
check 'leaves what it was to be written over until then' diff -r kept kept_before
train --steps 3 --out made/for/it --save-every 0 --learning-rate 1e30 --clip-norm 0
check 'and no directory where there was none' test ! -e made
train --seq 60000 --layers 2
check 'sequences that no batch has room for are refused with a length that has' refused X709 '^  fix: +choose shorter sequences: --seq [1-9][0-9]*$'
train --seq 2000000
check 'as are those that nobody could count' refused X709 '^  fix: +choose shorter sequences: --seq [1-9][0-9]*$'
train --epsilon 1e-300
check 'what is zero in f32 is no epsilon' refused X709 '--epsilon is 1e-300'
train --steps 2 --batch 1 --pad-batch --json
check 'sequences of weight zero are padding' awk "BEGIN { exit !($(json_value padding_share out) > 0.8) }"
train --steps 2 --field body
check 'plain text has no fields' refused X735 '--field does nothing for text.txt'

# Who reads what is printed may be gone before it is.
"${PROGRAM[@]}" train --text text.txt "${SMALL[@]}" --steps 30 --save-every 0 --eval-every 0 --out unread 2>err | true
check 'a run whose reader is gone is saved' grep -q '"step": 30,' unread/training.json
check 'which is said' err_has '^Saved in unread'
check 'beside the fault' err_has '^X707: cannot write standard output: Broken pipe'
: >out
set -m
"${PROGRAM[@]}" train --text text.txt "${SMALL[@]}" "${long[@]}" --json --out teed 2>err |
  (cat >out; sleep 60) &
for tries in $(seq 600); do
  [ "$(wc -l <out)" -lt 3 ] || break
  sleep 0.1
done
kill -INT -- "-$!"
wait $!
set +m
check 'a run that is stopped together with its reader is saved where it stood' test "$(grep -oE '"step": [0-9]+' teed/training.json | cut -d' ' -f2)" -gt 2
octet train --text text.txt --resume --out unread --batch-per-replica 40
check 'a run does not go on with another batch for each replica' refused X709 'batch [0-9]+ on 8 replicas.*batch-per-replica 40'
train --steps 2 --save-every 0 --save-total-limit 2 --out nothing_kept
check 'copies cannot be kept of saves that are none' refused X735 'save-total-limit'
train --steps 2 --save-every 1
check 'nor can anything be saved nowhere' refused X735 'save-every does nothing without --out'

# What an ended writer left of a copy.
train --steps 8 --save-every 2 --save-total-limit 1 --out leftover
mkdir -p leftover/checkpoint-3/generator leftover/checkpoint-5
echo half >leftover/checkpoint-3/model.safetensors.next
echo half >leftover/checkpoint-3/generator/model.safetensors.next.writing
echo notes >leftover/checkpoint-5/notes.txt
cp -r leftover leftover.before
train --steps 8 --save-every 2 --save-total-limit 1 --out leftover --overwrite
check "another's directory is not taken for a copy" refused X707 'holds checkpoint-5, which is no copy of a run'
check 'and nothing is written' diff -r leftover leftover.before
rm leftover/checkpoint-5/notes.txt
echo notes >leftover/checkpoint-6/notes.txt
train --steps 8 --save-every 2 --save-total-limit 1 --out leftover --overwrite
check 'what is left of a copy goes with the next copies' absent leftover/checkpoint-3
check 'and so does its empty directory' absent leftover/checkpoint-5
# Killed between the save of a step and the copy of it.
cp -r leftover/checkpoint-6 due
rm -f due/notes.txt
train --steps 8 --save-every 2 --save-total-limit 2 --out due --resume
check 'a copy that was due is made by the run that goes on' test -f due/checkpoint-6/training.json
check 'which ends as the other' cmp due/model.safetensors leftover/model.safetensors
check 'a copy is the last one' same "$(ls -d leftover/checkpoint-*/config.json)" leftover/checkpoint-6/config.json
train --steps 10 --save-every 2 --save-total-limit 1 --out leftover --overwrite
check 'and what others have put into one stays when it goes' same "$(ls leftover/checkpoint-6)" notes.txt
train --steps 14 --save-every 2 --save-total-limit 1 --out leftover --resume
check 'they do not keep the run from going on' refused X709 'steps'
octet train --out leftover --text text.txt --resume --save-every 2 --save-total-limit 1
check 'nor from being asked to' status_is 0
rm -r leftover/checkpoint-6
mv leftover/checkpoint-8 kept
ln -s ../kept leftover/checkpoint-8
train --steps 8 --save-every 2 --save-total-limit 1 --out leftover --overwrite
check 'a link in the place of a copy goes, and what it leads to stays' test -f kept/training.json
rm -f leftover/checkpoint-8
mkdir -p apart/generator
echo own >apart/generator/model.safetensors
train --steps 2 --out apart
check "nor is another's generator written over" refused X707 'generator/model.safetensors is there'
check 'but stays' same "$(cat apart/generator/model.safetensors)" own
train --steps 1
check 'a run that saves nothing says so before' err_has 'Nothing will be saved: there is no --out.'
check 'and after' out_has '^Nothing was saved: there was no --out.'
# One that was decided on is a copy, though not all of it has its name yet.
for file in config.json training.json model.safetensors; do mv leftover/checkpoint-6/$file leftover/checkpoint-6/$file.next; done
printf 'config.json\ntraining.json\nmodel.safetensors\n' >leftover/checkpoint-6/files.next
train --steps 8 --save-every 2 --save-total-limit 2 --out leftover --resume
octet fill --model leftover/checkpoint-6 'The [MASK] cat' --json
check 'a copy that was decided on stays, and can be read' status_is 0

# After a loss of all, the sums are of the whole run.
train --steps 12 --save-every 4 --eval-every 0 --out lost --lose all@7 --json
hits=$(json_value cache_hits out)
train --steps 12 --eval-every 0 --json
check 'and tell of the steps before it, too' test "$hits" -gt "$(json_value cache_hits out)"

# Event files for TensorBoard.
train --steps 6 --eval-every 3 --save-every 2 --out logged --logging-dir runs/a --lose all@6 --json
curve() { grep -a -o "$1" runs/a/events.out.tfevents.* | wc -l; }
check 'there is a point for each step, and for those that are done again' same "$(curve train/loss)" 7
check 'and for each evaluation' same "$(curve eval/loss)" 2
check 'the file says what it is' grep -aq brain.Event:2 runs/a/events.out.tfevents.*
grep -o '"step":[0-9]*,"loss":[0-9.]*' out >told
train --resume --out logged --logging-dir runs/a --json
check 'a run that goes on has a file of its own' same "$(ls runs/a | wc -l)" 2
if command -v python3 >/dev/null; then
  python3 -B "$HERE/read_events.py" runs/a/events.out.tfevents.* >curves
  check 'another reader finds the records whole' same $? 0
  check 'and each step once' grep -q '"tag": "train/loss", "steps": \[1, 2, 3, 4, 5, 6\]' curves
  last=$(tail -1 told | sed 's/.*"loss"://')
  read_last=$(grep '"train/loss"' curves | grep -oE '[0-9.]+\]' | tail -1 | tr -d ']')
  check 'with its loss' awk "BEGIN { d = $last - $read_last; exit !(d < 1e-5 && d > -1e-5) }"
fi
train --steps 2 --logging-dir text.txt
check 'curves cannot be written into a file' refused X707 'text.txt'
(
  ulimit -f 4
  trap '' XFSZ
  octet train --text text.txt "${SMALL[@]}" --steps 40 --logging-dir runs/full --lose 2@36
  exit "$STATUS"
)
STATUS=$?
check 'a disk that is full does not end a run' status_is 0
check 'and is told' err_has 'goes on without its curves'

# A limit on the size of files stands for a full disk: writing fails in the middle of a file.
(
  ulimit -f 4
  trap '' XFSZ
  octet train --text text.txt "${SMALL[@]}" --steps 3 --out full --json
  exit "$STATUS"
)
STATUS=$?
check 'a disk that is full is an error' refused X707 full
check 'that leaves no half file behind' test -z "$(ls full 2>/dev/null | grep -E 'writing|training.json')"
cp -r model before
(
  ulimit -f 4
  trap '' XFSZ
  octet train --text text.txt "${SMALL[@]}" --steps 3 --out model --overwrite
  exit "$STATUS"
)
check 'what stood there before is still there' diff -r before model
finish
