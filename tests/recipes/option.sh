# With it check prints all but its last line; help and the manual page have it, crosscheck refuses it.
set -eu
test=litmus/spb/def1.litmus
$CRASHLIT --format herd -m hrf-direct -p epoch $test >"$WORK/whole" || [ $? -eq 1 ]
tail -n 1 "$WORK/whole" | grep -q '^Summary: '
$CRASHLIT --no-summary --format herd -m hrf-direct -p epoch $test >"$WORK/out" || [ $? -eq 1 ]
sed '$d' "$WORK/whole" | cmp - "$WORK/out"
$CRASHLIT check --help | grep -q -- '--no-summary'
sh tools/man-options.sh "$CRASHLIT" <man/crashlit.1 | grep -q 'no.-summary'
status=0
$CRASHLIT crosscheck --no-summary $test 2>"$WORK/err" || status=$?
[ "$status" -eq 2 ]
grep -q 'crosscheck takes no --no-summary' "$WORK/err"
