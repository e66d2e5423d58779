#!/bin/sh
# check.sh STEP...: runs `$RUN_MAKE STEP` for each step and adds up their results.
#
# A step ends its output with `N passed, N failed` (make may add why it stops). Without
# such a line, or when it leaves with a non-zero status and admits no failure, it counts
# as one failure.
# A step that has not ended after its limit, STEP_SECONDS if that is set, is ended with all that it
# has started, and counts as one failure.
# A step's output goes to $LOGS/STEP.log and is shown when something failed.
set -u
mkdir -p "$LOGS"
echo "0 passed, 1 failed" >"$LOGS/summary" # until it is known better

# Seconds: several times what a step takes on two quiet cores, since others are not.
limit_of() { # step
    case $1 in
    *-long | asan | tsan | fuzz | fresh) echo 28800 ;;
    asan-steps | crosscheck | explain | machines | models | verdicts | warnings) echo 3600 ;;
    *) echo 1800 ;;
    esac
}

# What a step starts has its mark in the environment, also in other process groups and sessions.
mark=
marked() { grep -lsz "^CHECK_STEP=$mark" /proc/[0-9]*/environ | sed 's|/proc/\([0-9]*\)/.*|\1|'; }
end_step() {
    tries=30
    while [ "$tries" -gt 0 ]; do
        left=$(marked)
        [ -n "$left" ] || break
        # shellcheck disable=SC2046,SC2086 # several processes
        kill -s $([ "$tries" -gt 10 ] && echo TERM || echo KILL) $left 2>/dev/null
        sleep 0.1
        tries=$((tries - 1))
    done
}
interrupted() { # status
    trap '' HUP INT TERM
    end_step
    exit "$1"
}
trap 'interrupted 129' HUP
trap 'interrupted 130' INT
trap 'interrupted 143' TERM

passed=0 failed=0
for step in "$@"; do
    log=$LOGS/$step.log limit=${STEP_SECONDS:-$(limit_of "$step")}
    start=$(date +%s)
    mark=${CHECK_STEP:-}/$$:$step:
    CHECK_STEP=$mark timeout -k 10 "$limit" $RUN_MAKE "$step" >"$log" 2>&1 </dev/null &
    wait $!
    status=$? seconds=$(($(date +%s) - start))
    end_step
    last=$(grep -E '^[0-9]+ passed, [0-9]+ failed$' "$log" | tail -n 1)
    good=${last%% passed,*} bad=${last#* passed, } bad=${bad% failed}
    note=
    [ -n "$last" ] || good=0 bad=1 note=" (no result line)"
    [ "$status" -eq 0 ] || [ "$bad" -gt 0 ] || bad=1 note=" (status $status)"
    skipped=$(sed -n 's/^skipped: //p' "$log" | head -n 1)
    [ -z "$skipped" ] || note=" (skipped: $skipped)"
    [ "$good" -gt 0 ] || [ "$bad" -gt 0 ] || [ -n "$skipped" ] || bad=1 note=" (nothing ran)"
    # 124, or 137 where it had to be killed, is the status that timeout leaves with.
    case $status in
    124 | 137) [ "$seconds" -lt "$limit" ] || good=0 bad=1 note=" (met its limit of $limit s)" ;;
    esac
    [ "$bad" -eq 0 ] || { echo "---- $step: output ($log)"; tail -n 200 "$log"; echo "----"; }
    printf '%-12s %5d passed, %d failed, %ds%s\n' "$step" "$good" "$bad" "$seconds" "$note"
    passed=$((passed + good)) failed=$((failed + bad))
done
echo "$passed passed, $failed failed" | tee "$LOGS/summary"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
