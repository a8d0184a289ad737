# octet estimate and octet check, of numbers at the ends of what there is: where machines and builds could differ.
source "$(dirname "$0")/check.sh"

octet estimate --model bert-large --slice v3-32 --batch 448 --seq 512 --predictions 76 --code mlperf-bf16 --json
check 'a published step is estimated' same "$(json_value fits out)/$(wc -l <out)" true/1
SMALLER=(--layers 2 --hidden 256 --slice v3-32 --batch 256 --seq 128)
for value in '--compile-seconds 1e308 --compiles 429 --steps 493' '--prepare-us 1e300' '--slow-host 1e300'; do
  octet estimate "${SMALLER[@]}" $value
  check "$value is refused" refused X709 "$(cut -d' ' -f1 <<<"$value" | cut -c3-) is 1e"
done
octet estimate "${SMALLER[@]}" --host-ms 1e300
check 'and milliseconds of more than a year' refused X709 'host-ms has 1e'
octet estimate "${SMALLER[@]}" --constant hbm_efficiency=1e-300
check 'and a constant of no use' refused X709 '1e-12 to 1e12'
for batch in 0 -8 1000000000 99999999999999999; do
  octet estimate --model bert-large --slice v3-32 --batch $batch
  check "a batch of $batch is refused" refused X709 "batch is $batch"
  octet check --model bert-base --slice v3-8 --batch $batch
  check 'by octet check as well' refused X709 "batch is $batch"
done

BASE=(--model bert-base --slice v3-8 --batch 64 --seq 128)
awk 'BEGIN { for (i = 0; i < 6400; ++i) print 10 + i * 37 % 101 + int(i / 64) % 17 }' >lengths
octet check "${BASE[@]}" --lengths lengths --json
check 'padding to the longest of a batch makes many programs' test "$(json_value programs out)" -gt 8
check 'with buckets that would make few' out_has '"--padding multiple_of:[0-9]+: [0-9] programs?, '
for length in 9000000000/9,000,000,000 99999999999999999999/9,223,372,036,854,775,807; do
  printf '12\n%s\n' "${length%/*}" >lengths
  octet check "${BASE[@]}" --lengths lengths
  check "a length of ${length%/*} is cut off, and told" out_has "1 example is longer than --seq, up to ${length#*/} tokens"
done
printf '한국어 문장입니다\n日本語の文です\n😀 emoji\n' >text.txt
octet check --layers 1 --hidden 64 --vocab-size 120 --slice v3-8 --batch 16 --seq 32 --text text.txt --json
check 'a text in any language has lengths' out_has '"shapes":[1-9]'
finish
