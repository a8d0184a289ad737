# The exercises without a terminal, in a folder of their own: shipped, mended, reset; what is solved is remembered.
SHIPPED=$(realpath "$(dirname "$0")/../../demos/exercises")
source "$(dirname "$0")/check.sh"
export LANG=C.UTF-8
exercises() { octet --folder copies "$@"; }
out_lacks() { ! out_has "$1"; }

exercises --list
check 'all exercises are listed' out_has '^ *> \[ \]  1  if_on_array '
check 'as many as are shipped' out_has "\] 0/$(grep -c '^[a-z]' "$SHIPPED/order.txt")\$"
exercises no_such_exercise
check 'a name that is none is wrong usage' status_is 2
exercises while_on_aray
check 'the nearest one is named' err_has 'Did you mean while_on_array\?'
exercises --language fr
check 'a language that is none is wrong usage' status_is 2

exercises
check 'as shipped, the first one fails' status_is 1
check 'the compiler speaks at the line of the copy' out_has 'copies/if_on_array.cpp:6:[0-9]+: error: X101: a traced Array has no value'
check 'the build is not shown' out_lacks 'ninja|FAILED|clang'
check 'hints are not told unasked' out_lacks 'Hint'
exercises --hints 2
check 'two hints are told when asked for' out_has 'Hint 2/3'
check 'and no third' out_lacks 'Hint 3/3'
exercises --language ko
check 'Korean is spoken when asked for' out_has '고칠 파일: .*copies/if_on_array.cpp'
LC_ALL=ja_JP.UTF-8 exercises --list
check 'Japanese is spoken where the locale is' out_has '配列を'

sed -i 's/^}$/} }/' copies/if_on_array.cpp
exercises
check 'another mistake is told with its own message' out_has 'copies/if_on_array.cpp:[0-9]+:[0-9]+: error: extraneous closing brace'
echo 'int nothing;' >copies/if_on_array.cpp
exercises
check 'where the function is gone, the learner is told so' out_has 'keep its name and its arguments'

cp "$SHIPPED/if_on_array/solution.cpp" copies/if_on_array.cpp
exercises
check 'mended, it passes' status_is 0
check 'and what to notice is told' out_has 'What to notice'
check 'it counts' out_has '\] 1/'
exercises --list
check 'the next one is current' out_has '^ *> \[ \]  2  both_conditions '
check 'the first one is solved' out_has '^ *\[x\]  1  if_on_array '
exercises if_on_array --reset
check 'reset puts back what was shipped' cmp copies/if_on_array.cpp "$SHIPPED/if_on_array/exercise.cpp"
check 'and keeps what was written' cmp copies/if_on_array.cpp.before-reset "$SHIPPED/if_on_array/solution.cpp"
check 'and says where' out_has 'copies/if_on_array.cpp.before-reset'
exercises --list
check 'and it is not solved any more' out_has '\] 0/'
exercises 3 --reset
check 'an exercise may be named by its number' out_has '^while_on_array: '
exercises exercises/both_conditions.cpp --reset
check 'or by its file' out_has '^both_conditions: '
exercises 999
check 'a number that is none is wrong usage' status_is 2
exercises slice_to_rent --reset
sed -i 's/^tpu::Slice slice_to_rent/std::string slice_to_rent/; s/return tpu::slice(\(.*\));/return \1;/; s/^import octet;/#include <string>\nimport octet;/' copies/slice_to_rent.cpp
exercises slice_to_rent
check 'another type than the check asks for is told at its line' out_has 'copies/slice_to_rent.cpp:6:13: error: the check calls it as tpu::Slice slice_to_rent\(\)\.'
sed -e 's/^tpu::Slice slice_to_rent() {/auto slice_to_rent() noexcept {/' "$SHIPPED/slice_to_rent/solution.cpp" >copies/slice_to_rent.cpp
exercises slice_to_rent
check 'one that follows from what is returned is the same' status_is 0
sed '$d' "$SHIPPED/slice_to_rent/solution.cpp" >copies/slice_to_rent.cpp
exercises slice_to_rent
check 'of a brace that is missing nothing else is told' out_has "copies/slice_to_rent.cpp:[0-9:]+ error: expected '}'"
check 'and nothing of what the check puts behind it' out_lacks 'asked_|/own/|import'

