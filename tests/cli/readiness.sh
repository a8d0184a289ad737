# octet check: the checklist, line by line.
source "$(dirname "$0")/check.sh"

BASE=(--model bert-base --slice v3-8 --batch 64 --seq 128)

octet check "${BASE[@]}"
check 'a right program ends well' status_is 0
check 'the report names what it is of' out_has '^a training step of bert-base on v3-8: nothing found that would keep it from running\.'
check 'lines have verdicts' out_has '^pass        updates are the same on all replicas$'
check 'and what they rest on' out_has '^            [0-9]+ updated arrays follow from what all replicas share'
check 'what is not known is not judged' out_has '^not judged  the data lie where'
check 'what makes it known is an option' out_has 'cure: +say so: --data memory.disk.bucket --host node.vm$'
check 'as is how fast examples are made' out_has 'cure: +measure it, and say so: --examples-per-second N$'
check 'no member of the library is named' eval '! out_has "[A-Za-z]::[a-z]"'
check 'nothing is written on standard error' test ! -s err

check 'several lengths are asked for as one types them' out_has 'cure: +say what lengths the data really have: --text FILE or --lengths FILE$'
check 'what is dropped is told' out_has '^            dropout 0\.1$'

octet check "${BASE[@]}" --json --data bucket --host node --activations bf16 --examples-per-second 100000
check 'there is one object' same "$(wc -l <out)" 1
check 'it says whether all is ready' same "$(json_value ready out)" true
for id in rule_1 rule_2 compiles data pipeline scope inner_jit batch gradients memory input; do
  check "$id passes" judged $id pass
done
check 'one length says nothing of others' judged rule_3 'not judged'
octet check "${BASE[@]}" --json --data disk --host node --calls-back
check 'files of this machine cannot be read on a node' judged data fail X606
check 'and a pipeline cannot call back from there' judged pipeline fail X607
check 'which is an error' status_is 1
check 'whose messages go to standard error' err_has '^X606: '
check 'all of them' err_has '^X607: '
octet check "${BASE[@]}" --json --data disk --host vm --calls-back
check 'both work on a machine of its own' same "$(verdict data)/$(verdict pipeline)/$STATUS" pass/pass/0
octet check "${BASE[@]}" --json --data memory --host vm --data-bytes 335000000000
check 'data that the memory of a host holds' judged data pass
octet check "${BASE[@]}" --json --data memory --host vm --data-bytes 335000000001
check 'and those that it does not' judged data fail X606
check 'with what it has' err_has 'The data are 335.1 GB in memory, and the host of v3-8 has 335 GB\.'
octet check "${BASE[@]}" --data disk --host vm --data-bytes 1
check 'elsewhere they may be as large as they are' refused X735 'data-bytes does nothing for data on the local disk'
octet check "${BASE[@]}" --data memory --host node --data-bytes 1
check 'as they may in the memory of one that is not known' refused X735 'data-bytes does nothing for a TPU node'
octet check --model bert-tiny --slice v6e-8 --batch 64 --seq 128 --data memory --host vm --data-bytes 1440000000001
check 'what is too much is told as more' err_has 'The data are 1440\.1 GB in memory, and the host of v6e-8 has 1440 GB\.'
octet check "${BASE[@]}" --data-bytes 1
check 'and somewhere they are' refused X709 'where the data lie is not'
octet check "${BASE[@]}" --json --data memory --host vm --examples-per-second 10
check 'a slow pipeline is told' judged input warn X609
octet check "${BASE[@]}" --json --examples-per-second 0.25
check 'also where nobody knows where the data lie' judged input warn X609
check 'of fewer examples than one a second' out_has 'The pipeline makes 0\.25 examples a second'
check 'which is not judged by that' same "$(verdict data)/$(verdict pipeline)" 'not judged/not judged'
octet check "${BASE[@]}" --json --examples-per-second 100000
check 'and so is one that keeps up' judged input pass
for rate in 0 -1 nan inf; do
  octet check "${BASE[@]}" --examples-per-second $rate
  check "$rate examples a second are none" refused X709 "examples-per-second is $rate\."
done

