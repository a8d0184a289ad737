# Models that are trained further, words that are there before, and texts to measure on: --from, --tokenizer, --held-out,
# and octet evaluate.
source "$(dirname "$0")/check.sh"

made_up_text >all.txt
head -n 300 all.txt >text.txt
tail -n 100 all.txt >other.txt
tail -n 40 all.txt | sed 's/$/ it is late/' >third.txt
loss() { json_value "$1" out; }

octet train --text text.txt "${SMALL[@]}" --steps 20 --held-out other.txt --out model --json
check 'the loss is measured on another text' status_is 0
check 'all of which is held out' same "$(json_value held_out_lines out)" 100
check 'and none of what is trained on' same "$(json_value training_lines out)" 300
measured=$(loss held_out_loss)
octet evaluate --model model --text other.txt --json
check 'the model is measured as its run was' same "$(loss loss)" "$measured"
check 'perplexity is told' awk -v loss="$(loss loss)" -v told="$(json_value perplexity out)" \
  'BEGIN { exit !(told / exp(loss) > 0.9999 && told / exp(loss) < 1.0001) }'
octet evaluate --model model --text other.txt --threads 1 --json
check 'on any number of threads' same "$(loss loss)" "$measured"
octet evaluate --model model --text other.txt --seed 3 --json
check 'with the masks of a seed' eval '! same "$(loss loss)" "$measured"'
octet evaluate --model model --text other.txt
check 'in a sentence, too' out_has '^Loss [0-9.]+ nats over [0-9,]+ masked tokens: perplexity [0-9.]+\.$'
octet evaluate --model model --text other.txt --seq 17
check 'no more tokens than the model takes' refused X709 '17, and the model has embeddings for 16'
octet evaluate --model model --text other.txt --seq 4
check 'nor fewer than make a sequence' refused X709 '^X709: --seq is 4, and must be at least 8'
octet evaluate --model model --text other.txt --mask-probability 1.5
check 'shares are shares' refused X709 '^X709: --mask-probability is 1.5'
octet evaluate --model model
check 'on nothing nothing is measured' status_is 2
octet evaluate --model nowhere --text other.txt
check 'a directory that is not there is no model' refused X714 nowhere
octet evaluate --model model --text nothing.txt
check 'a text that is not there is missing' refused X701 nothing.txt

octet train --text text.txt "${SMALL[@]}" --steps 20 --held-out other.txt --out parts --lose all@15 --save-every 5
hash=$(grep -oE '\([0-9a-f]{16}\)' out)
octet train --text text.txt "${SMALL[@]}" --steps 20 --held-out other.txt --out whole
check 'a run that was lost ends with the same bits' same "$(grep -oE '\([0-9a-f]{16}\)' out)" "$hash"
octet train --text text.txt --out whole --resume
check 'a run that goes on measures on the same text' refused X711 'another text'
check 'and it may be what is held out that differs' err_has 'or what is held out of it is another'
octet train --text text.txt "${SMALL[@]}" --held-out other.txt --held-out-one-in 7
check 'two ways to hold out exclude each other' refused X735 'held-out-one-in does nothing beside --held-out'
: >empty.txt
octet train --text text.txt "${SMALL[@]}" --steps 2 --held-out empty.txt
check 'an empty text measures nothing' refused X702 empty.txt

octet train --text third.txt --from model --steps 8 --batch 8 --seq 12 --warmup-steps 2 --seed 7 --held-out other.txt --out further --json
check 'a model is trained further' status_is 0
check 'with its own sizes' grep -q '"hidden_size": 16' further/config.json
check 'and its positions, though sequences are shorter' grep -q '"max_position_embeddings": 16' further/config.json
check 'and its words' cmp -s model/vocab.txt further/vocab.txt
final=$(loss parameters_hash)
octet train --text third.txt --from model --steps 8 --batch 8 --seq 12 --warmup-steps 2 --seed 7 --held-out other.txt --out stopped --lose all@5 --save-every 3 --json
check 'a run that began so is resumed to the same bits' same "$(loss parameters_hash)" "$final"
octet fill --model further 'the small [MASK] sees a bird.'
check 'and its model fills blanks' status_is 0
octet train --text third.txt --from model --steps 1 --batch 8 --warmup-steps 0 --seed 7 --learning-rate 1e-30 --weight-decay 0 --out same
octet evaluate --model same --text other.txt --json
before=$(loss loss)
octet evaluate --model model --text other.txt --json
check 'a step that changes nothing leaves the weights' awk -v a="$before" -v b="$(loss loss)" \
  'BEGIN { exit !(a - b < 1e-4 && b - a < 1e-4) }'