# written CODE...: what the learner has for the first exercise, which `clipped` is of, and what becomes of it.
written() {
  { echo 'import octet;' && printf '%s\n' "$@"; } >copies/if_on_array.cpp
  exercises if_on_array
}
readonly WHOLE='using namespace octet; Array clipped(Array x, Array limit) { return select(x > limit, limit, x); }'
readonly HEAD='using namespace octet; Array clipped(Array x, Array limit) {'
written '#include <cstdio>' "$HEAD" 'std::printf("here"); return select(x > limit, limit, x); }'
check 'what is printed does not mix with facts' status_is 0
check 'and is shown apart' out_has '^here'
written '#include <cstdio>' "$HEAD" 'for (int i = 0; i < 200000; ++i) std::printf("line %d\n", i);' \
  'return select(x > limit, limit, x); }'
check 'two megabytes of output fail nothing' status_is 0
check 'the first lines are shown' out_has '^line 19$'
check 'the others only by their number' out_has '^\.\.\. lines left out: [0-9]+ \.\.\.$'
check 'and not themselves' out_lacks '^line 20$'
check 'the last lines are shown' out_has '^line 199999$'
written '#include <cstdio>' '#include <cstdlib>' "$WHOLE" \
  'int made_up = (std::puts("fact\tok\tresult\ta\t1\t==\t1"), std::puts("facts\t1\t0"), std::exit(0), 0);'
check 'facts that are printed are none' status_is 1
check 'a program that ends itself is told so' out_has 'ended by itself, with status 0'
written "$HEAD" 'for (;;) __builtin_trap(); return select(x > limit, limit, x); }'
check 'a program that crashes does not pass' status_is 1
check 'and the learner is told of what' out_has 'crashed before all facts were stated: Illegal instruction'
SECONDS=0
written '#include <csignal>' '#include <unistd.h>' "$WHOLE" \
  'int silent = (closefrom(1), kill(getppid(), SIGTERM), sleep(300), 0);'
check 'a program that closed its outputs is ended when the runner is asked to end' test "$SECONDS" -lt 200
written '#include <cstdio>' '#include <unistd.h>' "$WHOLE" \
  'int endless = (sleep(21), std::puts("awake"), std::fflush(stdout), [] { for (volatile int i = 0;; i = 0) {} }(), 0);'
check 'a program that computes without end is stopped' out_has 'ran for too long'
check 'and not because it waited' out_has '^awake$'
written "$HEAD" 'return select(x > limit, limit, *static_cast<volatile int*>(nullptr) + x); }'
check 'a null pointer is told as such' out_has 'Segmentation fault'
written '#include <stdexcept>' "$HEAD" 'throw std::runtime_error("oops"); return select(x > limit, limit, x); }'
check 'an exception is told as such' out_has '^It threw an exception:$'
check 'with what it says' out_has '^oops$'
check 'and is no refusal' out_lacks 'Octet refuses it'
written "$HEAD" 'while (true) x = x + 1.0f; return select(x > limit, limit, x); }'
check 'more memory than there should be is told as such' out_has 'more than 2 GB of memory'
written "$HEAD" 'return iota(x.shape()); }'
check 'a call that matches nothing' out_has "if_on_array.cpp:[0-9]+:[0-9]+: error: no matching function for call to 'iota'"
check 'is told with what there is' out_has '^ +\| Array iota\(const TensorType& type'
written "$HEAD" 'std::vector<Array> both{x, limit}; return select(x > limit, limit, x); }'
check 'a header that is missed is named' out_has "if_on_array.cpp:[0-9]+:[0-9]+: error: 'std::vector' needs its header: #include <vector>$"
written 'using namespace octet; Array cut(Array x, Array limit, Array unused) { return select(x > limit, limit, x); }'
check 'a function that is missed is named as it is written' out_has '^  clipped\(Array x, Array limit\)$'
check 'once' same 1 "$(grep -c 'clipped(' out)"
check 'a warning beside it has only its own lines' out_lacks '^>>>'
check 'after what to do' same "$(grep -n 'clipped(' out | cut -d: -f1)" $(($(grep -n 'keep its name' out | cut -d: -f1) + 1))
written "$WHOLE" 'void check() {}'
check 'a name that another file has as well is told' out_has '^error: .*(multiple definition of|duplicate symbol:) .?check\(\)'
check 'with that file' out_has 'check\.cpp'
check 'and without the name of the linker' out_lacks '^error: [^ ]*ld(\.lld)?:'
printf '\377\376i\0n\0t\0' >copies/if_on_array.cpp
exercises if_on_array
check 'UTF-16 is told as such' out_has 'not UTF-8 text'

