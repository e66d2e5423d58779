#!/bin/sh
# peers.sh: other tools' tests against their known answers, when the folder with them is
# beside the checkout (../shared/peers); says that it skipped when not. Differences must
# be exactly those of tests/corpus/peers.known.
set -u
mkdir -p "$WORK"
peers=../shared/peers
if [ ! -d "$peers/expected" ]; then
    echo "skipped: there is no $peers"
    echo "0 passed, 0 failed"
    exit 0
fi
passed=0 failed=0
run() { # CSV, model, property
    "$CRASHLIT" peers --expected "$peers/expected/$1.csv" -m "$2" --property "$3" "$peers" \
        >"$WORK/peers.out" 2>"$WORK/peers.err"
    summary=$(tail -n 1 "$WORK/peers.out")
    agree=${summary%% agree*}
    sed '$d' "$WORK/peers.out" | sed "s/^/$1 /" >"$WORK/peers.differ"
    grep "^$1 " tests/corpus/peers.known >"$WORK/peers.wanted"
    echo "$1 under $2 ($3): $summary"
    case $agree in '' | *[!0-9]*) agree=0 ;; esac
    passed=$((passed + agree))
    if [ "$agree" -gt 0 ] && diff "$WORK/peers.wanted" "$WORK/peers.differ" &&
        ! grep -q "error:" "$WORK/peers.err"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        grep -A 2 "error:" "$WORK/peers.err" | head -n 20
    fi
}
run RC11 rc11 condition
run C11 c11 condition
run OPENCL opencl condition
run OPENCL-DR opencl race
run PTXv6_0 ptx condition
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