octet train --text third.txt --from model --hidden 32 --vocab-size 300 --steps 2
check 'its sizes are not to be chosen' refused X735 '--hidden does nothing beside --from'
check 'nor its words' err_has '--vocab-size does nothing beside --from'
octet train --text third.txt --from model --no-lowercase --steps 2
check 'which are named as they were typed' refused X735 '--no-lowercase does nothing beside --from'
octet train --text third.txt --from model --seq 17 --steps 2
check 'nor sequences that it does not take' refused X709 'model has embeddings for 16 positions'
octet train --kind causal --text third.txt --from model --steps 2
check 'a BERT is trained as one' refused X737 'what it is: --kind masked'
octet train --text third.txt --from nowhere --steps 2
check 'what is not there is not begun with' refused X714 nowhere
octet train --text third.txt --from model --out model --resume
check 'a run that goes on has its own weights' status_is 2
cp -r model other_epsilon && rm other_epsilon/training.json
sed 's/"layer_norm_eps": 1e-12/"layer_norm_eps": 1e-5/' model/config.json >other_epsilon/config.json
octet train --text third.txt --from other_epsilon --steps 2
check 'what no run makes is not trained' refused X714 'epsilon is 1e-05'
octet evaluate --model other_epsilon --text other.txt
check 'but measured' status_is 0
printf 'id,text\n' >header.csv
octet train --text text.txt --from model --steps 2 --held-out header.csv
check 'a table without a row measures nothing' refused X706 'no line of text in header.csv'

octet evaluate --model model --text other.txt --documents files
check 'lines of a BERT know no documents' refused X735 '--documents does nothing for lines of a text'

octet tokenizer train --text all.txt --kind wordpiece --vocab-size 90 --no-lowercase --out words
octet train --text text.txt "${SMALL[@]:0:10}" --batch 8 --tokenizer words --steps 6 --warmup-steps 2 --seed 7 --out worded --json
check 'lines are trained on with words that are there' status_is 0
check 'which are saved with the model' cmp -s words/vocab.txt worded/vocab.txt
check 'with what was done to a text before' grep -q '"do_lower_case": false' worded/tokenizer_config.json
octet train --text text.txt --tokenizer words --vocab-size 70 --steps 2
check 'then none are learned' refused X735 '--vocab-size does nothing beside --tokenizer'
octet train --text text.txt --out worded --resume --tokenizer model
check 'and no others are taken later' refused X736 'not the tokenizer that the run was begun with'
octet train --text text.txt --out worded --resume
check 'but a finished run goes on' status_is 0