octet check --model bert-base --slice v3-32 --batch 100 --seq 128 --json
check 'a batch that cannot be shared is refused' judged batch fail X601
check 'with the batch to take' err_has 'make the batch 128'
octet check --layers 2 --hidden 96 --heads 2 --vocab-size 1000 --slice v3-8 --batch 64 --seq 128 --json
check 'sizes that fill no tile are told' judged matrix_unit warn X502
ODD=(--layers 2 --hidden 200 --heads 4 --intermediate 800 --vocab-size 30522 --slice v3-8 --seq 50)
octet check "${ODD[@]}" --batch 80
check "by the job's own sizes" out_has 'X502: A replica has 10 sequences at once, no multiple of 8.* costs what 16 would\.$'
check 'with what to make of them' out_has 'make the batch 128, 16 for each replica$'
check 'each by its name' out_has 'make the sequence 56$'
check "and with no step's time but the one of the line on time" same "$(grep -c 'step takes' out)" 1
check 'nor is the padding said to take no time' eval '! out_has "takes no time"'
check 'though it is told' out_has 'of all its work, [0-9]+ % is padding$'
check 'and heads' out_has 'take 2 heads of 100 instead of 4: as many weights, in another model$'
check 'no line of the library is blamed' eval '! out_has "where: +modules/|In dot_general"'
octet check "${ODD[@]}" --batch 76
check 'of a batch that is filled up as well' out_has 'X502: A replica has 10 sequences at once'
octet check --layers 2 --hidden 128 --heads 1 --intermediate 512 --vocab-size 1024 --slice v3-8 --batch 64 --seq 16
check 'where no size is worth a change the products are named, and no line' \
  eval 'out_has "X502: In dot_general " && ! out_has "where: +modules/"'

awk 'BEGIN { for (i = 0; i < 6400; ++i) print 10 + i * 37 % 101 + int(i / 64) % 17 }' >lengths
octet check "${BASE[@]}" --lengths lengths --json
check 'padding to the longest of a batch makes many programs' test "$(json_value programs out)" -gt 8
check 'which is told' test "$(verdict rule_3)" != pass
check 'with buckets that would make few' out_has '"--padding multiple_of:[0-9]+: [0-9] programs?, '
octet check "${BASE[@]}" --lengths lengths --padding multiple_of:64 --json
check 'multiples of 64 make few' judged rule_3 pass
octet check "${BASE[@]}" --lengths lengths --padding fitted:3
check 'lengths are fitted to the batches, and told' \
  eval 'status_is 0 && out_has "the lengths found: --padding lengths:[0-9]+,[0-9]+,[0-9]+$"'
found=$(grep -oE 'lengths:[0-9,]+' out)
octet check "${BASE[@]}" --lengths lengths --padding "$found" --json
check 'and taken, they make as many programs' same "$(verdict rule_3)/$(json_value programs out)" pass/3
awk 'BEGIN { for (i = 0; i < 6400; ++i) print 8 + int(500 * (int(i / 64) / 100) ^ 3) }' >skewed
octet check "${BASE[@]}" --seq 512 --lengths skewed
check 'where few multiples would pad much, fitted lengths are proposed' out_has 'cure: +--padding lengths:[0-9,]+: [0-9] programs, '
octet check "${BASE[@]}" --padding fitted:3
check 'which takes batches' refused X709 'fits lengths to batches, and none are known'
octet check "${BASE[@]}" --lengths lengths --padding max_length --json
check 'the longest length makes one' same "$(verdict rule_3)/$(json_value programs out)" pass/1
octet check "${BASE[@]}" --lengths lengths --padding lengths:32,64 --json
check 'a length that no bucket holds is refused' judged rule_3 fail X301
check 'once, with the longest' same "$(grep -c '^X301' err)/$(grep -oE 'add a bucket of [0-9]+' err)" '1/add a bucket of 126'
octet check "${BASE[@]}" --lengths lengths --padding lengths:64,128 --json
check 'listed buckets hold them' judged rule_3 pass
made_up_text >text.txt
octet check --layers 1 --hidden 64 --vocab-size 120 --slice v3-8 --batch 16 --seq 32 --text text.txt --json
check 'lengths of a text are told from one another' out_has '"shapes":[1-9]'
printf '한국어 문장입니다\n日本語の文です\n😀 emoji\n' >text.txt
octet check --layers 1 --hidden 64 --vocab-size 120 --slice v3-8 --batch 16 --seq 32 --text text.txt --json
check 'a text in any language will do' test "$(verdict rule_3)" != ''

