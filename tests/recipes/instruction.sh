# The test tells the models apart by the drain: its derivation stands in it. Both engines know it, what it leaves is
# explained, no machine has it, and a drain that is given a scope is refused.
set -eu
for engine in enum smt; do
    $CRASHLIT --format herd -e $engine litmus/drain/drain.litmus >"$WORK/out"
    grep -q '^Summary: 2 as expected, 0 otherwise' "$WORK/out"
done
$CRASHLIT --dump-exec -m hrf-direct -p epoch litmus/drain/drain.litmus | grep -q 'P0  :6   PD executed'
$CRASHLIT explain -m hrf-direct -p epoch litmus/drain/drain.litmus | grep -q 'litmus/drain/drain.litmus:6: .*PD'
status=0
$CRASHLIT check --format herd -e machine -m hrf-direct -p epoch litmus/drain/drain.litmus >"$WORK/out" || status=$?
[ "$status" -eq 3 ]
grep -q "^Doubt a persist drain, of P0 at line 6, is not encoded" "$WORK/out"
status=0
$CRASHLIT check tests/malformed/litmus/drain.litmus 2>"$WORK/err" || status=$?
[ "$status" -eq 2 ]
diff tests/malformed/litmus/drain.expected "$WORK/err"
