# A write stays in its cache until a persist barrier behind it has executed: at the crash point before the barrier x is not
# durable (1 state), behind it it may be (2). Without the line it may be at both.
set -eu
cat >"$WORK/flush.cat" <<'END'
flush "a write is durable only behind a barrier"
let persist-before = 0
let durable-before = 0
let released-by = [PB]; po^-1; [W & NVM]
END
for engine in enum smt; do
    printf 'OPENCL t\n{ nvm x = 0; }\nP0 (global int* x) { *x = 1; crash "a"; p_barrier_wi; }\ncrash ~exists (x = 1)\n' >"$WORK/before.litmus"
    $CRASHLIT -e $engine -m sc -p "$WORK/flush.cat" "$WORK/before.litmus" | grep -q '^Crash states 1$'
    sed 's/crash "a"; p_barrier_wi;/p_barrier_wi; crash "a";/' "$WORK/before.litmus" >"$WORK/behind.litmus"
    $CRASHLIT -e $engine -m sc -p "$WORK/flush.cat" "$WORK/behind.litmus" >"$WORK/out" || [ $? -eq 1 ]
    grep -q '^Crash states 2$' "$WORK/out"
done
$CRASHLIT explain -m sc -p "$WORK/flush.cat" "$WORK/before.litmus" >"$WORK/out"
grep -q "^  released-by .*P0's PB WI at line 3 executes before P0's W x at line 3 is durable" "$WORK/out"
build/debug/tests/unit/unit exec_crash cat_model