# The same lines, whatever the file: metadata, keys and the header of a table are no examples.
made_up_text >text.txt
awk '{ printf "{\"id\": %d, \"url\": \"https://example.org/a/long/address/%d\", \"body\": \"%s\"}\n", NR, NR, $0 }' text.txt >text.jsonl
{ echo 'id;body'; awk '{ print NR ";" $0 }' text.txt; } >text.csv
rule_3_of() {
  octet check --layers 1 --hidden 64 --vocab-size 120 --slice v3-8 --batch 16 --seq 32 --json "$@"
  grep -oE '"id":"rule_3".*"id":"compiles"' out | sed 's/learned from .* itself//'
}
lines=$(rule_3_of --text text.txt)
check 'JSON lines have the lengths of their texts' same "$(rule_3_of --text text.jsonl --field body)" "$lines"
check 'and so has the column of a table' same "$(rule_3_of --text text.csv --field body --csv-separator ';')" "$lines"
cp text.jsonl plain.txt
check 'a format that is named goes before the name' same "$(rule_3_of --text text.jsonl --format txt)" "$(rule_3_of --text plain.txt)"
octet check --model bert-tiny --slice v3-8 --batch 16 --text text.jsonl
check 'a key that is not there is refused' refused X725 text
octet check --model bert-tiny --slice v3-8 --batch 16 --text text.txt --field body
check 'a plain text has no fields' refused X735 '--field'
octet check --model bert-tiny --slice v3-8 --batch 16 --field body
check 'fields of no text are wrong usage' status_is 2

made_up_text >text.txt
octet train --text text.txt --steps 1 --out model "${SMALL[@]}"
octet check --model model --slice v3-8 --batch 8 --seq 16 --text text.txt
check 'a saved model can be checked' out_has 'a training step of model on v3-8'
drops() {
  printf '{"model_type": "bert", "num_hidden_layers": 1%s}' "$1" >drops.json
  octet check --config drops.json --slice v3-8 --batch 8 --seq 32
  out_has 'random bits are taken'
}
check 'a config.json that says nothing of dropout has that of its library' drops ''
check 'one that has none needs no random bits' eval '! drops ", \"hidden_dropout_prob\": 0.0, \"attention_probs_dropout_prob\": 0"'
check 'and is judged' out_has '^pass '
check 'one half of it is enough' drops ', "hidden_dropout_prob": 0, "attention_probs_dropout_prob": 0.1'
octet export --model model --format stablehlo --program train-step --out step.mlir
octet check --program step.mlir --batch-argument batch --slice v3-8 --json
check 'an exported training step is ready' same "$(json_value ready out)/$STATUS" true/0
check 'its gradients are averaged' judged gradients pass
check 'of a dense state each replica has all' out_has '"finding":"Each of 8 replicas has [0-9]+ parameters whole\."'
sed 's/dense<\[\[0, 1, 2, 3, 4, 5, 6, 7\]\]> : tensor<1x8xi64>/dense<[[0], [1], [2], [3], [4], [5], [6], [7]]> : tensor<8x1xi64>/' step.mlir >drift.mlir
octet check --program drift.mlir --batch-argument batch --slice v3-8 --json
check 'replicas that go their own way fail' judged gradients fail X602
check 'which is an error' status_is 1
check 'and no step to call all of its state sharded for' eval '! err_has "sharded-argument"'
octet check --program drift.mlir --batch-argument batch --sharded-argument state --slice v3-8 --json
check 'where it is called that, that is told' \
  out_has '"verdict":"warn","finding":"All that is updated \([0-9]+ arrays\) is said to be each replica.s own\."'
octet check --program step.mlir --batch-argument batch --sharded-argument batch --slice v3-8
check 'and the batch cannot be' refused X709 "is to hold the batch and to be sharded"
sed 's/\[\[0, 1, 2, 3, 4, 5, 6, 7\]\]/[[0, 1, 2, 3, 4, 5, 6, 6]]/' step.mlir >twice.mlir
octet check --program twice.mlir --batch-argument batch --slice v3-8
check 'a program that cannot be read' refused X603 ''
check 'is not asked which parameters are of the batch' eval '! out_has "name (them|those of the batch)"'
octet train --text text.txt --steps 1 --out parts "${SMALL[@]}" --shard-optimizer
octet export --model parts --format stablehlo --program train-step --out parts.mlir
octet check --program parts.mlir --batch-argument batch --slice v3-8 --json
check 'a step with a sharded optimizer says itself what is sharded' judged gradients pass
check 'the weights that follow from it are judged' out_has '"finding":"[0-9]{2} updated arrays follow'
check 'its state is no batch, and not whole' \
  out_has '"finding":"Each of 8 replicas has [0-9]+ parameters whole, and its own part of [0-9]+ parameters\."'
