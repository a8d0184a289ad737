# The exercises on a terminal, which `script` makes: watch mode, at several sizes.
SHIPPED=$(realpath "$(dirname "$0")/../../demos/exercises")
source "$(dirname "$0")/check.sh"
command -v script >/dev/null || { echo 'script is not here: nothing is tested'; exit 0; }
export LANG=C.UTF-8 TERM=xterm
out_lacks() { ! out_has "$1"; }

touch out err
# watched ROWS COLUMNS COMMAND [ARGUMENT...]: what the terminal shows while COMMAND, whose output is keys, lives.
watched() {
  local size="stty rows $1 cols $2"
  local keys=$3
  shift 3
  : >out
  "$keys" | script -qec "$size; $(printf '%q ' "${PROGRAM[@]}" --folder copies "$@")" /dev/null >out
  STATUS=$?
  sed -i 's/\r$//' out
}
# until WORDS: waits for them on the terminal.
until_shown() {
  local i
  for i in $(seq 600); do
    grep -qF -- "$1" out && return
    sleep 0.1
  done
}
last_page() { awk 'BEGIN { RS = "\033\\[2J" } { page = $0 } END { printf "%s", page }' out; }
widest() { last_page | sed 's/\x1b\[[0-9;]*m//g' | grep -v ' | \|/' | awk '{ if (length($0) > most) most = length($0) } END { print most }'; }

quit() { until_shown 'quit'; printf q; }
NO_COLOR=1 watched 40 100 quit
check 'without colours there is watch mode' out_has 'q:quit'
check 'and no colour' out_lacks $'\033\\[[0-9]+m'
check 'no line is wider than the terminal' test "$(widest)" -le 100

watched 24 40 quit
check 'nor where it is narrow' test "$(widest)" -le 40

more() { until_shown 'press m'; printf m; sleep 1; printf q; }
watched 24 80 more checklist
check 'of many messages the first is shown' out_has 'and [0-9]+ more: press m'
check 'and all when asked for' test "$(last_page | grep -c '^X6')" -gt 1

gone() { until_shown 'quit'; rm copies/if_on_array.cpp; until_shown 'The file is gone: x puts it back'; printf x; sleep 1; printf q; }
watched 40 100 gone if_on_array
check 'a file that is gone is told as such' out_has 'The file is gone: x puts it back'
check 'and put back' cmp copies/if_on_array.cpp "$SHIPPED/if_on_array/exercise.cpp"

finish
