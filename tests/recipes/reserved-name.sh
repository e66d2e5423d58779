# Two work-items of a sub-group make their first stores in one moment. So at P0's point
# P1's x has executed, and being durable at once, is there (1 state). Without the line it may be missing (2).
set -eu
cat >"$WORK/warp.cat" <<'END'
warp "the first stores of a sub-group are one step"
let durable-before = [W & NVM]
let first = W \ range([W]; po)
let lockstep = [first]; ssg; [first]
END
for engine in enum smt; do
    printf 'OPENCL t\n{ nvm x = 0; nvm y = 0; }\nP0 (global int* y) { *y = 1; crash "a"; }\nP1 (global int* x) { *x = 1; }\ncrash ~exists (x = 0)\n' >"$WORK/warp.litmus"
    $CRASHLIT --format herd -e $engine -m sc -p "$WORK/warp.cat" "$WORK/warp.litmus" | grep -q '^Crash states 1$'
    sed 's/P1 /P1@sg 1 /' "$WORK/warp.litmus" >"$WORK/two.litmus"
    $CRASHLIT --format herd -e $engine -m sc -p "$WORK/warp.cat" "$WORK/two.litmus" >"$WORK/out" || [ $? -eq 1 ]
    grep -q '^Crash states 2$' "$WORK/out"
done
$CRASHLIT explain -m sc -p "$WORK/warp.cat" "$WORK/warp.litmus" >"$WORK/out"
grep -q "^  lockstep .*: P1's W x at line 4 executes together with P0's W y at line 3" "$WORK/out"
$UNIT exec_crash cat_model
