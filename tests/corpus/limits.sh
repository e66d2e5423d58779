#!/bin/sh
# limits.sh: --timeout and --memory hold for whatever is asked, and what workers may not do. Times are
# generous, as the machine may be busy; without the limit each of these takes far longer.
set -u
mkdir -p "$WORK/limits"
work=$(cd "$WORK/limits" && pwd)
. tests/corpus/cases.sh

# Runs the program, which has to be done after so many seconds.
within() { # seconds, wanted status, arguments
    most=$1
    shift
    started=$(date +%s)
    leaves "$@"
    took=$(($(date +%s) - started))
    [ "$took" -le "$most" ]
    verdict $? "\`crashlit $*\` ends within $most s (it took $took s)"
}

# The formula of a long test takes minutes to write down, for each question that is asked on the way.
explanations() {
    write_long_test "$work/long.litmus"
    within 20 3 explain --timeout 2 -m rc11 -p none "$work/long.litmus"
    out_has 'the time limit ran out'
    # Of several conditions all, not each.
    write_long_test "$work/many.litmus"
    for value in 4 5 6 7 8 9; do echo "exists (0:r0 = $value)"; done >>"$work/many.litmus"
    within 20 3 explain --timeout 3 -m rc11 -p none "$work/many.litmus"
}

explanations
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
