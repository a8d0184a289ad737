# octet check and memory: what fits a replica, how many examples, and what frees memory, best first.
source "$(dirname "$0")/check.sh"

octet check --model bert-large --slice v2-8 --batch 2048 --seq 512 --json
check 'what does not fit is refused' judged memory fail X501
check 'with the largest batch that does' err_has 'take at most [0-9]+ examples? a replica'
most=$(json_value largest_batch_per_replica out)
octet check --model bert-large --slice v2-8 --batch $((8 * most)) --seq 512 --gradient-checkpointing --json
check 'and that one fits' test "$(verdict memory)" != fail
octet check --model bert-base --slice v3-8 --batch 8896 --seq 128
most=$(grep -oE 'nothing recomputed: [0-9]+' out | grep -oE '[0-9]+')
check 'where parts do not help, a cure takes the most that fits' out_has "or: +take at most $most examples a replica$"
LARGE=(--model bert-large --slice v3-8 --seq 512)
octet check "${LARGE[@]}" --batch 792
check 'what XLA alone was never seen to fit is refused' out_has 'X501.*recomputing would make it fit, and XLA alone was not seen'
check 'with the option that asks for it first' out_has 'cure:   ask for recomputing in the program .--gradient-checkpointing'
octet check "${LARGE[@]}" --batch 792 --gradient-checkpointing --json
check 'and with that it fits' test "$(verdict memory)" != fail
octet check --model gpt2-large --slice v3-8 --batch 24 --seq 1024
check 'no more examples than there are, and no single part, are proposed' \
  eval 'out_has "it fits if activations are dropped" && ! out_has "take at most|1 equal part"'
octet check "${LARGE[@]}" --batch 1016
check 'a prime number of examples is not cut into single ones' eval '! out_has "127 equal parts"'

# Both limits of a batch, whatever was asked about.
octet check --model bert-base --slice v3-8 --batch 64 --seq 128
check 'the largest batch is told with nothing recomputed' out_has 'most that fits with nothing recomputed: [0-9,]+ examples a replica'
check 'and with' out_has 'computed again, which adds [0-9.]+ m?s to a step of [0-9.]+ m?s: [0-9,]+ examples a replica'
check 'and that random bits are taken to be made again' out_has 'random bits are taken to follow from a counter or a key'
limits=$(grep -E 'nothing recomputed|dropped and computed' out)
octet check --model bert-base --slice v3-8 --batch 6400 --seq 128
check 'the same for another batch' same "$(grep -E 'nothing recomputed|dropped and computed' out | grep -v 'A replica needs')" "$limits"