sed 's/, octet.sharded = true//g' parts.mlir >untold.mlir
octet check --program untold.mlir --batch-argument batch --slice v3-8 --json
check 'a program that does not is refused' judged gradients fail X602
check 'with the option that tells it' err_has 'say so: --sharded-argument NAME$'
octet check --program untold.mlir --batch-argument batch --sharded-argument moments --slice v3-8 --json
check 'which makes it ready' same "$(verdict gradients)/$(verdict input)/$STATUS" 'pass/not judged/0'
octet train --text text.txt --steps 1 --out narrow "${SMALL[@]}" --shard-optimizer --parameters bf16
octet export --model narrow --format stablehlo --program train-step --out narrow.mlir
octet check --program narrow.mlir --batch-argument batch --slice v3-8
check 'weights that are rounded to bf16 each step are told' out_has 'more are updated in bf16: beside a value of'
octet check --program step.mlir --sharded-argument nosuch --slice v3-8
check 'an argument to shard that is not there is refused' refused X709 nosuch
grep -v all_reduce step.mlir >broken.mlir
octet check --program broken.mlir --slice v3-8 --json
check 'a text that is torn is refused' status_is 1
check 'with a number and a line' err_has '^  where: +broken.mlir:[0-9]+'
sed 's/tensor<1x16xi32>/tensor<?x16xi32>/g' step.mlir >dynamic.mlir
octet check --program dynamic.mlir --slice v3-8 --json
check 'a shape that is not known is refused' judged rule_2 fail X201
octet check --program step.mlir --slice v3-32 --batch-argument batch --json
check 'collectives of another slice are refused' judged gradients fail X603
check 'with what one can type' eval 'err_has "let groups and slice be of the same replicas: --slice NAME with as many$" && ! err_has "tpu::"'
octet check --program step.mlir --batch-argument nothing --slice v3-8
check 'a batch that no parameter holds is refused' refused X709 nothing
check 'with the structures that there are' err_has 'name one of state, batch$'
octet check --program step.mlir --batch-argument batch --slice v3-8
check 'of a program, whose lengths are its own, no others are asked for' eval '! out_has "give several calls"'
octet check --program step.mlir --donated-argument nosuch --slice v3-8
check 'and so is an argument to donate' refused X709 nosuch
for option in '--hidden 64' '--architecture gpt2' '--seq 8' '--heads 2' '--predictions 2'; do
  octet check --program step.mlir --slice v3-8 $option
  check "a program has its sizes: ${option%% *} is wrong usage" status_is 2
done
sed -E 's/"stablehlo.rsqrt"\(([^)]*)\) :/"stablehlo.custom_call"(\1) {call_target_name = "tpu_custom_call"} :/' step.mlir >kernel.mlir
octet check --program kernel.mlir --batch-argument batch --slice v3-8 --json
check 'a call of code that is not in the text is not judged' judged compiles 'not judged' X410
check 'which is no failure, and has a status of its own' same "$STATUS/$(json_value ready out)/$(json_value known out)/$(json_value failed out)" 3/false/false/0
check 'with its message' err_has '^X410: .*@tpu_custom_call, which is not in the text'
check 'the rest of it is judged' same "$(verdict gradients)/$(verdict memory)" pass/pass
cat >parted.mlir <<'MLIR'
module @jit_step attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["batch"=8]>
  func.func public @main(%arg0: tensor<128x128xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>, tf.aliasing_output = 0 : i32} loc("w"), %arg1: tensor<1024x128xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"batch"}, {}]>} loc("x")) -> tensor<128x128xf32> {
    %0 = stablehlo.dot_general %arg1, %arg1, contracting_dims = [0] x [0] : (tensor<1024x128xf32>, tensor<1024x128xf32>) -> tensor<128x128xf32>
    %1 = stablehlo.subtract %arg0, %0 : tensor<128x128xf32>
    return %1 : tensor<128x128xf32>
  }
}
MLIR
octet check --program parted.mlir --slice v3-8 --json
check 'a program that JAX partitions says itself what devices share' same "$(verdict batch)/$(verdict gradients)/$STATUS" pass/pass/0
check 'and is judged with the part of one' out_has "'x': f32\[128, 128\] for each of 8 replicas"
octet check --program parted.mlir --slice v3-32 --json
check 'for as many devices as it is lowered for' judged gradients fail X603
sed 's/"batch"=8/"batch"=4, "model"=2/; s/\[{}, {}\]/[{}, {"model"}]/' parted.mlir >model.mlir
octet check --program model.mlir --slice v3-8 --json
check 'so are weights that are cut along another axis of the mesh' same "$(verdict batch)/$(verdict gradients)/$STATUS" pass/pass/0
sed 's/@mesh, \[{}, {}\]/@other, [{}, {}]/' parted.mlir >other.mlir
octet check --program other.mlir --slice v3-8 --json
check 'a mesh that is not in the text is not judged' same "$(verdict compiles)/$(number compiles)/$STATUS" 'not judged/X410/3'
octet check --help
check 'the help names the status' out_has '3 where none'
: >empty.mlir
octet check --program empty.mlir --slice v3-8
check 'an empty text is refused' refused X407 ''
octet check --program nowhere.mlir --slice v3-8
check 'a missing file is refused' refused X701 nowhere.mlir

