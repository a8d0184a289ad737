# octet estimate: what it says, and what it refuses.
source "$(dirname "$0")/check.sh"

octet estimate --model bert-large --slice v3-32 --batch 448 --seq 512
check 'an estimate ends well' status_is 0
check 'it names the slice' out_has '^bert-large on v3-32: 16 chips in a 4 x 4 mesh, 32 replicas of a core, 4 hosts$'
check 'it says how long a step takes' out_has '^  step +[0-9]+\.[0-9]+ ms'
check 'and what bounds it' out_has 'bound by matrix unit'
check 'and what memory it needs' out_has '^memory of a replica: [0-9.]+ GB of [0-9.]+ GB'
check 'and the largest batch' out_has 'the largest batch with nothing recomputed: [0-9]+ sequences? a replica'
check 'and what a larger one costs' out_has 'computed again, which adds [0-9.]+ ms to a step of [0-9.]+ ms: [0-9]+ sequences a replica'
check 'and what dropout is taken to keep' out_has "dropout's random bits are the core's own, which gives none twice: masks are kept"
octet estimate --model bert-large --slice v3-32 --batch 448 --seq 512 --code flax-bf16
check 'which another code makes again' out_has "dropout's random bits follow from a key: they are made again, not kept"
octet estimate --model bert-large --slice v3-32 --batch 448 --seq 512 --dropout 0
check 'and where there is none, nothing is said of it' eval '! out_has "random bits"'

octet estimate --model bert-large --slice v3-32 --batch 448 --seq 512 --predictions 76 --code mlperf-bf16 --json
check 'there is one object' same "$(wc -l <out)" 1
milliseconds=$(json_value step_ms out)
check 'a published step is met to a tenth' awk "BEGIN { exit !($milliseconds > 414 && $milliseconds < 507) }"
parts=$(for part in forward_backward recompute accumulate all_reduce update; do json_value "${part}_ms" out; done | paste -sd+)
check 'the parts make up the step' awk "BEGIN { d = ($parts) / $milliseconds - 1; exit !(d < 1e-9 && d > -1e-9) }"
check 'it fits' same "$(json_value fits out)" true

octet estimate --model albert-xxlarge --slice v3-1024 --batch 4096 --code tf1-f32 --json
check 'ALBERT can be estimated' out_has '"step_ms":'
octet estimate --model gpt2-xl --slice v4-8192 --batch 8192 --seq 1024 --json
check 'and thousands of replicas' same "$(json_value replicas out)" 8192
octet estimate --layers 4 --hidden 256 --slice v5e-8 --batch 64 --seq 128 --json
check 'sizes alone are enough' out_has '"model":"bert"'
octet estimate --model electra-small --vocab-size 32200 --slice v3-8 --batch 128 --seq 128 --accumulate 2 --json
check 'accumulation halves what a replica takes at once' same "$(json_value sequences_per_replica out)" 8
IN_PARTS=(--model bert-base --slice v3-8 --seq 128 --accumulate 4)
octet estimate "${IN_PARTS[@]}" --batch 64 --json
most=$(json_value largest_batch_per_replica out)
octet estimate "${IN_PARTS[@]}" --batch $((8 * most)) --json
check 'the largest batch is that of a step, in all its parts' out_has '"fits":true'
octet estimate "${IN_PARTS[@]}" --batch $((8 * most + 32))
check 'beyond which none fits, as is told' err_has "take at most $most sequences a replica, [0-9,]+ in a step$"

