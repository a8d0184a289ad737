#!/usr/bin/env bash
# Writes what the peers read: models trained for a while, their programs, tokenizers, record and event files, and what
# Octet says of them.
#
#     make.sh OCTET DIRECTORY [TEXT...]
#
# Without texts it makes one up, of English, Korean and Japanese sentences.
set -euo pipefail
OCTET=$(realpath "$1")
OUT=$(mkdir -p "$2/texts" && realpath "$2")
HERE=$(dirname "$(realpath "${BASH_SOURCE[0]}")")
shift 2
[ $# = 0 ] || cp -- "$@" "$OUT/texts"
octet() {
  "$OCTET" "$@" 2>>"$OUT/log" || { tail -n 5 "$OUT/log" >&2; exit 1; }
}
cd "$OUT"

if [ $# = 0 ]; then
  {
    source /dev/stdin <<<"$(sed -n '/^made_up_text()/,/^}/p' "$HERE/../cli/check.sh")"
    made_up_text
    for i in $(seq 200); do
      echo "작은 고양이가 ${i}번째 큰 나무를 본다. 그 집의 아이는 강을 좋아한다."
      echo "小さな猫が${i}本目の大きな木を見る。その家の子供は川が好きだ。"
      [ $((i % 10)) -ne 0 ] || echo
    done
  } >texts/made_up.txt
fi
TEXTS=(texts/*)
# Lines that tokenizers disagree about first: accents, full width, jamo, emoji, controls, unknown scripts, no blanks.
{
  printf 'The small cat sees a bird.\nthe old river follows the stone, and this child finds it!\n'
  printf '작은 고양이가 큰 나무를 본다.\n小さな猫が大きな木を見る。\n'
  printf 'Ａｂｃ　１２３ ｶﾞ ㍿ ﬁne\ncafe\xcc\x81 na\xc3\xafve \xc3\x85ngstr\xc3\xb6m I\xcc\x87stanbul\n'
  printf '\xe1\x84\x92\xe1\x85\xa1\xe1\x86\xab\xe1\x84\x80\xe1\x85\xb3\xe1\x86\xaf 한글\n'
  printf '👩‍👩‍👧 🇰🇷 ☕️ 1️⃣\na\xc2\xadb\xe2\x80\x8bc\xe2\x80\x8dd\xef\xbb\xbfe \x01x\x7fy\tz\xc2\xa0w\n'
  printf "don't we'll I'M they've  two  blanks   three \nДом العربية हिन्दी ไทย\n"
  printf '[MASK] and [SEP] [CLS]x <|endoftext|>y\n'
  seq 1 60 | tr -d '\n'; printf '\n'
  tail -q -n 400 "${TEXTS[@]}" | cut -c1-300 | iconv -c -f UTF-8 -t UTF-8
} >lines.txt

sizes=(--layers 2 --hidden 64 --heads 4 --intermediate 128 --batch 16 --warmup-steps 5 --seed 3 --steps 40 --save-steps 20
  --save-total-limit 1)
octet train --text "${TEXTS[@]}" "${sizes[@]}" --seq 32 --vocab-size 1000 --logging-dir runs/bert --out bert >/dev/null
octet train --text "${TEXTS[@]}" "${sizes[@]}" --seq 32 --vocab-size 1000 --kind electra --logging-dir runs/electra --out electra >/dev/null
octet train --text "${TEXTS[@]}" "${sizes[@]}" --context-length 32 --vocab-size 1000 --kind causal --logging-dir runs/gpt --out gpt >/dev/null
# A run that was stopped half way and went on.
octet train --text "${TEXTS[@]}" "${sizes[@]}" --seq 32 --vocab-size 1000 --lose all@31 --logging-dir runs/lost --out lost >/dev/null
awk '1; NR % 20 == 0 { print "" }' "${TEXTS[@]}" >documents.txt  # a text may be one document, which makes no pairs
octet data bert --text documents.txt --model bert --max-seq-length 32 --max-predictions-per-seq 5 --dupe-factor 1 --out examples >/dev/null
octet train --records examples/*.tfrecord --tokenizer bert "${sizes[@]}" --seq 32 --out pairs >/dev/null

for model in bert pairs electra electra/generator gpt; do
  name=${model//\//_}
  octet export --model $model --format stablehlo --batch 4 --replicas 1 --out $name.forward.mlir --weights $name.forward.safetensors >/dev/null
  octet export --model $model --format safetensors --out $name.weights.safetensors >/dev/null
done
for model in bert pairs electra gpt; do
  octet export --model $model/checkpoint-20 --format stablehlo --program train-step --out $model.step.mlir --weights $model.state.safetensors >/dev/null
done

octet fill --model bert --precision f32 --count 3 --json 'the small [MASK] sees a bird.' '작은 고양이가 큰 [MASK] 본다.' >bert.fill.jsonl
octet fill --model electra --precision f32 --count 3 --json 'the small [MASK] sees a bird.' >electra.fill.jsonl
octet detect --model electra --precision f32 --json 'the small cat sees a bird.' '小さな猫が大きな木を見る。' >electra.detect.jsonl
octet continue --model gpt --precision f32 --temperature 0 --tokens 12 --json 'the small cat' '작은' >gpt.continue.jsonl

octet tokenizer train --text "${TEXTS[@]}" --kind bpe --vocab-size 3000 --out bpe >/dev/null
octet tokenizer train --text "${TEXTS[@]}" --kind bpe --vocab-size 700 --add-prefix-space --min-frequency 3 --out bpe_prefix >/dev/null
octet tokenizer train --text "${TEXTS[@]}" --vocab-size 3000 --out wordpiece >/dev/null
octet tokenizer train --text "${TEXTS[@]}" --vocab-size 700 --no-lowercase --no-handle-chinese-chars --no-clean-text --limit-alphabet 60 --out wordpiece_cased >/dev/null
octet tokenizer train --text "${TEXTS[@]}" --vocab-size 2500 --strip-accents --out wordpiece_stripped >/dev/null
for tokenizer in bert gpt bpe bpe_prefix wordpiece wordpiece_cased wordpiece_stripped; do
  octet tokenizer encode --model $tokenizer --json <lines.txt >$tokenizer.encoded.jsonl
done