# A chip whose cores are one device (megacore) has a replica of its own.
octet check --model gpt2-xl --slice v4-8 --batch 16 --seq 1024 --activations bf16
check 'half a chip is too small for it' refused X501 ''
check 'and the whole chip is offered' err_has 'run one replica on each chip'
check 'that a replica is a core is told' out_has '^ +a replica is one core here, and JAX and TensorFlow 2 run one on each chip of v4-8: --megacore judges that$'
octet check --model gpt2-xl --slice v4-8 --batch 16 --seq 1024 --activations bf16 --megacore --json
check 'which fits, as was said' out_has '"id":"memory"[^}]*"verdict":"(pass|warn)"'
check 'of four replicas' same "$(json_value replicas out)" 4
check 'which are chips' eval '! out_has "one core here"'
octet check --model gpt2-xl --slice v4-8 --batch 16 --seq 1024
check 'and where they fit by recomputing alone, that is said' out_has 'octet check --megacore\), which fits with [0-9.]+ m?s of recomputing$'
octet check --model bert-tiny --slice v5p-8 --batch 64
check 'also where all fits' out_has 'one core here, .* on each chip of v5p-8'
octet check --model bert-tiny --slice v3-8 --batch 64
check 'but not of cores that are devices of their own' eval '! out_has "one core here"'
octet check --model bert-tiny --slice v3-8 --batch 64 --megacore
check 'cores that are devices of their own have none' refused X604 'v3-8'
octet check --model bert-tiny --slice v5e-8 --batch 64 --megacore
check 'and of one core nothing changes' refused X735 'megacore'
sed 's/\[\[0, 1, 2, 3, 4, 5, 6, 7\]\]/[[0, 1, 2, 3]]/; s/tensor<1x8xi64>/tensor<1x4xi64>/' step.mlir >four.mlir
octet check --program four.mlir --slice v4-8 --batch-argument batch --json
check 'a program for four replicas is one for four chips' judged gradients pass
check 'and has no replica for each core' eval '! out_has "one core here"'
octet check --model bert-large --slice v2-8 --batch 512 --seq 512
check 'parts of a batch that are added up' err_has 'take at most [0-9]+ examples? a replica(, with recomputing asked for \(--gradient-checkpointing\))?, and add up'
parts=$(grep -oE 'take at most .*' err | grep -oE '(--gradient-checkpointing|--accumulate [0-9]+)' | tr '\n' ' ')
octet check --model bert-large --slice v2-8 --batch 512 --seq 512 $parts --json
check 'leave room for their sum' test "$(verdict memory)" = pass
octet check "${BASE[@]}" --precision f32 --json
check 'what bf16 activations would gain is measured in the same precision' \
  awk "BEGIN { exit !($(json_value step_seconds_with_bf16_activations out) > 0.5 * $(json_value step_seconds out)) }"