printf '{"model_type": "bert", "hidden_size": 1024, "num_hidden_layers": 24, "num_attention_heads": 16, "intermediate_size": 4096, "vocab_size": 30522}' >config.json
octet estimate --config config.json --slice v3-32 --batch 448 --seq 512 --json
check 'a config.json gives what the name gives' same "$(json_value step_ms out)" "$milliseconds"
# dropped HIDDEN ATTENTION RATES [OPTION...]: of a config.json with these rates, those are taken.
dropped() {
  printf '{"model_type": "bert", "num_hidden_layers": 2, "hidden_dropout_prob": %s, "attention_probs_dropout_prob": %s}' $1 $2 >config.json
  octet estimate --config config.json --slice v3-8 --batch 64 "${@:4}" --json
  same "$(json_value dropout out)/$(json_value attention_dropout out)" "$3"
}
check 'a config.json says what is dropped' dropped 0.0 0.0 0/0
without=$(json_value step_ms out)
check 'in attention and elsewhere' dropped 0.1 0.0 0.1/0
check 'so that a step takes longer' awk "BEGIN { exit !($(json_value step_ms out) > 1.001 * $without) }"
check 'which an option overrides' dropped 0.3 0.2 0/0 --dropout 0
check 'for the same time' same "$(json_value step_ms out)" "$without"
check 'or in attention alone' dropped 0.3 0.2 0.3/0 --attention-dropout 0
octet estimate --config config.json --slice v3-8 --batch 64
check 'the report says so' out_has ' parameters, dropout 0\.3, in attention 0\.2$'
octet estimate --model bert-base --slice v3-8 --batch 64 --layers 6 --heads 8
check 'sizes that are not those of the name are said, and how many parameters they make' eval 'out_has "^bert-base with --layers 6 --heads 8 on v3-8: " && out_has "^6[0-9],[0-9]{3},[0-9]{3} parameters, dropout 0\.1$"'
octet estimate --model bert-base --slice v3-8 --batch 64 --layers 6 --json
check 'in JSON, too' out_has '"model":"bert-base with --layers 6","parameters":6[0-9]{7},'

printf '{"model_type": "gpt2", "n_layer": 0}' >config.json
octet estimate --config config.json --slice v3-8 --batch 8
check 'a model without layers is refused' refused X717 'layers 0'
while read -r what config; do
  printf '{%s}' "$config" >config.json
  octet estimate --config config.json --slice v3-8 --batch 8
  check "what is not modelled is refused: $what" refused X717 "$what"
done <<'NOT_MODELLED'
num_hidden_groups "model_type": "albert", "num_hidden_groups": 4
inner_group_num "model_type": "albert", "inner_group_num": 2
tie_word_embeddings "model_type": "bert", "tie_word_embeddings": false
is_decoder "model_type": "bert", "is_decoder": true, "add_cross_attention": true
add_cross_attention "model_type": "gpt2", "add_cross_attention": true
relative_key "model_type": "bert", "position_embedding_type": "relative_key"
type_vocab_size "model_type": "bert", "type_vocab_size": -3
NOT_MODELLED
printf '{"model_type": "albert", "num_hidden_groups": 1, "inner_group_num": 1, "tie_word_embeddings": true, "is_decoder": false, "position_embedding_type": "absolute", "type_vocab_size": 2}' >config.json
octet estimate --config config.json --slice v3-8 --batch 8
check 'what is modelled is not' status_is 0
printf '{"model_type": "t5"}' >config.json
octet estimate --config config.json --slice v3-8 --batch 8
check 'a model of another kind is refused' refused X717 't5'
printf '{"model_type": ' >config.json
octet estimate --config config.json --slice v3-8 --batch 8
check 'a broken file is refused' refused X715 'config.json'
octet estimate --config nowhere.json --slice v3-8 --batch 8
check 'a missing file is refused' refused X701 'nowhere.json'

octet estimate --model bert-large --slice v3-8 --batch 1024 --seq 512
check 'what would fit is told with the option that asks for it' err_has 'half the batch, 512 \(--batch 512\): [0-9.]+ GB'
check 'each' err_has 'in 2 accumulation steps \(--accumulate 2\): '
octet estimate --model bert-large --slice v3-8 --batch 1024 --seq 512 --code tf1-f32
check 'what does not fit is refused' refused X501 '128 x 512 tokens'
check 'and the estimate is there all the same' out_has 'which does not fit'
check 'and the message says what to do' err_has 'take at most'
octet estimate --model bert-large --slice v3-8 --batch 1024 --seq 512 --code tf1-f32 --json
check 'of which JSON says so in the one object' same "$(json_value fits out)/$(wc -l <out)" false/1

