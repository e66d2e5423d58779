# The file asks for four lines in an L1 above an L2 of two, which has what an L1 has.
set -eu
status=0
$CRASHLIT check -e machine --machine tests/malformed/machine/room.machine tests/malformed/sample.litmus 2>"$WORK/err" ||
    status=$?
[ "$status" -eq 2 ]
diff tests/malformed/machine/room.expected "$WORK/err"
grep -q 'E-machine-room' "$WORK/err"