printf '10\n20\n300\n' >lengths
octet check --model bert-tiny --slice v3-8 --batch 8 --lengths lengths --padding lengths:64,128 --json
check 'one batch that no bucket holds is refused for that' judged rule_3 fail X301
check 'with its reason' out_has 'is up to 300'
octet check --layers 2 --hidden 64 --heads 2 --vocab-size 100 --slice v5e-1 --batch 256 --seq 4
check 'steps that are too small are told' out_has 'they are too small'
check 'and the smallest slice is not to be made smaller' same "$(grep -c 'rent a smaller slice' out)" 0

# Lengths: nine batches of seven, much padding within them, and whose tokens are counted.
awk 'BEGIN { split("60 61 62 63 64 65 66 66 66", l); for (b = 1; b <= 9; ++b) for (i = 0; i < 64; ++i) print l[b] - (i > 0) * 3 }' >lengths
octet check "${BASE[@]}" --lengths lengths --json
check 'seven programs for nine calls are too many' judged rule_3 fail
check 'by the share of calls that compile' awk "BEGIN { exit !($(json_value programs_per_1000_calls out) > 500) }"
awk 'BEGIN { for (i = 0; i < 640; ++i) print i % 64 ? 20 : 120 }' >lengths
octet check "${BASE[@]}" --lengths lengths --padding max_length --json
check 'padding within batches counts' judged rule_3 warn
check 'and is told' out_has 'Of all positions, 8[0-9] % are padding'
printf '90\n200\n70\n64\n90\n64\n64\n64\n' >lengths
octet check --model bert-base --slice v3-8 --batch 8 --seq 128 --lengths lengths --padding multiple_of:64
check 'what is cut is told' out_has '^ +1 example is longer than --seq, up to 200 tokens'
octet tokenizer train --kind bpe --text text.txt --vocab-size 300 --out bytes
octet check --layers 1 --hidden 64 --vocab-size 120 --slice v3-8 --batch 16 --seq 64 --text text.txt
check 'words learned from the text itself are told' out_has 'WordPieces learned from text.txt itself'
octet check --model gpt2 --slice v3-8 --batch 16 --seq 64 --text text.txt
check 'which GPT-2 has of bytes' out_has 'byte-level pieces learned from text.txt itself'
octet check --model gpt2 --slice v3-8 --batch 16 --seq 64 --text text.txt --tokenizer bytes
check 'or the words of a tokenizer' out_has '300 byte-level pieces of bytes'
check 'a text for it is cut into blocks, and none is padded' out_has 'The text is cut into [0-9]+ blocks of 64 tokens: one program, and no padding'
octet check --model gpt2 --slice v3-8 --batch 16 --seq 64 --text text.txt --padding longest
check 'so that padding is refused' refused X735 '--padding does nothing for a causal model of a text'
octet train --kind causal --text text.txt --padding longest --out gpt "${SMALL[@]}"
check 'as in training' refused X735 '--padding does nothing for a causal model of a text'
octet check --model gpt2 --slice v3-8 --batch 16 --seq 1024 --text lengths
check 'a text of less than a block is refused' refused X706 lengths
awk '{ for (i = 0; i <= NR * NR * 37 % 101; ++i) printf "%s ", $1; print "" }' text.txt >uneven.txt
octet check --model bert-base --slice v3-8 --batch 8 --seq 128 --padding longest --text uneven.txt
check 'lines of many lengths can be joined instead' out_has 'or: +join lines into full sequences, as octet train does by default \(--packing lines\)'
octet check --model bert-base --slice v3-8 --batch 16 --seq 64 --tokenizer bytes
check 'a tokenizer without a text is wrong usage' status_is 2

# Positions: a model takes so many.
octet check --model model --slice v3-8 --batch 8
check 'without a length, as many tokens as the model takes' same "$(out_has 'i32\[1, 16\]' && echo 16)" 16
octet check --model model --slice v3-8 --batch 8 --seq 512
check 'more tokens than it has positions for are refused' refused X709 'seq is 512, and the model has embeddings for 16'
octet check --model bert-base --slice v3-8 --batch 8 --seq 1024
check 'of a BERT' refused X709 'choose 512 or less'
octet check --model gpt2 --slice v3-8 --batch 8 --seq 2048
check 'and of a GPT-2' refused X709 'choose 1024 or less'