octet estimate --model bert-larg --slice v3-8 --batch 8
check 'an unknown model is refused with the nearest' refused X717 'use bert-large'
octet estimate --model bert-large --slice v3-16 --batch 32
check 'a slice that nobody sells is refused with the nearest' refused X604 'v3-8 or v3-32'
octet estimate --model bert-large --slice v3-32 --batch 100
check 'a batch that cannot be shared is refused' refused X601 'make the batch 128'
octet estimate --model bert-large --slice v3-32 --batch 32 --seq 0
check 'no tokens are refused' refused X709 'seq is 0'
for seq in 1024 100000; do
  octet estimate --model bert-base --slice v3-8 --batch 8 --seq $seq
  check "$seq tokens are more than it has positions for" refused X709 "seq is $seq, and the model has embeddings for 512"
done
printf '{"model_type": "roberta", "max_position_embeddings": 514}' >config.json
octet estimate --config config.json --slice v3-8 --batch 8 --seq 513
check 'of which a RoBERTa spends two on padding' refused X709 'seq is 513, and the model has embeddings for 512'
octet estimate --layers 2 --hidden 128 --slice v3-8 --batch 8 --seq 1024 --json
check 'of sizes alone, a model has as many as it is asked for' same "$(json_value seq out)" 1024
octet estimate --layers 2 --hidden 768 --slice v3-8 --batch 8 --seq 1000000
check 'as long as its tensors can be' refused X709 'seq is 1000000, and one such sequence makes tensors'
octet estimate --model bert-large --slice v3-32 --batch 32 --seq 16 --predictions 17
check 'more guesses than tokens are refused' refused X709 'predictions is 17'
octet estimate --model gpt2 --slice v3-8 --batch 8 --predictions 5
check 'a GPT-2 guesses all tokens' refused X735 '--predictions does nothing for this model'
octet estimate --model gpt2 --slice v3-8 --batch 8 --seq 512 --json
check 'which JSON counts' same "$(json_value predictions out)" 512
octet estimate --model gpt2 --embedding 64 --slice v3-8 --batch 8
check 'and embeds them as wide as its layers' refused X735 '--embedding does nothing for this model'
octet estimate --architecture gpt2 --layers 2 --hidden 128 --embedding 64 --slice v3-8 --batch 8
check 'which of sizes alone is said, too' refused X735 '--embedding does nothing for this model'
octet estimate --model bert-base --architecture gpt2 --slice v3-8
check 'a model has its own architecture' status_is 2
octet estimate --model bert-base --slice v3-8 --batch 8 --example-bytes -4
check 'an example has bytes' refused X709 '--example-bytes'
octet estimate --model bert-base --slice v3-8 --batch 1000000000
largest=$(grep -oE 'choose [0-9]+ or less' err | grep -oE '[0-9]+')
octet estimate --model bert-base --slice v3-8 --batch "$largest"
check 'the largest batch that is named can be asked for' refused X501 ''
octet estimate --model bert-large --slice v3-32 --batch 32 --heads 7
check 'heads that cannot share the hidden size are refused' refused X717 '7 heads'
check 'with those that can' err_has 'take heads that share it: --heads 4 or 8$'
check 'and the hidden sizes that they can share' err_has 'take a hidden size that they share: --hidden 1022 or 1029$'
octet estimate --layers 2 --hidden 200 --slice v3-8 --batch 64
check 'of a hidden size alone heads are taken that share it' status_is 0
octet estimate --layers 0 --hidden 128 --slice v3-8 --batch 8
check 'no layers are refused with how many there can be' err_has 'give a number between 1 and 4096, by --layers'
octet estimate --model bert --slice v3-8 --batch 8
check 'names that begin with what is given come first' err_has 'use bert-base or bert-mini'
octet estimate --layers 1 --hidden 8 --vocab-size 16 --slice v5p-8 --batch 8 --seq 1
check 'where as many fit as are tried, there may be more' out_has 'nothing recomputed: at least 1,000,000 sequences a replica, at least 8,000,000 at once$'
check 'and what takes next to no memory is no nothing' eval 'out_has " kB" && ! out_has "0\.000 GB"'
octet estimate --layers 1 --hidden 8 --vocab-size 16 --slice v5p-8 --batch 8 --seq 1 --json
check 'which JSON says, too' out_has '"largest_batch_per_replica":1000000,.*"largest_batch_is_lower_bound":true'
octet estimate --model gpt2 --slice v4-8 --batch 8192 --seq 16 --code tf2 --no-clip-norm --json
flat=$(json_value all_reduce_ms out)
octet estimate --model gpt2 --slice v5e-4 --batch 8192 --seq 16 --code tf2 --no-clip-norm --json
check 'a 1 x 2 x 2 has the links of a 2 x 2' awk "BEGIN { d = $flat / $(json_value all_reduce_ms out) - 1; exit !(d < 1e-3 && d > -1e-3) }"
octet estimate --model bert-base --slice v3-8 --batch 512 --seq 128 --data disk --host vm --host-threads 1 --prepare-us 3000
check 'chips that wait for hosts gain nothing by computing less' eval 'out_has "^  host_too_slow" && ! out_has "^  padded_heads"'
octet estimate --model bert-large --slice v3-32 --batch 32 --constant speed=2
check 'an unknown constant is refused with the known ones' refused X709 'matrix_efficiency'