echo 'import octet;' >copies/pieces_of_bytes.cpp
exercises pieces_of_bytes
check 'types of the standard library are named as they are written' \
  out_has '^  written\(const text::Bpe&, const std::vector<int>&\)$'

exercises jit_within_jit
check 'a refusal stands at the line of the copy' out_has 'copies/jit_within_jit.cpp:12:[0-9]+: error: X405: a compiled function is called'
check 'and nothing is told that follows from it' same "$(grep -c ' error: ' out)" 1
cp copies/static_learning_rate.cpp .
sed -i 's/step(weight, rate)/step(weight, Tensor::scalar(rate))/' copies/static_learning_rate.cpp
exercises static_learning_rate
check 'a Tensor for a number is refused at the call' out_has 'copies/static_learning_rate.cpp:14:[0-9]+: error: X405: the traced function takes a number'
sed 's/(Array weight, float rate) {/(Array weight, auto rate) { if (weight > 0.0f) rate = 0;/' static_learning_rate.cpp >copies/static_learning_rate.cpp
exercises static_learning_rate
check 'a refusal below many templates stands at its line, too' out_has 'copies/static_learning_rate.cpp:8:[0-9]+: error: X101'

sed -i 's|return .*;|return sum(loss * keep) / sum(keep) * 1.000002f;|' copies/masked_mean.cpp
exercises masked_mean
check 'numbers that differ are told with the digits that differ' \
  out_has 'masked_mean\(\{7, 5, 9\}, \{0, 1, 0\}\)  \{5\.0000[0-9]+\}   wanted \{5\}'
exercises forgotten_mask
check 'facts that do not hold are told with what was measured' out_has '^  no  result  attention of 3 positions, padded to 8'
check 'and with what the compiler warned of' out_has "warning: unused parameter 'mask'"
exercises forgotten_mask
check 'each time' out_has "warning: unused parameter 'mask'"

cp "$SHIPPED/both_conditions/solution.cpp" copies/both_conditions.cpp
cp "$SHIPPED/if_on_array/solution.cpp" copies/if_on_array.cpp
"${PROGRAM[@]}" --folder copies both_conditions >one 2>&1 </dev/null &
exercises if_on_array
wait
check 'two at once do not disturb each other' same "$(grep -c 'Solved!' one out | tr '\n' ' ')" 'one:1 out:1 '
exercises --list
check 'and both are remembered' out_has '\] 2/'

compilers() { pgrep -f 'exercise_while_on_array.dir/own/while_on_array.cpp.o -c' >/dev/null; }
"${PROGRAM[@]}" --folder copies while_on_array >one 2>&1 </dev/null &
for _ in $(seq 600); do
  compilers && break
  sleep 0.05
done
kill "$!"
wait
no_compilers() { ! compilers; }
check 'an interruption ends the compilers, too' no_compilers

finish
