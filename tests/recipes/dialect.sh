# A block is a work-group; a level of another dialect is refused, with the words of this one.
set -eu
$CRASHLIT litmus/spb/cuda-block.litmus litmus/spb/cuda-blocks.litmus >"$WORK/out"
grep -q '^Summary: 2 as expected, 0 otherwise' "$WORK/out"
for case in cuda-level dialect dialect-missing; do
    status=0
    $CRASHLIT check tests/malformed/litmus/$case.litmus 2>"$WORK/err" >"$WORK/out" || status=$?
    [ "$status" -eq 2 ]
    diff tests/malformed/litmus/$case.expected "$WORK/err"
done
grep -q 'CUDA' "$WORK/err"
$CRASHLIT check tests/fuzz/seeds/litmus/cuda.litmus >"$WORK/out"