# What would make it faster, and what feeds it.
octet estimate --model bert-large --slice v3-32 --batch 448 --seq 512
check 'it says what would make it faster' out_has '^  padded_heads, [0-9.]+ ms of [0-9.]+: Heads of 64 fill 64 of the 128 rows'
check 'without a word on input there is none of it' eval '! out_has "^input:"'
SMALLER=(--layers 2 --hidden 256 --slice v3-8 --seq 128)
octet estimate "${SMALLER[@]}" --batch 1001
check 'an uneven batch is refused, with both cures' refused X601 'pad-batch'
check 'as one types them' err_has 'sequences of weight zero: --pad-batch$'
octet estimate "${SMALLER[@]}" --batch 1001 --pad-batch --json
check 'or filled up' same "$(json_value batch out)/$(json_value padding_sequences out)" 1008/7
check 'of which the findings speak' out_has '"id":"uneven_shards"'
octet estimate "${SMALLER[@]}" --batch 256 --all-reduce each --json
check 'so they do of tiny collectives' out_has '"id":"tiny_collectives"'
octet estimate --model bert-large --slice v3-2048 --batch 32768 --seq 128 --predictions 20 --code tf1-f32 --optimizer lamb --json
check 'which code of TensorFlow 1 has by itself' out_has '"id":"tiny_collectives"'
octet estimate "${SMALLER[@]}" --batch 256 --host node --data bucket --host-threads 1 --prefetch 2 --prepare-us 300
check 'slow hosts make the chips wait' out_has 'the chips wait [0-9]+ % of the time'
threads=$(grep -oE '^  [0-9]+ threads on each host would end that' out | grep -oE '[0-9]+')
octet estimate "${SMALLER[@]}" --batch 256 --host node --data bucket --host-threads "${threads:-1}" --prefetch 2 --prepare-us 300
check 'which the threads that are named end' out_has 'the chips do not wait'
octet estimate "${SMALLER[@]}" --batch 256 --host node --data bucket --host-threads $((${threads:-2} - 1)) --prefetch 2 --prepare-us 300 --json
check 'and one fewer do not' out_has '"waiting_share":0\.[0-9]*[1-9]'
octet estimate "${SMALLER[@]}" --batch 256 --slice v3-32 --data-bytes 2000000000000
check 'data that the hosts cannot hold in memory are refused' refused X606 'an equal share for each of the 4 hosts of v3-32 is 500 GB, of which it has 335 GB'
octet estimate "${SMALLER[@]}" --batch 256 --example-bytes 10000000000
check 'which a batch is, at the least' refused X606 'The data are 2560 GB in memory'
octet estimate "${SMALLER[@]}" --batch 256 --host node --data disk
check 'a node that cannot read the data is refused' refused X606 'bucket'
octet estimate "${SMALLER[@]}" --batch 256 --host node --data bucket --calls-back
check 'and a pipeline that it cannot call back' refused X607 'record files'
octet estimate --layers 2 --hidden 256 --slice v4-8 --batch 256 --host node
check 'and a node of chips that have none' refused X610 'TPU VM'
octet estimate "${SMALLER[@]}" --batch 256 --calls-back --prepare-us 1000
check 'a program that is called back runs one thread' out_has 'no number of host threads would end that'
for option in '--prefetch -1' '--host-threads 0' '--slow-host 0.5' '--prepare-us -1' '--timeline t.json --timeline-steps 0' '--timeline t.json --timeline-steps 1000000'; do
  octet estimate "${SMALLER[@]}" --batch 256 --data bucket $option
  check "$option is refused" refused X709 "$(grep -oE -- '--[a-z-]+ -?[0-9.]+$' <<<"$option" | cut -d' ' -f1)"
