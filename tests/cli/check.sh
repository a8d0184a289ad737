# What the tests of the command line share: `source check.sh PROGRAM [ARGUMENT...]` with the program to test, such as
# `build/native/octet` or `node build/wasm/octet.js`.
set -u
[ $# -gt 0 ] || { echo "usage: $0 PROGRAM [ARGUMENT...]" >&2; exit 2; }
PROGRAM=("$@")
HERE=$(dirname "$(realpath "${BASH_SOURCE[0]}")")
PROGRAM[$#-1]=$(realpath "${PROGRAM[$#-1]}")
WORK=$(mktemp -d)
trap 'chmod -R u+rwX "$WORK"; rm -rf "$WORK"' EXIT
cd "$WORK" || exit 2
export TERM=dumb LC_ALL=C.UTF-8
FAILURES=0

# octet ARGUMENT...: runs the program; afterwards STATUS is its exit status, the files out and err what it wrote.
octet() {
  "${PROGRAM[@]}" "$@" >out 2>err </dev/null
  STATUS=$?
}

# check SENTENCE COMMAND...: the sentence is true if the command succeeds.
check() {
  local sentence=$1
  shift
  if "$@"; then
    echo "ok: $sentence"
  else
    FAILURES=$((FAILURES + 1))
    echo "NOT TRUE: $sentence"
    echo "  ($*)"
    echo "  status ${STATUS:-}"
    sed 's/^/  out: /' out | tail -n 5
    sed 's/^/  err: /' err | tail -n 20
  fi
}
status_is() { [ "$STATUS" = "$1" ]; }
out_has() { grep -qE -- "$1" out; }
err_has() { grep -qE -- "$1" err; }
# refused NUMBER WORDS: the work failed with this message, which says these words.
refused() { status_is 1 && err_has "^$1" && err_has "$2"; }
absent() { [ ! -e "$1" ]; }
same() { [ "$1" = "$2" ] && [ -n "$1" ]; }
# The value of a number or text NAME in the last line of FILE.
json_value() { tail -n 1 "$2" | grep -oE "\"$1\":(\"[^\"]*\"|[^,}]*)" | head -n 1 | cut -d: -f2- | tr -d '"'; }

# verdict ID: the verdict of that line of the last JSON report; number ID: its number.
verdict() { grep -oE "\"id\":\"$1\",\"question\":\"[^\"]*\",\"verdict\":\"[^\"]*\"" out | grep -oE '[^"]*"$' | tr -d '"'; }
number() { grep -oE "\"id\":\"$1\",\"question\":\"[^\"]*\",\"verdict\":\"[^\"]*\",\"number\":\"[^\"]*\"" out | grep -oE 'X[0-9]+'; }
# judged ID VERDICT [NUMBER]
judged() { [ "$(verdict "$1")" = "$2" ] && [ "$(number "$1")" = "${3:-}" ]; }

# Some hundred lines of sentences, always the same.
made_up_text() {
  awk 'BEGIN {
    split("a the this that", which); split("small red old quiet quick green cold warm", kind)
    split("cat dog bird tree river stone house child", noun); split("sees finds likes follows hears", verb)
    for (i = 1; i <= 400; ++i)
      print which[i % 4 + 1], kind[i * 7 % 8 + 1], noun[i * 5 % 8 + 1], verb[i * 3 % 5 + 1], which[i * 11 % 4 + 1],
            noun[i * 13 % 8 + 1] "."
  }'
}
# A model so small that a step takes milliseconds.
SMALL=(--layers 1 --hidden 16 --heads 2 --intermediate 32 --seq 16 --batch 8 --vocab-size 120 --warmup-steps 2 --seed 7
  --threads 2)

finish() { exit "$((FAILURES > 0))"; }
