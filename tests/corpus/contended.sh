#!/bin/sh
# contended.sh VERIFY FROM TO: for each seed of the range a random model that says who reads from what (contended_model.awk)
# and small random tests whose work-items contend for a location (contended.awk). The enumerator lists all states and
# decides all conditions, the symbolic engine lists all states: they have to agree. VERIFY (symmetry_verify.c) holds the
# enumerator to itself without the symmetry of programs, and with bounds asked always. What a limit leaves unknown is not
# compared. An enumerator that leaves out what should be there must show.
set -u
folder=$(dirname "$0")
verify=$1 tests=8
mkdir -p "$WORK/contended"
work=$(cd "$WORK/contended" && pwd)
passed=0 failed=0 unknown=0

random() { # seed, file, variables
    seeded=$1 program=$2
    shift 2
    awk -v seed="$seeded" "$@" -f "$folder/draw.awk" -f "$folder/$program"
}

answers() { # name, model, options
    to=$work/$1 under=$2
    shift 2
    "$CRASHLIT" check "$@" -f json --timeout 1 -m "$under" -p none "$work/tests" >"$to" 2>"$to.err"
    status=$?
    [ $status -lt 64 ] || echo "failed: $* leaves with $status: $under $work/tests"
}

look_at() { # seed, what the enumerator is to ask of executions as well
    model=$work/$1.cat asked=$work/asked.cat
    rm -rf "$work/tests"
    mkdir -p "$work/tests"
    random "$1" contended_model.awk >"$model"
    random "$1" contended.awk -v count="$tests" -v folder="$work/tests"
    { cat "$model" && echo "$2"; } >"$asked"
    answers enum-listed "$asked" -e enum
    answers enum-decided "$asked" -e enum --decide
    answers enum-decided-least "$asked" -e enum --decide --thresholds least
    answers smt-listed "$model" -e smt
    sed -n 's/.*"engine":"","verdict":"error".*"reason":\(.*\)/failed: cannot be read: \1/p' "$work/enum-listed"
    awk -f "$folder/verdicts_compare.awk" "$work/enum-listed" "$work/enum-decided" "$work/enum-decided-least" \
        "$work/smt-listed"
}

# The last line of VERIFY: N agree, N differ, N open, ...
hold_to_itself() {
    "$verify" -m "$model" -p none "$work"/tests/*.litmus >"$work/itself" 2>&1
    awk '/ agree, .* that are none$/ { ended = 1; print $1, 0, $5; next }
        { print "failed: " $0 }
        END { if (!ended) print "failed: nothing to compare" }' "$work/itself"
}

# What failed is kept: the model and the tests.
try() { # seed
    { look_at "$1" ""; hold_to_itself; } >"$work/compared"
    f=$(grep -c '^failed: ' "$work/compared")
    # shellcheck disable=SC2046 # numbers
    set -- "$1" $(awk '/^[0-9]+ [0-9]+ [0-9]+$/ { p += $1; u += $3 } END { print p + 0, u + 0 }' "$work/compared")
    [ $(($2 + f + $3)) -gt 0 ] || f=1
    if [ "$f" -gt 0 ]; then
        echo "seed $1, model $model:"
        grep '^failed: ' "$work/compared" | head -n 10
        rm -rf "$work/tests.$1"
        cp -R "$work/tests" "$work/tests.$1"
    else
        rm -f "$model"
    fi
    passed=$((passed + $2)) failed=$((failed + f)) unknown=$((unknown + $3))
}

notices() { # seed, what is left out
    look_at "$1" "$2" >"$work/compared"
    if grep -q '^failed: .* enum-listed / smt-listed: ' "$work/compared"; then
        passed=$((passed + 1))
    else
        echo "failed: it is not noticed that of seed $1 this is asked too: $2"
        failed=$((failed + 1))
    fi
    rm -f "$model"
}

# That no two read-modify-writes have one source; that each takes the first write.
notices 32 'empty ([R & RMW]; rf^-1; rf; [R & RMW]) \ id'
notices 2 'empty rf & ((W \ IW) * (R & RMW))'
seed=$2
while [ "$seed" -le "$3" ]; do
    try "$seed"
    seed=$((seed + 1))
done
[ "$unknown" -eq 0 ] || echo "$unknown left unknown by some run, or without an execution"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