# Times.
step_of() {
  octet check "$@" --json
  json_value step_seconds out
}
fits=$(step_of --model bert-large --slice v3-8 --batch 792 --seq 512)
more=$(step_of --model bert-large --slice v3-8 --batch 800 --seq 512)
check 'one example too many makes a step no faster' awk "BEGIN { exit !($more > $fits) }"
wide=$(step_of --model bert-base --slice v5e-4 --batch 8 --seq 32)
narrow=$(step_of --model bert-base --slice v5e-4 --batch 8 --seq 32 --activations bf16)
check 'gradients are reduced in f32 whatever activations are' awk "BEGIN { exit !($narrow > 0.95 * $wide) }"
took=$(step_of --model bert-base --slice v3-512 --batch 512 --seq 8 --activations bf16)
octet estimate --model bert-base --slice v3-512 --batch 512 --seq 8 --optimizer adamw --no-shard-optimizer --no-clip-norm --json
check 'and as joined as estimate takes them to be' awk "BEGIN { exit !(1e3 * $took < 1.15 * $(json_value step_ms out)) }"

# As in training, nothing is padded beyond --seq.
octet check --layers 1 --hidden 64 --slice v3-8 --batch 64 --seq 64 --text text.txt --padding multiple_of:200 --json
check 'a multiple beyond the length is the length' awk "BEGIN { exit !($(json_value padding_share out) < 0.9) }"
printf '{"model_type": "bert", "hidden_size": 64, "num_hidden_layers": 1, "num_attention_heads": 1, "intermediate_size": 256, "max_position_embeddings": 100}' >config.json
printf '90\n100\n70\n64\n90\n64\n64\n64\n' >lengths
for padding in multiple_of:64 doubling_then_linear:64,48 lengths:64,256; do
  octet check --config config.json --slice v3-8 --batch 8 --seq 100 --lengths lengths --padding "$padding"
  check "$padding pads no further than there are positions" status_is 0
done
check 'one batch is told to be one' out_has 'The examples make one batch'
printf '\357\273\27790\n' >lengths
octet check "${BASE[@]}" --lengths lengths
check 'a byte order mark is no length, and one example is one' out_has '1 example in batches of'

printf '12\nmany\n' >lengths
octet check "${BASE[@]}" --lengths lengths
check 'what is no length is refused with its line' refused X709 'lengths:2'
: >lengths
octet check "${BASE[@]}" --lengths lengths
check 'no lengths are refused' refused X702 lengths
check 'with what a list of lengths has' err_has 'fix: +give one number a line$'
if [ ${#PROGRAM[@]} = 1 ]; then
  yes many | timeout 20 "${PROGRAM[@]}" check "${BASE[@]}" --lengths /dev/stdin >out 2>err
  STATUS=$?
  check 'and what is none is refused before all is read' refused X709 'stdin:1'
fi
octet check "${BASE[@]}" --text nowhere.txt
check 'a missing text is refused' refused X701 nowhere.txt
octet check --model bert-bas --slice v3-8 --batch 8
check 'an unknown model is refused with the nearest' refused X717 'use bert-base'
octet check --model gpt2 --embedding 64 --slice v3-8 --batch 8
check 'a GPT-2 has no size of word embeddings of its own' refused X735 '--embedding does nothing for this model'
octet check --model bert-base --slice v9-8 --batch 8
check 'a slice that nobody sells is refused' refused X604 v9-8
octet check "${BASE[@]}" --padding multiple_of:0
check 'multiples of nothing are wrong usage' status_is 2
check 'of which the words that there are are told' err_has "'multiple_of:0' is not max_length, longest, multiple_of:N"
while read -r before now; do
  octet check "${BASE[@]}" $before
  check "$before is wrong usage" status_is 2
  check "and $now is named" err_has "is written --padding $now\$"
done <<'OTHER_NAMES'
--pad-to-multiple-of=64 multiple_of:64
--buckets=64,128 lengths:64,128
--pad-to-max-length max_length
--padding=64 multiple_of:64
OTHER_NAMES
octet check "${BASE[@]}" --data disk
check 'where the data lie says nothing without the host' refused X709 '--host'
octet check --slice v3-8 --batch 8
check 'no model is wrong usage' status_is 2
octet check --model bert-base --slice v3-8
check 'no batch is wrong usage' status_is 2
octet check "${BASE[@]}" --host moon --data disk
check 'a host of no known kind is wrong usage' status_is 2
octet check "${BASE[@]}" --program x
check 'a model and a program are wrong usage' status_is 2
finish