for file in text other; do awk '{ print } NR % 10 == 0 { print "" }' $file.txt >$file.documents; done
octet data bert --text text.documents --format txt --model model --max-seq-length 16 --dupe-factor 2 --out examples
octet data bert --text other.documents --format txt --model model --max-seq-length 16 --dupe-factor 1 --out others
octet train --records 'examples/*.tfrecord' --from model --held-out 'others/*.tfrecord' --steps 4 --batch 8 --warmup-steps 1 --out judged
check 'a head that the model does not have begins at random' err_has 'model has no next_sentence.pooler.weight and 3 parameters more'
check 'records that are named are measured on alone' eval '! out_has "several passes"'
octet train --records 'examples/*.tfrecord' --held-out 'examples/*.tfrecord' --out judged --resume
check 'such a run is not measured on others later' refused X711 'other data'
octet train --records 'examples/*.tfrecord' --held-out 'others/*.tfrecord' --out judged --resume
check 'but on the same' status_is 0
octet evaluate --model judged --records 'others/*.tfrecord' --mask-probability 0.3 --seq 8
check 'what records settle is not to be chosen' refused X735 'does nothing for records'
octet train --text third.txt --from judged --steps 2 --batch 8
check 'a head that nobody asks is left out, and that is said' err_has 'judged has a head that judges next sentences, which is left out'
octet evaluate --model judged --records 'others/*.tfrecord'
check 'pairs are judged' out_has 'pairs judged right'
octet evaluate --model judged --records 'others/*.tfrecord' --no-header --field body
check 'nor how a text is read' refused X735 '--no-header does nothing for records'
for data in text other; do octet data bert --text $data.documents --format txt --model model --on-the-fly --out $data.fly; done
octet train --tokens text.fly/documents.tokens --held-out other.fly/documents.tokens --from model --steps 4 --batch 8 --warmup-steps 1 --out flown --json
measured=$(loss held_out_loss)
octet evaluate --model flown --tokens other.fly/documents.tokens --json
check 'tokens are measured with the masks of the run' same "$(loss loss)" "$measured"
octet evaluate --model judged --text other.txt
check 'where lines make none, only words are' eval 'status_is 0 && ! out_has pairs'

octet train --kind causal --text text.txt "${SMALL[@]:0:8}" --vocab-size 300 --seq 16 --batch 8 --steps 6 --warmup-steps 2 --out gpt
octet train --kind causal --text third.txt --from gpt --seq 8 --batch 8 --steps 4 --warmup-steps 1 --held-out other.txt --out gpt_on --json
check 'a GPT-2 is trained further' status_is 0
measured=$(loss held_out_loss)
octet evaluate --model gpt_on --text other.txt --json
check 'and measured: blocks of another order add up to nearly the same' awk -v a="$(loss loss)" -v b="$measured" \
  'BEGIN { exit !(a - b < 1e-4 && b - a < 1e-4) }'
all=$(loss tokens)
head -c 30 other.txt >short.txt
octet evaluate --model gpt_on --text short.txt --json
check 'a text of less than a block is measured, too' status_is 0
cat other.txt short.txt >longer.txt
octet evaluate --model gpt_on --text longer.txt --json
check 'and what is left of a text after its last block' test "$(loss tokens)" -gt "$all"
sed 's/.*/{"text": "&"}/' third.txt >third.jsonl
octet train --kind causal --text third.jsonl --documents lines --from gpt --seq 8 --batch 8 --steps 4
check 'JSON lines are documents each' refused X735 '--documents does nothing for third.jsonl'
octet train --kind causal --text third.txt --documents lines --held-out third.jsonl --from gpt --seq 8 --batch 8 --steps 2
check 'beside plain text they are measured on' status_is 0
octet train --kind causal --text third.jsonl --documents lines --held-out other.txt --from gpt --seq 8 --batch 8 --steps 2
check 'and beside them plain text' status_is 0
octet evaluate --model gpt_on --records 'others/*.tfrecord'
check 'not on masked examples' refused X709 'is a GPT-2'
octet train --kind electra --text text.txt "${SMALL[@]}" --steps 6 --out electra
octet train --text third.txt --from electra --steps 2
check 'an ELECTRA is begun with as one' refused X709 'add --kind electra'
octet train --text third.txt --from electra/generator --steps 2
check 'and as a whole' refused X709 'name the directory around it, and --kind electra'
octet train --kind electra --text third.txt --from electra --steps 4 --batch 8 --warmup-steps 1 --out electra_on
check 'an ELECTRA is trained further' status_is 0
octet evaluate --model electra_on --text other.txt --json
check 'and measured' out_has '"discriminator_accuracy":0'
octet evaluate --model electra_on/generator --text other.txt
check 'its generator alone, too' out_has '^Loss'
cp -r electra alone && rm -r alone/generator
octet evaluate --model alone --text other.txt
check 'a discriminator alone is told to be one' refused X714 'discriminator without its generator'
finish