done
check 'and no timeline is written for it' absent t.json

octet estimate "${SMALLER[@]}" --batch 256 --timeline step.json --timeline-steps 3
check 'a timeline is written' status_is 0
check 'which is JSON in the Trace Event Format' grep -q '"traceEvents":\[' step.json
check 'with lanes for hosts and all replicas' same "$(grep -c '"name":"thread_name"' step.json)" 11
check 'and three steps on each' same "$(grep -c '"name":"optimizer"' step.json)" 24
check 'layers by name' grep -q '"name":"layer 1","cat":"backward"' step.json
octet estimate "${SMALLER[@]}" --batch 256 --timeline nowhere/step.json
check 'a place that cannot be written is refused' refused X707 'nowhere'

octet estimate "${SMALLER[@]}" --batch 256 --timeline-steps 3
check 'steps of no timeline are wrong usage' status_is 2
check 'which is said' err_has '--timeline-steps requires --timeline'
octet estimate "${SMALLER[@]}" --batch $((8 * 1000000)) --accumulate 1000000 --timeline step.json
check 'a million parts of a batch are a timeline, too' status_is 0
check 'of which the first are shown one by one' same "$(grep -c '"name":"backward".*"step":0' step.json)" $((64 * 8))
check 'and the others together' grep -q '"forward and backward of the other parts".*"parts":"999936"' step.json

# Stalls, planted one at a time in a job that has none.
SOUND=(--layers 2 --hidden 512 --heads 4 --vocab-size 8192 --slice v3-32 --seq 128 --predictions 16 --batch 4096)
octet estimate "${SOUND[@]}" --data memory --json
check 'a sound job has nothing to find' out_has '"findings":\[\]'
while read -r stall options; do
  octet estimate "${SOUND[@]}" $options --json
  check "$stall is named" out_has "\"id\":\"$stall\""
done <<'STALLS'
uneven_shards --batch 4001 --pad-batch
slow_host --host-ms 1,9000,1,1
slow_host --slow-host 10000
host_too_slow --host-threads 1 --prepare-us 3000
host_callback --calls-back --prepare-us 5000
bucket_too_slow --data bucket --host-threads 1 --example-bytes 10000000
disk_too_slow --data disk --example-bytes 10000000
too_few_prefetched --prefetch 0
recompiles --compiles 429 --steps 493
tiny_collectives --all-reduce each
bound_by_all_reduce --slice v3-512 --batch 512
whole_update --slice v3-512 --batch 4096 --no-shard-optimizer
f32_activations --activations f32
padded_heads --heads 8
padded_rows --batch 288
padded_sequence --seq 250
padded_vocabulary --layers 1 --hidden 128 --heads 1 --intermediate 128 --vocab-size 130 --predictions 128 --constant matrix_efficiency=0.05 --constant hbm_efficiency=10
padded_hidden --hidden 484 --constant hbm_efficiency=10
padded_intermediate --layers 1 --hidden 128 --heads 1 --intermediate 130 --vocab-size 512 --constant matrix_efficiency=0.05 --constant hbm_efficiency=10
STALLS

# The optimizer's state in shares.
octet estimate --model bert-large --slice v3-32 --batch 448 --code tf2 --json
whole=$(json_value optimizer_bytes out) update=$(json_value update_ms out)
octet estimate --model bert-large --slice v3-32 --batch 448 --code tf2 --shard-optimizer --json
check 'of 32 replicas each keeps a 32nd' awk "BEGIN { r = $whole / $(json_value optimizer_bytes out); exit !(r > 31.9 && r < 32.1) }"
check 'and updates as much' awk "BEGIN { r = $update / $(json_value update_ms out); exit !(r > 31.9 && r < 32.1) }"
octet estimate --model bert-large --slice v3-32 --batch 448 --no-shard-optimizer --json
check 'code that shares it can be told not to' same "$(json_value optimizer_bytes out)" "$whole"
octet estimate --model bert-large --slice v3-32 --batch 448 --shard-optimizer
check 'the share is told' out_has 'optimizer state 0\.0[0-9]+ GB \(its share of 2\.[0-9]+ GB\)'