# What frees memory, best first: what suffices, and what does not, told so.
octet check --model gpt2-xl --slice v3-8 --batch 8 --seq 1024
check 'a sharded optimizer is proposed where it makes a step fit' out_has 'cure: +shard the optimizer.s state over the replicas \(--shard-optimizer\): [0-9.]+ GB, which fits'
check 'with what the state is now' out_has 'of the arguments, the optimizer.s state is 12\.5 GB, all of it on each replica'
check 'before chips to rent, by name' out_has 'or: +rent v6e-8, where a program may use 33\.6 GB'
check 'and after those what is still too much' out_has 'or: +store activations in bf16: [0-9.]+ GB, still too much$'
check 'in the message as in the report' same "$(grep -oE '(fix|or): .*' err | sed -E 's/^[a-z]+: +//')" "$(grep -A40 "fits into a replica" out | sed '/^$/,$d' | grep -oE '(cure|or): .*' | sed -E 's/^[a-z]+: +//')"
octet check --model gpt2-xl --slice v3-8 --batch 8 --seq 1024 --shard-optimizer
check 'taken, it fits' status_is 0
check 'with the moments told apart from what is whole' out_has "has 'state' whole, and its own part of 'state.first_moment', 'state.second_moment'"
check 'and is not proposed again' eval '! out_has "shard the optimizer"'
octet check --model gpt2-xl --slice v3-8 --batch 128 --seq 1024
check 'and where it is not enough for the batch, for how many it is' out_has 'cure: +shard the optimizer.s state .*, and take at most ([1-9]|1[0-5]) examples? a replica, with recomputing asked for \(--gradient-checkpointing\)$'
most=$(grep -oE 'most [0-9]+ ex' out | grep -oE '[0-9]+')
octet check --model gpt2-xl --slice v3-8 --batch $((8 * most)) --seq 1024
check 'which it is' out_has 'cure: +shard the optimizer.s state .*, which fits'
# A cure is taken as it stands.
octet check --model gpt2 --slice v5e-4 --seq 512 --batch 4096
cure=$(grep -oE 'shard the optimizer.*take at most [0-9]+ examples a replica, with recomputing asked for \(--gradient-checkpointing\)$' out)
check 'shares of the optimizer with recomputing that must be asked for say so' test -n "$cure"
most=$(grep -oE 'most [0-9]+ ex' <<<"$cure" | grep -oE '[0-9]+')
octet check --model gpt2 --slice v5e-4 --seq 512 --batch $((4 * most)) --shard-optimizer --gradient-checkpointing --json
check 'and with both the step fits' test "$(verdict memory)" != fail
PARTS=(--model gpt2 --seq 512 --accumulate 2 --batch 3200)
octet check "${PARTS[@]}" --slice v4-8
check 'chips on which recomputing must be asked for are named with that' out_has 'or: +rent v6e-8, where a program may use 33\.6 GB, with recomputing asked for \(--gradient-checkpointing\), or give each'
check 'and so are parts of the batch' out_has 'cure: +take at most [0-9]+ examples a replica in each part, with recomputing asked for \(--gradient-checkpointing\), and add up'
octet check "${PARTS[@]}" --slice v6e-8 --gradient-checkpointing --json
check 'on which the step fits' test "$(verdict memory)" != fail
octet check --layers 2 --hidden 16384 --heads 64 --intermediate 65536 --vocab-size 32000 --architecture gpt2 --slice v3-8 --batch 8 --seq 1024
check 'where not one example fits, recomputing is not asked for' eval 'out_has "not one example fits" && ! out_has "ask for recomputing"'
octet check --model bert-tiny --slice v3-8 --batch 64
check 'where all fits, nothing is said of it' eval '! out_has "optimizer.s state"'
octet check --model bert-large --slice v4-8 --batch 512 --seq 512 --activations bf16
needed() { grep -oE 'A replica needs [0-9.]+ GB' out | grep -oE '[0-9.]+'; }
before=$(needed)
check 'who recomputes is told where that makes a step fit' out_has 'cure: +ask for recomputing in the program \(--gradient-checkpointing\): checkpoint in Octet, jax.checkpoint in JAX, tf.recompute_grad in TensorFlow'
check 'and how many parts do instead' out_has 'or: +take at most [0-9]+ examples a replica, and add up the gradients of [0-9]+ equal parts \(--accumulate [0-9]+\)$'
parts=$(grep -oE 'accumulate [0-9]+' out | grep -oE '[0-9]+')
octet check --model bert-large --slice v4-8 --batch 512 --seq 512 --activations bf16 --accumulate "$parts"
check 'with which it fits' status_is 0
check 'as its line tells' out_has "a replica takes its share of the batch in $parts equal parts, one after another$"
octet check --model bert-large --slice v4-8 --batch 512 --seq 512 --activations bf16 --gradient-checkpointing
check 'asked for, it needs less than half' awk "BEGIN { exit !(2 * $(needed) < $before) }"
check 'and it fits' status_is 0
check 'with what it computes again counted' out_has 'behind an optimization_barrier, is counted as it is'
check 'and told apart from what could be recomputed beyond it' out_has 'most that fits with nothing more recomputed: '
octet check --model bert-large --slice v4-8 --batch 1536 --seq 512 --activations bf16 --gradient-checkpointing
check 'more could be recomputed' out_has 'it fits if more activations are dropped and computed again'
check 'which is not asked for twice' eval '! out_has "ask for"'
check 'parts of the batch are proposed with their option' out_has 'add up the gradients of 2 equal parts \(--accumulate 2\)'
octet check --model bert-large --slice v4-8 --batch 1536 --seq 512 --activations bf16 --gradient-checkpointing --accumulate 2
check 'in which it fits' out_has '^pass +it fits into a replica'
check 'and the batch is all of it' out_has "'batch.ids': i32\[192, 512\] for each of 8 replicas"
octet check --model bert-base --slice v3-8 --batch 100 --accumulate 3
check 'parts that are not equal are refused' refused X709 'cannot take in 3 equal parts each'
check 'with the batches that are' err_has 'choose 96 or 120'
octet check --model bert-base --slice v3-8 --batch 64 --accumulate 0
check 'as are none' refused X709 'accumulate is 0'

if [ ${#PROGRAM[@]} = 1 ]; then
  (
    ulimit -v 300000
    octet check --program /dev/zero --slice v3-8
    exit "$STATUS"
  )
  STATUS=$?
  check 'what no memory holds is told' refused X408 'memory does not suffice'
  check 'and what can be done about it' err_has 'fix: +ask for less at once'
fi
finish
