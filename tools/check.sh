#!/bin/sh
# check.sh STEP...: runs `$RUN_MAKE STEP` for each step and adds up their results.
#
# A step ends its output with `N passed, N failed` (make may add why it stops). Without
# such a line, or when it leaves with a non-zero status and admits no failure, it counts
# as one failure.
# A step's output goes to $LOGS/STEP.log and is shown when something failed.
set -u
mkdir -p "$LOGS"
echo "0 passed, 1 failed" >"$LOGS/summary" # until it is known better
passed=0 failed=0
for step in "$@"; do
    log=$LOGS/$step.log
    start=$(date +%s)
    $RUN_MAKE "$step" >"$log" 2>&1 </dev/null
    status=$?
    last=$(grep -E '^[0-9]+ passed, [0-9]+ failed$' "$log" | tail -n 1)
    good=${last%% passed,*} bad=${last#* passed, } bad=${bad% failed}
    note=
    [ -n "$last" ] || good=0 bad=1 note=" (no result line)"
    [ "$status" -eq 0 ] || [ "$bad" -gt 0 ] || bad=1 note=" (status $status)"
    skipped=$(sed -n 's/^skipped: //p' "$log" | head -n 1)
    [ -z "$skipped" ] || note=" (skipped: $skipped)"
    [ "$good" -gt 0 ] || [ "$bad" -gt 0 ] || [ -n "$skipped" ] || bad=1 note=" (nothing ran)"
    [ "$bad" -eq 0 ] || { echo "---- $step: output ($log)"; tail -n 200 "$log"; echo "----"; }
    printf '%-12s %5d passed, %d failed, %ds%s\n' "$step" "$good" "$bad" \
        $(($(date +%s) - start)) "$note"
    passed=$((passed + good)) failed=$((failed + bad))
done
echo "$passed passed, $failed failed" | tee "$LOGS/summary"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