# A program that asks for recomputing.
octet estimate --model bert-large --slice v3-8 --batch 512 --seq 512
check 'where XLA alone would not do it, estimate says so' out_has 'not seen to make room for more than 3\.4 times its memory: ask for recomputing in the program \(--gradient-checkpointing\)$'
octet check --model bert-large --slice v3-8 --batch 512 --seq 512
check 'as check does' refused X501 'not seen to make room for more than 3\.4 times its memory'
octet estimate --model bert-large --slice v3-8 --batch 512 --seq 512 --gradient-checkpointing
check 'and not where it is asked for' eval '! out_has "XLA alone"'
octet estimate --model gpt2-medium --slice v3-8 --batch 64 --seq 512 --json
step=$(json_value step_ms out) kept=$(json_value without_recomputing_bytes out)
octet estimate --model gpt2-medium --slice v3-8 --batch 64 --seq 512 --gradient-checkpointing --json
check 'gradient checkpointing takes less memory' awk "BEGIN { exit !(0 + $(json_value without_recomputing_bytes out) < 0.6 * $kept) }"
check 'for a step that is longer by less than the way there' awk "BEGIN { r = $(json_value step_ms out) / $step; exit !(r > 1.1 && r < 1.34) }"
check 'and says that it is asked for' same "$(json_value gradient_checkpointing out)" true
octet estimate --model gpt2-medium --slice v3-8 --batch 64 --seq 512 --gradient-checkpointing
check 'the report tells where its time is' out_has 'with gradient checkpointing: what is within a layer is computed again on the way back'
check 'and that nothing more is recomputed' out_has 'the largest batch with nothing more recomputed: [0-9]+ sequences a replica'

# Adafactor keeps sums of rows and of columns instead of moments.
octet estimate --model gpt2-xl --slice v3-128 --batch 256 --seq 1024 --code tf1-f32
check 'a model whose moments have no room is refused' refused X501 'may use'
octet estimate --model gpt2-xl --slice v3-128 --batch 256 --seq 1024 --code tf1-f32 --optimizer adafactor
check 'with Adafactor the masks of attention have none' refused X501 'take at most 1 sequence a replica'
octet estimate --model gpt2-xl --slice v3-128 --batch 256 --seq 1024 --code tf1-f32 --optimizer adafactor --attention-dropout 0 --json
check 'without them it fits' same "$(json_value fits out)/$(json_value optimizer_bytes out)" true/0

# The README's own: a rented v3 has a host for each four chips.
octet estimate --model bert-large --slice v3-32 --batch 448 --seq 512 --host-ms 41,40,163,42
check 'four measured hosts of a v3-32 are taken' status_is 0
octet estimate --model bert-large --slice v3-32 --batch 448 --seq 128 --prefetch 0 --host-ms 41,40,163,42
check 'and the third is named, for which the others wait' out_has 'Host 3 of 4 takes'

# Hosts as measured, and programs compiled on the way.
octet estimate "${SMALLER[@]}" --batch 256 --slice v3-32 --host-ms 1,4000,1,1 --json
check 'a slow host is found among measured ones' out_has '"sentence":"Host 2 of 4 takes 4000 times as long as the others'
check 'as a code with its numbers' out_has '"id":"slow_host".*"values":\{"host":2,"hosts":4,"factor":4000'
octet estimate "${SMALLER[@]}" --batch 256 --host-ms 1,2
check 'one number for each host' refused X709 'has 2 numbers, and v3-8 has 1 host\.'
octet estimate "${SMALLER[@]}" --batch 256 --host-ms nan
check 'and no host takes so long' refused X709 'host-ms has nan'
octet estimate "${SMALLER[@]}" --batch 256 --host-ms 1 --slow-host 2
check 'measured and supposed at once is wrong usage' status_is 2
for option in '--data disk' '--host vm' '--host-threads 4' '--prepare-us 1' '--example-bytes 10' '--calls-back'; do
  octet estimate "${SMALLER[@]}" --batch 256 --host-ms 1 $option
  check "so is ${option%% *} beside what was measured" status_is 2
  check "which ${option%% *} says" err_has "${option%% *} excludes --host-ms"
