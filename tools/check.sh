#!/bin/sh
# check.sh STEP... [-- STEP...]: runs `$RUN_MAKE STEP` for each step and adds up their results. Steps before `--`
# run one after the other, those behind it as many at once as there are processors, or $STEPS_AT_ONCE.
#
# A step ends its output with `N passed, N failed` (make may add why it stops). Without
# such a line, or when it leaves with a non-zero status and admits no failure, it counts
# as one failure.
# A step that has not ended after its limit, STEP_SECONDS if that is set, is ended with all that it
# has started, and counts as one failure.
# A step's output goes to $LOGS/STEP.log and is shown when something failed. What is printed of a step
# comes when it ends.
set -u
results=$LOGS/results
rm -rf "$results"
mkdir -p "$results"
echo "0 passed, 1 failed" >"$LOGS/summary" # until it is known better
case ${STEPS_AT_ONCE:-1} in
0* | *[!0-9]*)
    echo "check: STEPS_AT_ONCE is '$STEPS_AT_ONCE', expected a number from 1 on" >&2
    exit 2
    ;;
esac

# Seconds, as tests/steps.list has them.
limit_of() { # step
    awk -v step="$1" '
        /^#/ { next }
        $1 == step { limit = $3 }
        $1 "-long" == step && $5 != "-" { limit = 28800 }
        END { print limit ? limit : 1800 }' "$(dirname "$0")/../tests/steps.list"
}

# What a step starts has its mark in the environment, also in other process groups and sessions.
marks=${CHECK_STEP:-}/$$:
marked() { grep -lsz "^CHECK_STEP=$1" /proc/[0-9]*/environ | sed 's|/proc/\([0-9]*\)/.*|\1|'; }
end_marked() { # mark
    tries=30
    while [ "$tries" -gt 0 ]; do
        left=$(marked "$1")
        [ -n "$left" ] || break
        # shellcheck disable=SC2046,SC2086 # several processes
        kill -s $([ "$tries" -gt 10 ] && echo TERM || echo KILL) $left 2>/dev/null
        sleep 0.1
        tries=$((tries - 1))
    done
}
lanes=
interrupted() { # status
    trap '' HUP INT TERM
    # shellcheck disable=SC2086 # several processes
    [ -z "$lanes" ] || kill $lanes 2>/dev/null
    end_marked "$marks"
    exit "$1"
}
trap 'interrupted 129' HUP
trap 'interrupted 130' INT
trap 'interrupted 143' TERM

# Seconds of processor time that ended children of this shell took between two of `times`. They tell of a step what its
# seconds do not where others use the machine.
processor_seconds() { # before, after
    awk 'FNR == 2 { gsub("s", ""); for (i = 1; i <= 2; i++) { split($i, part, "m"); sum[FILENAME] += 60 * part[1] + part[2] } }
        END { printf "%d", sum[ARGV[2]] - sum[ARGV[1]] }' "$1" "$2"
}

run_step() { # step
    log=$LOGS/$1.log limit=${STEP_SECONDS:-$(limit_of "$1")}
    start=$(date +%s)
    times >"$results/$1/before"
    CHECK_STEP=$marks$1: timeout -k 10 "$limit" $RUN_MAKE "$1" >"$log" 2>&1 </dev/null &
    wait $!
    status=$? seconds=$(($(date +%s) - start))
    times >"$results/$1/after"
    used=$(processor_seconds "$results/$1/before" "$results/$1/after")
    end_marked "$marks$1:"
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
    {
        [ "$bad" -eq 0 ] || { echo "---- $1: output ($log)"; tail -n 200 "$log"; echo "----"; }
        printf '%-12s %5d passed, %d failed, %ds, %ds of a processor%s\n' "$1" "$good" "$bad" "$seconds" "$used" "$note"
    } >"$results/$1/shown"
    cat "$results/$1/shown"
    echo "$good $bad" >"$results/$1/sum"
}
# Whoever can make a step's folder runs it.
run_steps() { # steps
    for step in "$@"; do
        if mkdir "$results/$step" 2>/dev/null; then run_step "$step"; fi
    done
}
run_at_once() { # steps
    count=${STEPS_AT_ONCE:-$(nproc)}
    while [ "$count" -gt 0 ]; do
        run_steps "$@" &
        lanes="$lanes $!" count=$((count - 1))
    done
    wait
    lanes=
    end_marked "$marks" # of a lane that was killed
}

# A step that is named twice is run, and counts, once.
add_steps() { # steps
    for step in "$@"; do
        case " $steps " in
        *" $step "*) ;;
        *) steps="$steps $step" ;;
        esac
    done
}

passed=0 failed=0 steps=
while [ $# -gt 0 ] && [ "$1" != -- ]; do
    run_steps "$1"
    add_steps "$1"
    shift
done
if [ $# -gt 1 ]; then
    shift
    run_at_once "$@"
    add_steps "$@"
fi
for step in $steps; do
    good=0 bad=1
    if [ -e "$results/$step/sum" ]; then
        read -r good bad <"$results/$step/sum"
    else # its lane was killed
        printf '%-12s %5d passed, %d failed (came to no end)\n' "$step" "$good" "$bad"
    fi
    passed=$((passed + good)) failed=$((failed + bad))
done
echo "$passed passed, $failed failed" | tee "$LOGS/summary"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
