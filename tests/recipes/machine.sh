# Two stores of a work-item become durable in their order: 3 of the 4 images. Under strict persistency, which
# the machine promises, every test of SPB contains what it shows.
set -eu
$CRASHLIT machines | grep -q '^eager  *hrf-direct + strict '
$CRASHLIT check --format herd -e machine --machine eager -m hrf-direct -p strict litmus/spb/kv-insert-bare.litmus >"$WORK/out" ||
    [ $? -eq 1 ]
[ "$(grep '^Crash states' "$WORK/out")" = 'Crash states 3' ]
! grep -q 'key=1; val=0;' "$WORK/out"
$CRASHLIT crosscheck -e machine --machine eager -m hrf-direct -p strict litmus/spb >"$WORK/out" ||
    [ $? -eq 3 ] # another recipe's test has an instruction that no machine has
grep -q '^Machines: [1-9][0-9]* contained, 0 outside' "$WORK/out"
$UNIT mach