done
octet estimate "${SMALLER[@]}" --batch 256 --slice v3-32 --host-ms 0.5,0.5,0.5,0.5
check 'of measured hosts no threads are advised' eval 'out_has "the chips do not wait" && ! out_has thread'
octet estimate "${SMALLER[@]}" --batch 256 --slice v3-32 --host-ms 1,4000.5,1,1
check 'nor where they are slow' eval 'out_has "host 2 takes 4000.50 ms for its share of a batch, which no number" && ! out_has thread'
octet estimate "${SMALLER[@]}" --batch 256 --slice v3-32 --host-ms 1,4000.5,1,1 --json
check 'JSON has what was measured' out_has '"input":\{"host_ms":\[1,4000\.5,1,1\],"prefetch":2,"cycle_ms":4000\.'
check 'and nothing of threads' eval '! out_has "host_threads|prepare_us"'
octet estimate "${SMALLER[@]}" --batch 256 --slice v3-32 --host-ms 0,9000,0,0 --json
check 'a host beside which the others take no time is named without a factor' out_has '"id":"only_slow_host","sentence":"Host 2 of 4 alone takes time.*"values":\{"host":2,"hosts":4,"waiting_share":0\.[0-9]+\}'
check 'so that no number is missing' eval '! out_has null'
octet estimate "${SMALLER[@]}" --batch 256 --slice v3-32 --data disk --host-threads 1 --example-bytes 100000000 --prepare-us 100000 --slow-host 1.5 --json
check 'a slow host is found where reading takes as long as preparing' out_has '"id":"slow_host".*"factor":1\.5'
octet estimate --layers 2 --hidden 256 --slice v3-32 --batch 256 --code mlperf-bf16 --shard-optimizer --clip-norm --json
whole=$(json_value clip_ms out) together=$(json_value all_reduce_ms out)
octet estimate --layers 2 --hidden 256 --slice v3-32 --batch 256 --code mlperf-bf16 --shard-optimizer --no-clip-norm --json
together=$(awk "BEGIN { print $together - $(json_value all_reduce_ms out) }")
octet estimate --layers 2 --hidden 256 --slice v3-32 --batch 256 --code mlperf-bf16 --shard-optimizer --clip-norm
told=$(grep -oE '[0-9.]+ ms to find' out | cut -d' ' -f1)
check 'of finding the norm the optimizer tells its own part' awk "BEGIN { d = $whole - $together - ${told:-9}; exit !($together > 0.001 && d < 0.0051 && d > -0.0051) }"
octet estimate "${SMALLER[@]}" --batch 256 --compiles 429 --steps 493 --compile-seconds 40
check 'recompiles are named' out_has '^  recompiles, .*429 programs are compiled in 493 steps, each for 40 s'
check 'with what they cost' out_has '^compiler: 429 programs in 493 steps, 40\.0 s each: the chips wait 100 % of the time'
octet estimate "${SMALLER[@]}" --batch 256 --compiles 429
check 'compiles of no run are wrong usage' status_is 2
for option in '--compiles 0 --steps 1' '--steps 0 --compiles 1' '--compile-seconds nan --compiles 1 --steps 1' '--dropout 1' '--dropout nan' '--dropout -0.1' '--attention-dropout 1'; do
  octet estimate "${SMALLER[@]}" --batch 256 $option
  check "$option is refused" refused X709 "$(cut -d' ' -f1 <<<"$option" | cut -c3-) is"
done
octet estimate "${SMALLER[@]}" --batch 256 --code tf1-f32 --json
with=$(json_value step_ms out)
octet estimate "${SMALLER[@]}" --batch 256 --code tf1-f32 --dropout 0 --json
without=$(json_value step_ms out)
octet estimate "${SMALLER[@]}" --batch 256 --code tf1-f32 --attention-dropout 0 --json
check 'a step without dropout is faster, one without it in attention lies between' awk "BEGIN { now = $(json_value step_ms out); exit !($without < now && now < $with) }"
octet estimate "${SMALLER[@]}" --batch 256 --code tf1-f32 --no-clip-norm --json
check 'one that clips nothing, too' same "$(json_value clip_ms out)" 0
octet estimate --layers 2 --hidden 256 --slice v5litepod-16 --batch 16
check 'the vendor'"'"'s name of a v5e is read' out_has '^bert on v5e-16: 16 chips in a 4 x 4 mesh, 16 replicas of a chip'
octet estimate --layers 2 --hidden 256 --slice v5e-1 --batch 1
check 'one is no several' out_has '1 chip in a 1 x 1 mesh, 1 replica of a chip, 1 host$'
octet estimate --model bert-base --slice V3-8 --batch 8
check 'a slice in capitals is refused with the one that is meant' refused X604 'the nearest is v3-8'

octet estimate --slice v3-8 --batch 8
check 'no model is wrong usage' status_is 2
octet estimate --model bert-large --batch 8
check 'no slice is wrong usage' status_is 2
octet estimate --model bert-large --slice v3-8 --batch 8 --code fortran
check 'code of no known class is wrong usage' status_is 2
octet estimate --model bert-large --config x --slice v3-8 --batch 8
check 'two models are wrong usage' status_is 2

# Gains are of a step as it is fed, and none is more than all of it.
octet estimate "${SMALLER[@]}" --batch 256 --host-ms 1000
check 'the rate is told as it is fed' out_has '^  step as it is fed +1000\.00 ms +256\.0 sequences/s'
check 'a slow host is to be made faster' out_has 'make hosts prepare a share within'
check 'which no batches on the way are' eval '! out_has "prefetch more"'
octet estimate "${SMALLER[@]}" --batch 256 --host-ms 1000 --json
check 'no gain is more than a step' awk "BEGIN { exit !($(json_value gain_share out) <= 1) }"
octet estimate "${SMALLER[@]}" --batch 256 --prepare-us 5000 --host-threads 1 --prefetch 0
check 'threads that shorten a wait are told, though they do not end it' out_has 'prepare with [0-9]+ threads on each host instead of 1: a step every'
octet estimate "${SMALLER[@]}" --batch 256 --slow-host 2
check 'one host is slower than no other' refused X709 'slow-host'
octet estimate "${SMALLER[@]}" --batch 256 --compiles 500 --steps 493
check 'no more programs are compiled than there are steps' refused X709 'choose 493 or less'
octet estimate "${SMALLER[@]}" --batch 256 --compiles 100 --steps 100 --compile-seconds 40 --host-ms 40000
check 'compiling is compared with steps as they are fed' out_has '40.0 s each: the chips wait 50 % of the time'
octet estimate --model albert-large --slice v6e-8 --code flax-bf16 --batch 480 --seq 130
check 'no length is said to take no longer that does' eval '! out_has "which takes no longer"'
octet estimate --model gpt2-xl --slice v3-8 --batch 8 --seq 1024
check 'no hidden size is told that its heads cannot share' eval '! out_has "padded_hidden|hidden size of"'
octet estimate --model bert-tiny --slice v3-8 --batch 8388608 --accumulate 1048576 --seq 8
check 'a million parts can be told of, though the largest of them are more than a batch can be' status_is 0
check 'with what a larger one costs' out_has 'to a step of [0-9]+\.[0-9]+ ms'
octet estimate --architecture albert --layers 3 --hidden 100 --heads 2 --intermediate 2048 --vocab-size 100 --slice v2-8 --batch 4096 --seq 200 --code flax-bf16 --accumulate 8 --optimizer adafactor --json
check 'what fills padding up for nothing gains nothing' out_has '"id":"padded_vocabulary".*"change":"make it 128, which takes no longer","change_values":[^,]*,"gain_ms":0,'
octet estimate --model bert-large --slice v3-32 --batch 448 --seq 512
check 'nor a batch that does not fit' eval '! out_has "make the batch 512"'
finish
